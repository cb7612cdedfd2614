"""A run through Hydra: the configuration composed from `conf/`, then handed on as frozen dataclasses."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from evalplus_run import config, launchers, overrides
from evalplus_run.endings import TOLD, ending
from evalplus_run.records import UserError

if TYPE_CHECKING:
    from evalplus_run.sweep import Launched, Sweep

_SCHEMA = "schema"


def inputs(argv: Sequence[str]) -> None:
    """Compose, and make inputs for the dataset; errors as of `run`."""
    run(argv, _inputs)


def reduce(argv: Sequence[str]) -> None:
    """Compose, and choose few tests of the dataset; errors as of `run`."""
    run(argv, _reduce)


def run(argv: Sequence[str], alone: Callable[..., None] | None = None) -> None:
    """Compose and run; `argv` is what the user typed. Raises UserError for what Hydra cannot compose.

    `alone` is what is done with the configuration in place of a run; there are no sweeps of it.
    """
    from hydra._internal.utils import get_args_parser

    own_traceback = "HYDRA_FULL_ERROR" in os.environ
    # Without it Hydra prints its errors itself and exits with 1 before we can say what to type.
    os.environ["HYDRA_FULL_ERROR"] = "1"
    parser = get_args_parser()
    parser.error = _refuse  # type: ignore[method-assign]
    arguments = parser.parse_intermixed_args(list(argv))
    folders = [config_dir(), *([Path(arguments.config_dir)] if arguments.config_dir else [])]
    grammar = overrides.Grammar(overrides.groups_in(folders), multirun=bool(arguments.multirun))
    prepared = [overrides.prepare(text, grammar) for text in arguments.overrides]
    options = [item for item in argv if item not in arguments.overrides]
    sys.argv = ["evalplus-run", *options, *(overrides.models_first(prepared) if grammar.multirun else prepared)]
    _store_schema()
    if alone is not None:
        if grammar.multirun:
            raise UserError("This command makes no sweeps: drop -m.")
        _compose(functools.partial(alone), own_traceback=own_traceback)
    elif grammar.multirun:
        from evalplus_run import sweep

        with sweep.under_way(argv) as own:
            _launch(sweep.Launched(own), own_traceback=own_traceback)
    else:
        _compose(functools.partial(_alone, command=list(argv)), own_traceback=own_traceback)


def _launch(launched: Launched, *, own_traceback: bool) -> None:
    from evalplus_run import sent_jobs, sweep
    from evalplus_run.watch import Watch

    Watch.told = launched.plan
    try:
        _compose(functools.partial(_job, own=launched.sweep), own_traceback=own_traceback)
    except KeyboardInterrupt:
        for sentence in sent_jobs.cancel():
            sweep.say(sentence)
        raise
    except Exception as error:
        sent_jobs.wait()
        if not launched.has_begun():
            raise
        launched.tell(_why_it_ended(error))
    if not launched.has_begun():
        raise UserError("The sweep has no job: a glob(…) found nothing, or sweep.dir is another for each of them.")
    launched.tell()


def _why_it_ended(error: Exception) -> str:
    """What a job could not write down; else a launcher lost one, to the machine's memory or a queue's limit, and raises
    once it is through."""
    if isinstance(error, TOLD) and not isinstance(error, _NotComposed):
        return ending(error)[0]
    return f"The launcher lost a job ({_first_lines(error.__cause__ or error)})."


def _compose(task: functools.partial[None], *, own_traceback: bool) -> None:
    """Let Hydra call the task with the configuration of each job."""
    import hydra

    functools.update_wrapper(task, task.func)
    try:
        hydra.main(version_base="1.3", config_path=str(config_dir()), config_name="config")(task)()
    except _Ended as ended:
        raise ended.error from None
    except Exception as error:
        # What a run raises comes as _Ended. Else it is the configuration, for which Hydra raises all kinds of errors,
        # or the system.
        if own_traceback or getattr(error, "errno", None):
            raise
        raise _NotComposed(_of_launcher(error) or _one_sentence(error)) from error


class _NotComposed(UserError):
    """What Hydra raises by itself."""


def config_dir() -> Path:
    """`conf/`: inside the installed package, or beside it in a source tree."""
    inside = Path(__file__).parent / "conf"
    return inside if inside.is_dir() else Path(__file__).parent.parent / "conf"


def _refuse(message: str) -> NoReturn:
    raise UserError(f"{message[:1].upper()}{message[1:]}; evalplus-run --hydra-help lists the options.")


class _Ended(BaseException):
    """Carries an error for the user through Hydra, which prints a banner over any ordinary exception."""

    def __init__(self, error: Exception) -> None:
        self.error = error


def _alone(cfg: Any, *, command: Sequence[str]) -> None:
    from hydra.core.hydra_config import HydraConfig
    from hydra.types import RunMode

    from evalplus_run import pipeline
    from evalplus_run.engines import Engines

    if HydraConfig.get().mode is RunMode.MULTIRUN:
        raise _Ended(UserError("hydra.mode=MULTIRUN makes this a sweep: say so by -m."))
    try:
        with Engines() as engines:
            pipeline.run(config.parse(_plain(cfg)), engines, command=command)
    except Exception as error:
        raise _Ended(error) from error


def _inputs(cfg: Any) -> None:
    from evalplus_run import generation

    _through(generation.run, cfg)


def _reduce(cfg: Any) -> None:
    from evalplus_run import reduction

    _through(reduction.run, cfg)


def _through(command: Callable[[config.Config], None], cfg: Any) -> None:
    try:
        command(config.parse(_plain(cfg)))
    except Exception as error:
        raise _Ended(error) from error


def _job(cfg: Any, *, own: Sweep) -> None:
    """One job of a sweep, in whatever process the launcher has for it."""
    from hydra.core.hydra_config import HydraConfig

    told = HydraConfig.get()
    try:
        own.run(
            _plain(cfg),
            number=told.job.num,
            overrides=overrides.words(told.overrides.task),
            at_once=_jobs_at_once(told.launcher),
        )
    except TOLD as error:
        raise _Ended(error) from error


def _jobs_at_once(launcher: Any) -> int:
    """How many jobs share this machine, as far as the launcher's settings tell."""
    jobs = launcher.get("n_jobs") or 1
    return jobs if jobs > 0 else os.cpu_count() or 1


