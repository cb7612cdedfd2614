"""The sinks by the name the user types."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from evalplus_run.records import UserError
from evalplus_run.sinks.base import Sink
from evalplus_run.sinks.settings import SinkName


@dataclass(frozen=True, slots=True)
class _Entry:
    """One sink; its extra and its library are called as it is."""

    class_name: str
    variables: tuple[str, ...]
    """How the environment variables begin that are its own, keys among them."""


_SINKS: Mapping[SinkName, _Entry] = {
    "wandb": _Entry("Wandb", ("WANDB_",)),
    "mlflow": _Entry("Mlflow", ("MLFLOW_", "DATABRICKS_", "AWS_", "AZURE_", "GOOGLE_")),
    "trackio": _Entry("Trackio", ("TRACKIO_", "HF_")),
}


def refuse_missing(names: Iterable[SinkName]) -> None:
    """UserError where the extra of one of them is not installed."""
    for name in names:
        spec = importlib.util.find_spec(name)
        if spec is None or spec.origin is None:  # none, or a folder of that name, as wandb makes them
            raise UserError(
                f"{name} is not installed: pip install 'evalplus-run[{name}]', or leave it out of report.to"
            )


def build(name: SinkName) -> Sink:
    """The sink of this name."""
    sink: Sink = getattr(importlib.import_module(f"evalplus_run.sinks.{name}"), _SINKS[name].class_name)()
    return sink


def variables_of(name: SinkName) -> tuple[str, ...]:
    """How the environment variables begin that are its own."""
    return _SINKS[name].variables
