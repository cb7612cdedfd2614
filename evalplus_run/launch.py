"""A run through Hydra: the configuration composed from `conf/`, then handed on as frozen dataclasses."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evalplus_run import config, overrides
from evalplus_run.records import RunFailed, UserError

_SCHEMA = "schema"


def run(argv: Sequence[str]) -> None:
    """Compose and run; `argv` is what the user typed. Raises UserError for what Hydra cannot compose."""
    import hydra
    import yaml
    from hydra._internal.utils import get_args_parser
    from hydra.errors import HydraException
    from omegaconf.errors import OmegaConfBaseException

    own_traceback = "HYDRA_FULL_ERROR" in os.environ
    # Without it Hydra prints its errors itself and exits with 1 before we can say what to type.
    os.environ["HYDRA_FULL_ERROR"] = "1"
    arguments = get_args_parser().parse_args(list(argv))
    folders = [config_dir(), *([Path(arguments.config_dir)] if arguments.config_dir else [])]
    grammar = overrides.Grammar(overrides.groups_in(folders), multirun=bool(arguments.multirun))
    prepared = iter([overrides.prepare(text, grammar) for text in arguments.overrides])
    typed = set(arguments.overrides)
    sys.argv = ["evalplus-run", *(next(prepared) if item in typed else item for item in argv)]
    _store_schema()
    failures: list[str] = []
    job = functools.partial(_job, command=list(argv), multirun=grammar.multirun, failures=failures)
    functools.update_wrapper(job, _job)
    application = hydra.main(version_base="1.3", config_path=str(config_dir()), config_name="config")(job)
    try:
        application()
    except _Ended as ended:
        raise ended.error from None
    except (HydraException, OmegaConfBaseException, yaml.YAMLError) as error:
        if own_traceback:
            raise
        raise UserError(_one_sentence(error)) from error
    if failures:
        raise RunFailed(f"{len(failures)} of the sweep's jobs failed: {' '.join(failures)}")


def config_dir() -> Path:
    """`conf/`: inside the installed package, or beside it in a source tree."""
    inside = Path(__file__).parent / "conf"
    return inside if inside.is_dir() else Path(__file__).parent.parent / "conf"


class _Ended(BaseException):
    """Carries an error for the user through Hydra, which prints a banner over any ordinary exception."""

    def __init__(self, error: UserError | RunFailed) -> None:
        self.error = error


def _job(cfg: Any, *, command: list[str], multirun: bool, failures: list[str]) -> None:
    from omegaconf import OmegaConf

    from evalplus_run import pipeline

    raw = OmegaConf.to_container(cfg, resolve=True)
    assert isinstance(raw, dict)  # noqa: S101 - the primary config is a mapping
    try:
        pipeline.run(config.parse({str(key): value for key, value in raw.items()}), command=command)
    except (UserError, RunFailed) as error:
        if not multirun:
            raise _Ended(error) from error
        failures.append(str(error))


def _store_schema() -> None:
    """The defaults of every section, so that `--cfg job` shows all keys; types are checked in `config.parse`."""
    from hydra.core.config_store import ConfigStore

    store = ConfigStore.instance()
    sections = {name: config.defaults_of(kind) for name, kind in config.GROUPS.items()}
    store.store(name=_SCHEMA, node={**config.defaults_of(config.RunSettings), **sections})


def _one_sentence(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return " ".join(lines[:3]) or type(error).__name__
