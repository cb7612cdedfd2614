"""Tasks that one run solves and another does not: what their numbers tell. Cheap to import."""

from __future__ import annotations

from bisect import bisect_left
from math import comb

LEVEL = 0.05
"""A p-value below it tells two runs apart."""
FEWEST = 6
"""Tasks that can tell two runs apart: all of fewer lie on one side by chance in more than one of twenty cases."""


def mcnemar(losses: int, wins: int) -> float:
    """The two-sided p-value of McNemar's exact test: the sign test on the `losses + wins` tasks that differ."""
    differ = losses + wins
    tail = sum(comb(differ, one) for one in range(min(losses, wins) + 1))
    return min(1.0, float(2 * tail / 2**differ))


def greatest_p(first: int, second: int, tasks: int) -> float:
    """The greatest p-value that McNemar's test can have where one run passes `first` of the tasks and one `second`.

    It is that of as many flips both ways as there can be. The least is that of the difference alone.
    """
    most = min(first + second, 2 * tasks - first - second)
    apart = abs(first - second)
    return mcnemar((most - apart) // 2, (most + apart) // 2)


def fewest_back(apart: int, tasks: int) -> int:
    """How many tasks must have flipped against a difference of so many, for that to be no more than chance.

    More than there are `tasks` where no number of them would do.
    """
    return bisect_left(range(tasks + 1), LEVEL, key=lambda back: mcnemar(back, back + abs(apart)))
