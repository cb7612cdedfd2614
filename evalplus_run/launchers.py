"""What starts the jobs of a sweep: Hydra's launchers by the name the user types, and what is wrong in words."""

from __future__ import annotations

import difflib
import re
import shutil
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from evalplus_run.models.registry import is_installed
from evalplus_run.records import UserError

BASIC = "basic"
"""Hydra's own, where none is chosen."""
SLURMS = ("sbatch", "srun")
"""The commands of Slurm that a job is sent by."""

_NOT_FOUND = re.compile(r"Could not find 'hydra/launcher/(.*)'")
_NO_KEY = re.compile(r"Could not override 'hydra\.launcher\.([\w.]+)'")
_NO_VALUE = re.compile(r"Error merging override (hydra\.launcher\..*)")
_QUEUE = {
    "timeout_min": "minutes that a job may take",
    "cpus_per_task": "cores of a job",
    "mem_gb": "GB of memory of a job",
    "gpus_per_node": "GPUs of a job; an API needs none",
    "partition": "the queue's part",
    "account": "who is charged",
    "qos": "quality of service",
    "array_parallelism": "jobs at once",
    "setup": "commands before each, as in [module load cuda]",
    "additional_parameters": "anything else of sbatch's, as in {reservation: mine}",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Launcher:
    """One of those that come along, or with an extra."""

    says: str
    extra: str = ""
    commands: tuple[str, ...] = ()
    """Of the system, that it calls."""
    keys: Mapping[str, str] = field(default_factory=dict)
    """The most used of `hydra.launcher`, with what they mean."""


LAUNCHERS: Mapping[str, Launcher] = {
    BASIC: Launcher(says="one job after the other in this process, a model loaded once for all that ask for it"),
    "joblib": Launcher(
        says="jobs side by side on this machine, which share its cores; each loads its own model",
        extra="joblib",
        keys={"n_jobs": "how many at once; -1: one for each core"},
    ),
    "slurm": Launcher(
        says="each job by itself in Slurm's queue, and in it again where that ends it or takes it back",
        extra="submitit",
        commands=SLURMS,
        keys=_QUEUE,
    ),
    "submitit_slurm": Launcher(says="the same with submitit's own defaults", extra="submitit", commands=SLURMS),
    "submitit_local": Launcher(
        says="all jobs at once on this machine, each by itself, as a rehearsal of slurm", extra="submitit"
    ),
}


def check(name: str) -> None:
    """UserError where this launcher cannot work here."""
    if "," in name:
        raise UserError(f"hydra/launcher={name} is more than one: a sweep has one launcher for all its jobs.")
    launcher = LAUNCHERS.get(name)
    if launcher is None:  # one of the user's own, or none, as Hydra will say
        return
    if launcher.extra and not is_installed(f"hydra_plugins.hydra_{launcher.extra}_launcher"):
        raise UserError(f"hydra/launcher={name} is not installed: pip install 'evalplus-run[{launcher.extra}]'")
    if absent := [command for command in launcher.commands if shutil.which(command) is None]:
        raise UserError(
            f"hydra/launcher={name} needs Slurm, and there is no {' and no '.join(absent)} here: give the command on a"
            " machine of the cluster, or take hydra/launcher=joblib, or none."
        )


def explained(error: BaseException, name: str, known: Collection[str], keys: Collection[str]) -> str:
    """An error that Hydra raised over this launcher, in words; empty where it is over something else.

    `known` are the launchers that Hydra has, `keys` what this one takes.
    """
    text = str(error)
    if found := _NOT_FOUND.search(text):
        return f"There is no hydra/launcher={found[1]}: {_meant('hydra/launcher=', found[1], known)}."
    if found := _NO_KEY.search(text):
        key = found[1]
        others = [other for other, launcher in LAUNCHERS.items() if key in launcher.keys and other != name]
        if name == BASIC and others:
            return f"hydra.launcher.{key} is a key of another launcher: give hydra/launcher={others[0]} too."
        takes = _meant("hydra.launcher.", key, keys) if keys else "it takes none"
        return f"hydra/launcher={name} has no key hydra.launcher.{key}: {takes}."
    if found := _NO_VALUE.search(text):
        why = str(error.__cause__ or "").partition("\n")[0] or "it takes no such value"
        return f"{found[1]} cannot be: {why}."
    return ""


def _meant(before: str, text: str, choices: Collection[str]) -> str:
    near = difflib.get_close_matches(text, choices, 1, 0.5)
    hint = f"did you mean {before}{near[0]}? " if near else ""
    return f"{hint}The choices are {', '.join(sorted(choices))}"
