"""Hydra's callback: where the runs of a sweep lie and what its jobs are, told before its launcher begins."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from hydra._internal.core_plugins.basic_sweeper import BasicSweeper
from hydra.core.global_hydra import GlobalHydra
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.errors import HydraException
from hydra.experimental.callback import Callback
from omegaconf import OmegaConf, open_dict

from evalplus_run.files import user_path
from evalplus_run.overrides import words
from evalplus_run.sweeps.jobs import at_work_in, name_of


class Watch(Callback):
    """Named in `conf/config.yaml`; Hydra makes it, and tells it in the command's own process."""

    told: ClassVar[Callable[[str, Sequence[tuple[str, ...]]], None]]
    """Gets `sweep.dir` and the overrides of each job."""
    is_through: ClassVar[bool] = False
    """Whether it has told: what goes wrong from there on is the launcher's."""

    def on_multirun_start(self, config: Any, **_: Any) -> None:
        """Tell of the jobs; of those that are sent away, say where their output is, and what they will wait for."""
        jobs = _jobs(config)
        if (at_once := OmegaConf.select(config, "hydra.launcher.n_jobs")) is not None:
            with open_dict(config):
                config.hydra.launcher.n_jobs = _no_more_than(len(jobs), at_once)
        logs = OmegaConf.select(config, "hydra.launcher.submitit_folder")
        if logs:
            _say(f"what the jobs say goes to {logs}")
            for job in at_work_in(user_path(str(config.sweep.dir)), {name_of(each) for each in jobs}):
                _say(
                    f"at work since an earlier command: {job.words} ({job.whereabouts}); "
                    "this command's own waits until it is through"
                )
        Watch.told(str(config.sweep.dir), jobs)
        Watch.is_through = True


def _jobs(config: Any) -> list[tuple[str, ...]]:
    """As Hydra's sweeper will put them together, which tells nobody."""
    params = OmegaConf.to_container(config.hydra.sweeper).get("params") or {}  # type: ignore[union-attr]
    texts = [*(f"{key}={value}" for key, value in params.items()), *config.hydra.overrides.task]
    parser = OverridesParser.create(config_loader=GlobalHydra.instance().config_loader())
    try:
        batches = BasicSweeper.split_arguments(parser.parse_overrides(texts), None)
    except HydraException:  # the sweeper will say so itself
        return []
    return [words(job) for batch in batches for job in batch]


def _no_more_than(jobs: int, at_once: int) -> int:
    """Processes for so many jobs at most: each beyond would be started for nothing, and take its share of the cores.

    From -1 downwards joblib counts from the number of cores.
    """
    cores = os.cpu_count() or 1
    return max(min(at_once if at_once > 0 else cores + 1 + at_once, jobs), 1)


def _say(text: str) -> None:
    print(text, file=sys.stderr)  # noqa: T201
