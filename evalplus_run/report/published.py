"""A score that others have published of a model."""

from __future__ import annotations

from collections.abc import Iterable
from math import isnan
from typing import Annotated

from msgspec import Meta, Struct

from evalplus_run.records import Estimate, Score, SuiteName

_Percent = Annotated[float, Meta(ge=0, le=100)] | None
_ROUNDED = 0.0005
"""Published scores are rounded to a tenth of a percent."""


class Published(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What was published of a model on one benchmark: pass@1 in percent."""

    source: str
    base: _Percent = None
    plus: _Percent = None
    version: str = ""
    """The benchmark's; empty where it is not told."""

    def of(self, suite: SuiteName) -> float | None:
        """The score on one suite, between 0 and 1."""
        value = self.base if suite == "base" else self.plus
        return None if value is None else value / 100

    def consistency(self, score: Score, suites: Iterable[SuiteName]) -> dict[SuiteName, bool]:
        """Of each suite with a published score whether it goes together with ours, where there is one."""
        pairs = [(suite, self.of(suite), score.of(suite).get(1)) for suite in suites]
        return {
            suite: is_consistent(estimate, published)
            for suite, published, estimate in pairs
            if published is not None and estimate is not None and not isnan(estimate.value)
        }


def is_consistent(estimate: Estimate, published: float) -> bool:
    """Whether a published score (between 0 and 1) lies in the estimate's interval, but for its rounding."""
    return estimate.low - _ROUNDED <= published <= estimate.high + _ROUNDED
