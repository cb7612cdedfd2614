"""The sinks by the name the user types."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable, Iterable, Mapping

from evalplus_run.records import UserError
from evalplus_run.sinks.base import Told
from evalplus_run.sinks.settings import SinkName

Sink = Callable[[Told], str]
"""Stores it all as one new run and gives back where it can be seen. Its library is there, and takes its keys from the
environment only; whatever it raises is raised."""

VARIABLES: Mapping[SinkName, tuple[str, ...]] = {
    "wandb": ("WANDB_",),
    "mlflow": ("MLFLOW_", "DATABRICKS_", "AWS_", "AZURE_", "GOOGLE_"),
    "trackio": ("TRACKIO_", "HF_"),
}
"""How the environment variables begin that are a sink's own, keys among them."""


def refuse_missing(names: Iterable[SinkName]) -> None:
    """UserError where the extra of one of them is not installed."""
    for name in names:
        if not is_installed(name):
            raise UserError(
                f"{name} is not installed: pip install 'evalplus-run[{name}]', or leave it out of report.to"
            )


def is_installed(name: SinkName) -> bool:
    """Whether its library is there."""
    spec = importlib.util.find_spec(name)
    return spec is not None and spec.origin is not None  # a folder of that name, as wandb makes them, is not it


def sink_of(name: SinkName) -> Sink:
    """The sink of this name; its extra, its library and its file here are called so too."""
    sink: Sink = importlib.import_module(f"evalplus_run.sinks.{name}").send
    return sink
