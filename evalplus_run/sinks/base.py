"""What every sink takes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any

from evalplus_run import json_text
from evalplus_run.records import Estimate
from evalplus_run.report.summary import RunSummary
from evalplus_run.sinks.settings import ReportSettings

_LONGEST_VALUE = 500
"""Characters of one value of the configuration; the whole manifest goes along as a file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One run's results, ready to be sent."""

    project: str
    name: str
    config: Mapping[str, str | int | float | bool]
    """The manifest, flat: `dataset.name`, `sampling.temperature`."""
    metrics: Mapping[str, float]
    """Finite numbers by names such as `evalplus/plus/pass@1` and `evalplus/plus/pass@1/low`."""
    files: tuple[str, ...]
    """Absolute paths: the page, the scores, the manifest."""


def told_of(
    summary: RunSummary, manifest: Mapping[str, Any], files: tuple[Path, ...], settings: ReportSettings
) -> Told:
    """What sinks are told of a run."""
    return Told(
        project=settings.project,
        name=settings.name or f"{summary.dataset} {summary.label}",
        config=dict(_flat(manifest)),
        metrics={name: float(value) for name, value in _metrics(summary) if isfinite(value)},
        files=tuple(str(file.resolve()) for file in files),
    )


def _flat(value: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str | int | float | bool]]:
    for key, each in value.items():
        if isinstance(each, Mapping):
            yield from _flat(each, f"{prefix}{key}.")
        elif isinstance(each, str | int | float):
            yield f"{prefix}{key}", each[:_LONGEST_VALUE] if isinstance(each, str) else each
        elif each is not None:
            yield f"{prefix}{key}", json_text.encode(each).decode()[:_LONGEST_VALUE]


def _metrics(summary: RunSummary) -> Iterator[tuple[str, float]]:
    for profile, score in summary.scores.items():
        for suite in summary.suites:
            for k, estimate in score.of(suite).items():
                yield from _with_interval(f"{profile}/{suite}/pass@{k}", estimate)
            for outcome, count in score.outcomes[suite].items():
                yield f"{profile}/{suite}/outcomes/{outcome.value}", count
        for k, estimate in (score.drop if "plus" in summary.suites else {}).items():
            yield from _with_interval(f"{profile}/drop/pass@{k}", estimate)
    yield from ((f"seconds/{stage}", seconds) for stage, seconds in summary.seconds.items())
    for name in ("prompt_tokens", "completion_tokens", "tokens_per_second", "cost"):
        if (value := getattr(summary, name)) is not None:
            yield name, value


def _with_interval(name: str, estimate: Estimate) -> Iterator[tuple[str, float]]:
    yield from ((name, estimate.value), (f"{name}/low", estimate.low), (f"{name}/high", estimate.high))