def _plain(cfg: Any) -> Mapping[str, Any]:
    from omegaconf import OmegaConf
    from omegaconf.errors import OmegaConfBaseException

    try:
        raw = OmegaConf.to_container(cfg, resolve=True)
    except OmegaConfBaseException as error:
        raise UserError(_one_sentence(error)) from error
    assert isinstance(raw, dict)  # noqa: S101 - the primary config is a mapping
    return {str(key): value for key, value in raw.items()}


def _store_schema() -> None:
    """The defaults of every section, so that `--cfg job` shows all keys; types are checked in `config.parse`."""
    from hydra.core.config_store import ConfigStore

    store = ConfigStore.instance()
    sections = {name: config.defaults_of(kind) for name, kind in config.GROUPS.items()}
    store.store(name=_SCHEMA, node={**config.defaults_of(config.RunSettings), **sections})


def _of_launcher(error: Exception) -> str:
    """The error in words where it is over the launcher."""
    from hydra.core.config_store import ConfigStore

    from evalplus_run.watch import Watch

    if Watch.is_through and not _is_of_configuration(error):
        return f"The launcher cannot start the jobs ({_first_lines(error)}): check hydra/launcher and hydra.launcher."
    chosen = [text.partition("=")[2] for text in sys.argv if text.startswith("hydra/launcher=")]
    name = chosen[-1] if chosen else launchers.BASIC
    store = ConfigStore.instance()
    known = {file.removesuffix(".yaml") for file in store.list("hydra/launcher")} | launchers.LAUNCHERS.keys()
    given = {"slurm": "submitit_slurm"}.get(name, name)
    node = store.load(f"hydra/launcher/{given}.yaml").node if f"{given}.yaml" in store.list("hydra/launcher") else {}
    keys = [str(key) for key in node if not str(key).startswith("_")]
    return launchers.explained(error, name, known, keys)


def _is_of_configuration(error: Exception) -> bool:
    return type(error).__module__.partition(".")[0] in ("hydra", "omegaconf", "yaml")


def _first_lines(error: BaseException) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return " ".join(lines[:3]) or type(error).__name__


def _one_sentence(error: Exception) -> str:
    text = _first_lines(error)
    if _is_of_configuration(error):
        return text
    return f"The configuration cannot be composed ({text}): check the values given, and your files in --config-dir."
