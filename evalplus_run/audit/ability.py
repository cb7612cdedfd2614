"""Tasks whose verdicts go against ability: models that do well on all others fail them, and the weak ones pass.

The discrimination of an item is the correlation of its scores with those on the rest of the test (Lord & Novick 1968,
"Statistical Theories of Mental Test Scores", ch. 15). How often chance alone gives one as low is told by permuting the
task's scores among the models; since every task is a try, Benjamini and Hochberg's procedure bounds the share of
findings that are none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import factorial

import numpy as np
from numpy.typing import NDArray

from evalplus_run.audit.findings import Finding, Kind

FALSE_FINDINGS = 0.05
"""Of all findings, at most on average."""
_MOST_WAYS = 20_000
"""Ways to deal out a task's scores that are all tried; of more, so many are drawn."""
_FEWEST_MODELS = 3

Scores = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Discrimination:
    """How one task's scores go with the models' scores on the other tasks."""

    task_id: str
    correlation: float
    """Between -1 and 1."""
    p_value: float
    """One-sided: that chance alone gives a correlation as low; 1 where it is not negative."""
    least_p_value: float
    """The lowest that these models could give, whatever their scores on other tasks."""


def discriminations(scores: Mapping[str, Sequence[float]]) -> list[Discrimination]:
    """`scores` are by task: each model's share of samples that pass, in one order of models.

    Tasks that all models do equally well on say nothing and are left out.
    """
    table = np.array(list(scores.values()), dtype=float)
    if table.size == 0 or table.shape[1] < _FEWEST_MODELS:
        return []
    total, rng = table.sum(axis=0), np.random.default_rng(0)
    found = []
    for task_id, row in zip(scores, table, strict=True):
        rest = (total - row) / max(len(table) - 1, 1)
        if np.ptp(row) > 0 and np.ptp(rest) > 0:
            found.append(_discrimination(task_id, row, rest, rng))
    return found


def against_ability(found: Sequence[Discrimination]) -> list[Finding]:
    """The tasks of which it can be said, among all that were looked at."""
    ordered = sorted(found, key=lambda each: each.p_value)
    few = [i for i, each in enumerate(ordered, start=1) if each.p_value <= FALSE_FINDINGS * i / len(ordered)]
    return [
        Finding(
            Kind.AGAINST_ABILITY,
            each.task_id,
            f"correlation with the score on all other tasks {each.correlation:+.2f} (p = {each.p_value:.2g})",
            weight=-each.correlation,
        )
        for each in ordered[: max(few, default=0)]
    ]


def can_tell(found: Sequence[Discrimination]) -> bool:
    """Whether there are enough models for any one task to stand out among all."""
    return any(each.least_p_value <= FALSE_FINDINGS / len(found) for each in found)


def _discrimination(task_id: str, row: Scores, rest: Scores, rng: np.random.Generator) -> Discrimination:
    centred = rest - rest.mean()
    observed = float(row @ centred)
    correlation = observed / float(np.linalg.norm(row - row.mean()) * np.linalg.norm(centred))
    ways = _ways(row)
    least = 1 / ways if ways <= _MOST_WAYS else 1 / (_MOST_WAYS + 1)
    if correlation >= 0:
        return Discrimination(task_id, correlation, 1.0, least)  # far from low: not worth the work
    dealt = _all_ways(row) if ways <= _MOST_WAYS else rng.permuted(np.tile(row, (_MOST_WAYS, 1)), axis=1)
    as_low = int(np.count_nonzero(dealt @ centred <= observed + 1e-12))
    # The observed way is one more beside those that are drawn, so that no p-value is 0.
    p_value = as_low / ways if ways <= _MOST_WAYS else (as_low + 1) / (_MOST_WAYS + 1)
    return Discrimination(task_id, correlation, p_value, least)


def _ways(row: Scores) -> int:
    """In which the task's scores may fall to the models."""
    ways = factorial(len(row))
    for count in np.unique(row, return_counts=True)[1]:
        ways //= factorial(int(count))
    return ways


def _all_ways(row: Scores) -> Scores:
    """A row for each."""
    scores = Counter(row.tolist())

    def dealt(left: int) -> Iterator[list[float]]:
        if not left:
            yield []
            return
        for score in list(scores):
            if scores[score]:
                scores[score] -= 1
                yield from ([score, *others] for others in dealt(left - 1))
                scores[score] += 1

    return np.array(list(dealt(len(row))))
