"""A published score beside the run's own: whether the two go together."""

from __future__ import annotations

from collections.abc import Iterator
from math import isnan
from typing import TYPE_CHECKING, Annotated

from msgspec import Meta, Struct

from evalplus_run.records import Estimate, SuiteName

if TYPE_CHECKING:
    from evalplus_run.report.summary import RunSummary

_Percent = Annotated[float, Meta(ge=0, le=100)] | None
_ROUNDED = 0.0005
"""Published scores are rounded to a tenth of a percent."""


class Published(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What was published of a model on one benchmark: pass@1 in percent."""

    source: str
    base: _Percent = None
    plus: _Percent = None

    def of(self, suite: SuiteName) -> float | None:
        """The score on one suite, between 0 and 1."""
        value = self.base if suite == "base" else self.plus
        return None if value is None else value / 100


def is_consistent(estimate: Estimate, published: float) -> bool:
    """Whether a published score (between 0 and 1) lies in the estimate's interval, but for its rounding."""
    return estimate.low - _ROUNDED <= published <= estimate.high + _ROUNDED


def published_lines(summary: RunSummary) -> Iterator[str]:
    """One sentence a suite: the published score, our interval, and whether they go together."""
    from evalplus_run.report.wording import SUITE_TITLES, estimates

    if summary.published is None:
        return
    for suite in summary.suites:
        published, estimate = summary.published.of(suite), estimates(summary.scores["evalplus"], suite).get(1)
        if published is not None and estimate is not None:
            yield f"{SUITE_TITLES[suite]}: {_sentence(published, estimate)} ({summary.published.source})"
    if not summary.comparable:
        yield "This run was not made as published scores are (whole benchmark, EvalPlus's cleaning): take it as a hint."


def _sentence(published: float, estimate: Estimate) -> str:
    told = f"published {100 * published:.1f}"
    if isnan(estimate.value):
        return f"{told}, and no score here to hold against it"
    if is_consistent(estimate, published):
        return f"{told} lies in our interval [{100 * estimate.low:.1f}, {100 * estimate.high:.1f}]: consistent"
    beyond = published - estimate.high if published > estimate.high else estimate.low - published
    side = "above" if published > estimate.high else "below"
    return (
        f"{told} lies {100 * beyond:.1f} points {side} our interval"
        f" [{100 * estimate.low:.1f}, {100 * estimate.high:.1f}]: not consistent"
    )
