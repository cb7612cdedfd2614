"""pass@k along k."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evalplus_run.metrics.score import Tally
from evalplus_run.records import SuiteName

_STEPS = (1, 2, 3, 5, 7)
"""In each power of ten, the k at which a curve is drawn."""


def curve(tally: Tally, suites: Sequence[SuiteName]) -> Iterator[tuple[int, list[float]]]:
    """k, then the mean pass@k of each suite, for as many k as every task allows; nothing where that is one."""
    from evalplus_run.metrics.passk import pass_at_k

    fewest = min(filter(None, tally.samples.values()), default=0)
    if fewest < 2:
        return
    counts = [tally.counts(suite, tally.tasks) for suite in suites]
    for k in _along(fewest):
        yield k, [float(pass_at_k(samples, correct, k).mean()) for samples, correct in counts]


def _along(largest: int) -> list[int]:
    powers = [10**exponent for exponent in range(len(str(largest)))]
    return sorted({min(largest, step * power) for power in powers for step in _STEPS})
