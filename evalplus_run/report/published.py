"""A score that others have published of a model, beside ours on the same tasks."""

from __future__ import annotations

from dataclasses import dataclass
from math import floor, isnan
from statistics import NormalDist
from typing import TYPE_CHECKING, Annotated

from msgspec import Meta, Struct

from evalplus_run.metrics.flips import FEWEST, LEVEL, greatest_p
from evalplus_run.records import Estimate, SuiteName
from evalplus_run.words import counted

if TYPE_CHECKING:
    from evalplus_run.report.summary import RunSummary

_Percent = Annotated[float, Meta(ge=0, le=100)] | None


class Published(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What was published of a model on one benchmark: pass@1 in percent. Raises ValueError for shares of 1."""

    source: str
    base: _Percent = None
    plus: _Percent = None
    version: str = ""
    """The benchmark's; empty where it is not told."""
    temperature: Annotated[float, Meta(ge=0)] | None = None
    """0 is greedy; None where it is not told."""

    def __post_init__(self) -> None:
        """Refuse shares: taken as percent, they would be far from any score."""
        largest = max(self.base or 0, self.plus or 0)
        if 0 < largest <= 1:
            raise ValueError(f"pass@1 is given in percent: {100 * largest:g} in the place of {largest:g}")

    def of(self, suite: SuiteName) -> float | None:
        """The score on one suite, between 0 and 1."""
        value = self.base if suite == "base" else self.plus
        return None if value is None else value / 100


@dataclass(frozen=True, slots=True)
class Beside:
    """A published score and ours, both of all tasks of the benchmark."""

    apart: int
    """By how many tasks the published one is above ours; negative where it is below."""
    within: int
    """How many tasks either way chance may part them."""
    is_consistent: bool | None
    """None where the two scores alone cannot tell, but only which tasks flipped between them."""


def beside(published: float, estimate: Estimate, tasks: int) -> Beside | None:
    """Set a published score, between 0 and 1, beside ours of the same tasks; None where ours is not a number.

    An interval over tasks is no yardstick here: it tells how another set of tasks may turn out. Of the same tasks at
    least as many flipped as the scores are apart. Were these all, McNemar's test would find five no more than chance:
    so near is consistent, as is what lies in the 95% interval of our sampling error. Not consistent is what the test
    finds however many flipped both ways.
    """
    if isnan(estimate.value):
        return None
    apart = round((published - estimate.value) * tasks)
    error = NormalDist().inv_cdf(1 - LEVEL / 2) * (estimate.sampling_error or 0.0)
    within = max(FEWEST - 1, floor(error * tasks))
    ours = round(estimate.value * tasks)
    is_found = greatest_p(ours, ours + apart, tasks) < LEVEL
    return Beside(apart, within, True if abs(apart) <= within else False if is_found else None)


def unlike(summary: RunSummary) -> list[str]:
    """Why the run's scores are not held against those published: what is known to set them apart beside chance."""
    published, score = summary.published, summary.scores["evalplus"]
    own = summary.version if summary.variant == "full" else f"{summary.version} ({summary.variant})"
    found = []
    if score.tasks < score.tasks_in_dataset:
        found.append(f"ours is of {score.tasks:,} of {counted(score.tasks_in_dataset, 'task')}")
    if published and published.version not in ("", own):
        found.append(f"it is on version {published.version} and this run on {own}")
    if published and None not in (published.temperature, summary.temperature):
        theirs, ours = f"{published.temperature:g}", f"{summary.temperature:g}"
        found += [] if theirs == ours else [f"it was drawn at temperature {theirs} and this run at {ours}"]
    return found


def consistency(summary: RunSummary) -> dict[SuiteName, bool | None]:
    """Of each suite with a published score and one of ours whether they go together; None where that is not told."""
    score, reasons = summary.scores["evalplus"], unlike(summary)
    found: dict[SuiteName, bool | None] = {}
    for suite in summary.suites:
        published = summary.published.of(suite) if summary.published else None
        estimate = score.of(suite).get(1)
        pair = None if published is None or estimate is None else beside(published, estimate, score.tasks)
        if pair:
            found[suite] = None if reasons else pair.is_consistent
    return found
