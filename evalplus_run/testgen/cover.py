"""The smallest set of tests that kills all that the whole suite kills: greedy, then exact where that is quick."""

from __future__ import annotations

import functools
import importlib.util
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

_NODES = 2_000
"""Of branch and bound: a number of nodes, and no time, gives the same set on every machine."""
_LARGEST = 200_000
"""Tests times targets that are looked at exactly."""


@dataclass(frozen=True, slots=True)
class Cover:
    """Tests that are kept."""

    tests: tuple[int, ...]
    """In the order in which they are best run: the one that kills most goes first."""
    least: int
    """No set that kills as much has fewer."""

    @property
    def is_smallest(self) -> bool:
        """Whether it is known that there is no smaller one."""
        return len(self.tests) == self.least


def cover(kills: Sequence[frozenset[int]], costs: Sequence[float]) -> Cover:
    """The tests that together kill every target that any does; `kills` and `costs` are by test.

    Among sets of one size those that cost less are preferred.
    """
    tests_of = _targets(kills)
    greedy = _greedy(kills, costs, set(tests_of))
    # Of targets that the same tests kill one is enough, and so is one whose tests are among those of another.
    sets = sorted({frozenset(tests) for tests in tests_of.values()}, key=lambda tests: (len(tests), sorted(tests)))
    needed: list[frozenset[int]] = []
    for tests in sets:
        if not any(other <= tests for other in needed):
            needed.append(tests)
    chosen, least = _exact(needed, costs, len(kills)) if len(needed) * len(kills) <= _LARGEST else ((), 0)
    best = chosen if chosen and len(chosen) <= len(greedy) else greedy
    return Cover(_ordered(best, kills), max(least, _disjoint(needed)))


@functools.cache
def is_exact_here() -> bool:
    """Whether SciPy is installed; without it choice is greedy alone."""
    return importlib.util.find_spec("scipy") is not None


def _targets(kills: Sequence[frozenset[int]]) -> Mapping[int, set[int]]:
    """The tests that kill each target."""
    tests_of: dict[int, set[int]] = {}
    for test, targets in enumerate(kills):
        for target in targets:
            tests_of.setdefault(target, set()).add(test)
    return tests_of


def _greedy(kills: Sequence[frozenset[int]], costs: Sequence[float], left: set[int]) -> list[int]:
    chosen: list[int] = []
    while left:
        best = min(range(len(kills)), key=lambda test: (-len(kills[test] & left), costs[test], test))
        chosen.append(best)
        left -= kills[best]
    # What came early may be done without by now.
    for test in list(chosen):
        others = frozenset().union(*(kills[other] for other in chosen if other != test))
        if kills[test] <= others:
            chosen.remove(test)
    return chosen


def _exact(needed: Sequence[frozenset[int]], costs: Sequence[float], tests: int) -> tuple[list[int], int]:
    """The smallest set, empty where it was not found soon, and a bound on its size."""
    if not needed or not is_exact_here():
        return [], 0
    import numpy
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import lil_matrix

    rows = lil_matrix((len(needed), tests))
    for number, killers in enumerate(needed):
        for test in killers:
            rows[number, test] = 1
    # All costs together weigh less than one test.
    total = sum(costs) or 1.0
    weights = numpy.array([1 + cost / total / 2 for cost in costs])
    done = milp(
        weights,
        constraints=LinearConstraint(rows.tocsr(), lb=1),
        integrality=numpy.ones(tests),
        bounds=Bounds(0, 1),
        options={"node_limit": _NODES},
    )
    bound = done.mip_dual_bound if done.mip_dual_bound is not None else 0.0
    # A set of k tests weighs between k and k + 1/2.
    least = max(0, int(numpy.ceil(bound - 0.5 - 1e-6)))
    if done.x is None:
        return [], least
    return [test for test in range(tests) if done.x[test] > 0.5], least


def _disjoint(needed: Sequence[frozenset[int]]) -> int:
    """Targets of which no two are killed by one test: each needs a test of its own."""
    used: set[int] = set()
    count = 0
    for tests in sorted(needed, key=lambda tests: (len(tests), sorted(tests))):
        if not tests & used:
            used |= tests
            count += 1
    return count


def _ordered(tests: Sequence[int], kills: Sequence[frozenset[int]]) -> tuple[int, ...]:
    left, rest = frozenset().union(*(kills[test] for test in tests)), list(tests)
    ordered: list[int] = []
    while rest:
        best = min(rest, key=lambda test: (-len(kills[test] & left), test))
        ordered.append(best)
        rest.remove(best)
        left -= kills[best]
    return tuple(ordered)
