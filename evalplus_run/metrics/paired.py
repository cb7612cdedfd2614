"""Two runs on the same tasks: how far apart they are, how surely, and what would tell them apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, isnan, sqrt
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evalplus_run.metrics import student
from evalplus_run.metrics.flips import FEWEST, LEVEL, mcnemar
from evalplus_run.metrics.noise import sampling_variance
from evalplus_run.metrics.passk import pass_at_k
from evalplus_run.records import Estimate

MCNEMAR = "exact McNemar"
BOOTSTRAP = "paired bootstrap over tasks"
BONETT_PRICE = "Bonett-Price"

_RESAMPLES = 10_000
_SEED = 1908
_AT_ONCE = 2_000_000
"""Found differences held at a time."""
_POWER = 0.8
_UPPER = 0.975
_DIGITS = 12
"""What differs less is the same, computed in another order."""


class Found(NamedTuple):
    """A difference and how sure it is."""

    estimate: Estimate
    p_value: float
    is_at_most: bool
    """As in `Comparison`."""


class _Counts(NamedTuple):
    samples: NDArray[np.int64]
    correct: NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """The second run against the first, by pass@k on the tasks that both have."""

    tasks: int
    samples: int
    """Of the task with the fewest in either run; 0 without tasks."""
    k: int
    first: float
    second: float
    difference: Estimate
    """Second less first, between -1 and 1."""
    p_value: float
    """Two-sided, of there being no difference on tasks of this kind; NaN without tasks."""
    is_at_most: bool
    """Whether p is only known to be no more than that: of all resamples none crosses zero."""
    test: str
    ahead: tuple[int, int]
    """On how many tasks the first's pass@k is the higher, and the second's."""
    variance: float
    """Of the difference from task to task; NaN for fewer than two tasks."""
    sampling_variance: float
    """What of it one sample a task would add; its share falls as 1 / n. NaN where there are too few to tell."""
    tasks_variance: float
    """What is left of it without any noise of sampling; NaN as above."""

    def tasks_needed(self, level: float = LEVEL) -> int | None:
        """Tasks of this kind, with as many samples each, that would show a true difference as large as the one seen
        in four of five experiments, at this level of p; None where none was seen, or one task tells nothing.

        From the spread of differences over tasks, as a t test of their mean would need: (z + z')^2 (s / d)^2.
        """
        value = self.difference.value
        if isnan(self.variance) or not value:
            return None
        return max(FEWEST, ceil((_reach(level) / value) ** 2 * self.variance))

    def samples_needed(self, level: float = LEVEL) -> int | None:
        """Samples for each of these tasks that would; None where no number would, or there are too few to tell."""
        value = self.difference.value
        if isnan(self.sampling_variance) or not value:
            return None
        room = (value / _reach(level)) ** 2 * self.tasks - self.tasks_variance
        return max(self.k, ceil(self.sampling_variance / room)) if room > 0 else None

    def smallest_shown(self, level: float = LEVEL) -> float:
        """The true difference that these tasks and samples show in four of five experiments; NaN for fewer than two."""
        return _reach(level) * sqrt(self.variance / self.tasks) if self.tasks else float("nan")


def compare(first: tuple[ArrayLike, ArrayLike], second: tuple[ArrayLike, ArrayLike], k: int) -> Comparison:
    """Compare two runs by their (samples, correct) of the same tasks, in the same order.

    With k samples a task in both, so that each task is passed or not: McNemar's test in its exact form (the sign test
    on the tasks where they differ; McNemar 1947) and the interval of Bonett & Price 2012, "Adjusted Wald Confidence
    Interval for a Difference of Binomial Proportions Based on Paired Data". Otherwise the tasks are resampled in
    pairs, see `bootstrap`.
    Raises ValueError where a task has fewer than k samples.
    """
    runs = [_Counts(np.asarray(n, dtype=np.int64), np.asarray(c, dtype=np.int64)) for n, c in (first, second)]
    whole = all((run.samples == k).all() for run in runs)
    values = [pass_at_k(run.samples, run.correct, k) for run in runs]
    difference = np.round(values[1] - values[0], _DIGITS)
    if np.isnan(difference).any():
        raise ValueError(f"a task has fewer than {k} samples")
    losses, wins = int((difference < 0).sum()), int((difference > 0).sum())
    found = _passed_or_not(losses, wins, difference.size) if whole else bootstrap(difference)
    variance, of_one, of_tasks = _variances(difference, runs, k)
    return Comparison(
        tasks=difference.size,
        samples=min((int(n) for run in runs for n in run.samples), default=0),
        k=k,
        first=_mean(values[0]),
        second=_mean(values[1]),
        difference=found.estimate,
        p_value=found.p_value,
        is_at_most=found.is_at_most,
        test=MCNEMAR if whole else BOOTSTRAP,
        ahead=(losses, wins),
        variance=variance,
        sampling_variance=of_one,
        tasks_variance=of_tasks,
    )


def _passed_or_not(losses: int, wins: int, tasks: int) -> Found:
    if tasks == 0:
        return _undefined(BONETT_PRICE)
    z = NormalDist().inv_cdf(_UPPER)
    lost, won = (losses + 1) / (tasks + 2), (wins + 1) / (tasks + 2)
    half = z * sqrt((lost + won - (won - lost) ** 2) / (tasks + 2))
    value = (wins - losses) / tasks
    estimate = _estimate(value, won - lost - half, won - lost + half, BONETT_PRICE)
    return Found(estimate, mcnemar(losses, wins), is_at_most=False)


def bootstrap(differences: ArrayLike) -> Found:
    """The mean of one difference a task, with its interval and p-value, by resampling tasks with a fixed seed.

    Percentiles are widened for few tasks as Hesterberg 2015, "What Teachers Should Know About the Bootstrap", section
    4.2, has it, since a sample's own spread is too small by (T - 1) / T. The p-value is one less the level of the
    widest such interval that leaves zero out, so that the two say the same; one is added to the means on zero's other
    side, so that it is never 0 (Davison & Hinkley 1997, "Bootstrap Methods and their Application", section 4.2), and
    it is not below the chance of all tasks lying on one side. Fewer than 6 tasks know too few others, as do tasks that
    all differ by the same; then up to 3 in T tasks may differ by any amount (the rule of three).
    """
    value = np.asarray(differences, dtype=np.float64)
    if value.size == 0:
        return _undefined(BOOTSTRAP)
    mean = _mean_difference(value)
    by_chance, finest = mcnemar(0, value.size), 2 / (_RESAMPLES + 1)
    if value.size < FEWEST or float(np.ptp(value)) == 0:
        others = min(1.0, 3 / value.size)
        low, high = mean - others * (1 + mean), mean + others * (1 - mean)
        estimate = _estimate(mean, low, high, BOOTSTRAP)
        if low <= 0 <= high:
            return Found(estimate, 1.0, is_at_most=False)
        return Found(estimate, max(by_chance, finest), is_at_most=finest > by_chance)
    means = _resampled_means(value)
    widening = sqrt(value.size / (value.size - 1))
    outside = NormalDist().cdf(-widening * student.quantile(_UPPER, value.size - 1))
    low, high = np.quantile(means, [outside, 1 - outside])
    beyond = min(int((means <= 0).sum()), int((means >= 0).sum()))
    reach = -NormalDist().inv_cdf(min((beyond + 1) / (_RESAMPLES + 1), 0.5)) / widening
    p_value = max(by_chance, finest, 1 - student.within(reach, value.size - 1))
    estimate = _estimate(mean, float(low), float(high), BOOTSTRAP)
    return Found(estimate, p_value, is_at_most=not beyond and p_value > by_chance)


def _resampled_means(value: NDArray[np.float64]) -> NDArray[np.float64]:
    generator = np.random.default_rng(_SEED)
    rows = max(1, _AT_ONCE // value.size)
    sizes = [min(rows, _RESAMPLES - begun) for begun in range(0, _RESAMPLES, rows)]
    # Small integers are several times faster to draw.
    kind = np.min_scalar_type(value.size)
    drawn = (generator.integers(value.size, size=(size, value.size), dtype=kind) for size in sizes)
    return np.concatenate([value.take(places).mean(axis=1) for places in drawn])


def _variances(difference: NDArray[np.float64], runs: Sequence[_Counts], k: int) -> tuple[float, float, float]:
    """As `Comparison` has them: of the difference, by one sample, and of the tasks alone."""
    if difference.size < 2:
        return float("nan"), float("nan"), float("nan")
    whole = float(difference.var(ddof=1))
    variances = [sampling_variance(run.samples, run.correct, k) for run in runs]
    of_one = float(sum((variance * run.samples).mean() for variance, run in zip(variances, runs, strict=True)))
    within = float(sum(variance.mean() for variance in variances))
    return whole, of_one, within if isnan(within) else max(0.0, whole - within)


def _reach(level: float) -> float:
    """By how many standard errors a difference must differ from zero to be seen with that power."""
    return NormalDist().inv_cdf(1 - level / 2) + NormalDist().inv_cdf(_POWER)


def holm(p_values: Sequence[float]) -> list[float]:
    """p-values adjusted for how many comparisons there are, in the same order; NaN stays and does not count.

    Holm 1979, "A Simple Sequentially Rejective Multiple Test Procedure": the chance of any false finding among
    those below 0.05 is at most 0.05, however the comparisons hang together.
    """
    adjusted = list(p_values)
    order = sorted((p, place) for place, p in enumerate(p_values) if not isnan(p))
    largest = 0.0
    for passed, (p, place) in enumerate(order):
        largest = max(largest, min(1.0, p * (len(order) - passed)))
        adjusted[place] = largest
    return adjusted


def holm_level(adjusted: Sequence[float]) -> float:
    """The level that the next finding must reach, given p-values adjusted by `holm`: 0.05 by those not found yet."""
    left = sum(not isnan(p) and p >= LEVEL for p in adjusted)
    return LEVEL / max(1, left)


def _mean(values: NDArray[np.float64]) -> float:
    return float(values.mean()) if values.size else float("nan")


def _mean_difference(values: NDArray[np.float64]) -> float:
    return round(_mean(values), _DIGITS)


def _estimate(value: float, low: float, high: float, method: str) -> Estimate:
    return Estimate(value, max(-1.0, min(low, value)), min(1.0, max(high, value)), method)


def _undefined(method: str) -> Found:
    return Found(Estimate(float("nan"), float("nan"), float("nan"), method), float("nan"), is_at_most=False)
