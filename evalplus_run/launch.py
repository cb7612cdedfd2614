"""A run through Hydra: the configuration composed from `conf/`, then handed on as frozen dataclasses."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from evalplus_run import config, overrides
from evalplus_run.endings import TOLD, ending
from evalplus_run.records import RunFailed, UserError

_SCHEMA = "schema"


def run(argv: Sequence[str]) -> None:
    """Compose and run; `argv` is what the user typed. Raises UserError for what Hydra cannot compose."""
    import hydra
    from hydra._internal.utils import get_args_parser

    own_traceback = "HYDRA_FULL_ERROR" in os.environ
    # Without it Hydra prints its errors itself and exits with 1 before we can say what to type.
    os.environ["HYDRA_FULL_ERROR"] = "1"
    parser = get_args_parser()
    parser.error = _refuse  # type: ignore[method-assign]
    arguments = parser.parse_args(list(argv))
    folders = [config_dir(), *([Path(arguments.config_dir)] if arguments.config_dir else [])]
    grammar = overrides.Grammar(overrides.groups_in(folders), multirun=bool(arguments.multirun))
    prepared = {text: overrides.prepare(text, grammar) for text in arguments.overrides}
    sys.argv = ["evalplus-run", *(prepared.get(item, item) for item in argv)]
    _store_schema()
    jobs = _Jobs(list(argv), grammar.multirun)
    job = functools.partial(_job, jobs=jobs)
    functools.update_wrapper(job, _job)
    application = hydra.main(version_base="1.3", config_path=str(config_dir()), config_name="config")(job)
    try:
        application()
    except _Ended as ended:
        raise ended.error from None
    except Exception as error:
        # Before the first job it is the configuration, for which Hydra raises all kinds of errors, or the system.
        if own_traceback or jobs.begun or getattr(error, "errno", None):
            raise
        raise UserError(_one_sentence(error)) from error
    if jobs.failures:
        raise RunFailed(f"{len(jobs.failures)} of the sweep's jobs failed: {' '.join(jobs.failures)}")


def config_dir() -> Path:
    """`conf/`: inside the installed package, or beside it in a source tree."""
    inside = Path(__file__).parent / "conf"
    return inside if inside.is_dir() else Path(__file__).parent.parent / "conf"


@dataclass
class _Jobs:
    """What the jobs of one command share."""

    command: list[str]
    multirun: bool
    failures: list[str] = field(default_factory=list)
    begun: bool = False


def _refuse(message: str) -> NoReturn:
    raise UserError(f"{message[:1].upper()}{message[1:]}; evalplus-run --hydra-help lists the options.")


class _Ended(BaseException):
    """Carries an error for the user through Hydra, which prints a banner over any ordinary exception."""

    def __init__(self, error: Exception) -> None:
        self.error = error


def _job(cfg: Any, *, jobs: _Jobs) -> None:
    from evalplus_run import pipeline

    jobs.begun = True
    try:
        pipeline.run(_parsed(cfg), command=jobs.command)
    except BrokenPipeError as error:
        raise _Ended(error) from error
    except TOLD as error:
        if not jobs.multirun:
            raise _Ended(error) from error
        jobs.failures.append(ending(error)[0])


def _parsed(cfg: Any) -> config.Config:
    from omegaconf import OmegaConf
    from omegaconf.errors import OmegaConfBaseException

    try:
        raw = OmegaConf.to_container(cfg, resolve=True)
    except OmegaConfBaseException as error:
        raise UserError(_one_sentence(error)) from error
    assert isinstance(raw, dict)  # noqa: S101 - the primary config is a mapping
    return config.parse({str(key): value for key, value in raw.items()})


def _store_schema() -> None:
    """The defaults of every section, so that `--cfg job` shows all keys; types are checked in `config.parse`."""
    from hydra.core.config_store import ConfigStore

    store = ConfigStore.instance()
    sections = {name: config.defaults_of(kind) for name, kind in config.GROUPS.items()}
    store.store(name=_SCHEMA, node={**config.defaults_of(config.RunSettings), **sections})


def _one_sentence(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    text = " ".join(lines[:3]) or type(error).__name__
    if type(error).__module__.partition(".")[0] in ("hydra", "omegaconf", "yaml"):
        return text
    return f"The configuration cannot be composed ({text}): check the values given, and your files in --config-dir."
