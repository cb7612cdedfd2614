"""The executors by the name the user types."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable, Mapping

from evalplus_run.evaluate.pool import Executor
from evalplus_run.evaluate.settings import ExecutorSettings
from evalplus_run.records import UserError
from evalplus_run.sandbox.settings import SandboxSettings

Say = Callable[[str], None]

_CLASSES: Mapping[str, tuple[str, str]] = {
    "local": ("local", "LocalExecutor"),
    "ray": ("cluster.executor", "RayExecutor"),
}
"""The module and the class of each."""


def build(settings: ExecutorSettings, sandbox: SandboxSettings, say: Say) -> Executor:
    """The executor of these settings; `say` shows a line to the user.

    Raises UserError where its extra is not installed, or the sandbox that is asked for cannot be had.
    """
    if settings.name == "ray" and importlib.util.find_spec("ray") is None:
        raise UserError("ray is not installed: pip install 'evalplus-run[ray]'")
    module, name = _CLASSES[settings.name]
    implementation = importlib.import_module(f"evalplus_run.evaluate.{module}")
    executor: Executor = getattr(implementation, name)(settings, sandbox, say)
    return executor
