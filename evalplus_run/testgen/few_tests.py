"""Few tests that keep the strength of many, also against programs that were not there when they were chosen.

A test that covers a target (a mutant, a wrong program, an outcome of a branch, a feature of inputs) shows with some
chance what is wrong with programs that are like it; each further test that covers the same target adds less. Tests are
taken in the order of what they add, and a budget is shared between tasks by the same measure.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from evalplus_run.records import Arguments
from evalplus_run.testgen.cover import Cover, cover
from evalplus_run.testgen.features import features
from evalplus_run.testgen.matrix import Matrix

_MUTANT, _OUTCOME, _FEATURE, _EXTREME, _PROGRAM = 0.1, 0.02, 0.05, 0.5, 1.0
"""How much targets weigh: a real wrong program as much as ten mutants."""
_CHANCE, _PROGRAMS_CHANCE = 0.5, 0.7
_VALUE = 8
"""Characters of what the reference returns that make a feature."""


@dataclass(frozen=True, slots=True)
class Target:
    """Something that tests are to cover."""

    tests: frozenset[int]
    """Those that do."""
    weight: float
    chance: float
    """With which one of them is enough."""


def targets(
    matrix: Matrix, inputs: Sequence[Arguments], programs: Iterable[Collection[int]], usable: Collection[int]
) -> list[Target]:
    """Of one task; `inputs` base first, `programs` by the tests that each fails, `usable` what tests may be taken."""
    tests = matrix.tests
    mutants: dict[Hashable, set[int]] = {}
    outcomes: dict[Hashable, set[int]] = {}
    notable: dict[Hashable, set[int]] = {}
    for place in usable:
        shown = tests[place]
        also = (("outcomes", shown.outcomes), ("value", shown.value[:_VALUE]))
        here = ((mutants, shown.killed), (outcomes, shown.outcomes), (notable, {*features(inputs[place]), *also}))
        for covered, names in here:
            for name in names:
                covered.setdefault(name, set()).add(place)
    found = []
    for weight, covered in ((_MUTANT, mutants), (_OUTCOME, outcomes), (_FEATURE, notable)):
        # Of what the same tests cover, each further one counts for less.
        alike = Counter(frozenset(places) for places in covered.values())
        found += [Target(places, weight * count**0.5, _CHANCE) for places, count in alike.items()]
    for costs in ([each.steps for each in tests], [each.size for each in tests]):
        found += [Target(frozenset({max(usable, key=costs.__getitem__)}), _EXTREME, 1.0)] if usable else []
    unknown = frozenset(place for place in usable if tests[place].unknown)
    found += [Target(unknown, _EXTREME, 1.0)] if unknown else []
    failed = (frozenset(failed) & frozenset(usable) for failed in programs)
    return found + [Target(places, _PROGRAM, _PROGRAMS_CHANCE) for places in failed if places]


def ranked(wanted: Sequence[Target], taken: Iterable[int], most: int) -> list[tuple[float, int]]:
    """Up to `most` (what it adds, test) beside those that are taken already; each adds no more than the one before."""
    of_test: dict[int, list[int]] = {}
    for number, target in enumerate(wanted):
        for test in target.tests:
            of_test.setdefault(test, []).append(number)
    left = [target.weight for target in wanted]

    def gain(test: int) -> float:
        return sum(left[number] * wanted[number].chance for number in of_test[test])

    def take(test: int) -> None:
        for number in of_test.pop(test, ()):
            left[number] *= 1 - wanted[number].chance

    for test in taken:
        take(test)
    queue = [(-gain(test), test) for test in of_test]
    heapq.heapify(queue)
    order: list[tuple[float, int]] = []
    while queue and len(order) < most:
        test = heapq.heappop(queue)[1]
        now = gain(test)
        # What it adds can only have become less since it was queued.
        if queue and now < -queue[0][0]:
            heapq.heappush(queue, (-now, test))
        elif now <= 0:
            break
        else:
            order.append((now, test))
            take(test)
    return order


def shared(by_task: Mapping[str, Sequence[tuple[float, int]]], budget: int) -> dict[str, list[int]]:
    """So many tests for all tasks together, where they add most."""
    best = sorted(
        (-gain, task_id, place) for task_id, order in by_task.items() for place, (gain, _) in enumerate(order)
    )
    chosen: dict[str, list[int]] = {task_id: [] for task_id in by_task}
    for _, task_id, place in sorted(best[: max(0, budget)], key=lambda each: each[2]):
        chosen[task_id].append(by_task[task_id][place][1])
    return chosen


def smallest(
    matrix: Matrix, programs: Iterable[Collection[int]], usable: Sequence[int], taken: Collection[int]
) -> Cover:
    """The fewest further tests that kill and reach all that the usable tests and those taken do; numbers as there."""
    everything: dict[int, set[Hashable]] = {
        place: {*(("mutant", each) for each in matrix.tests[place].killed)}
        | {("outcome", each) for each in matrix.tests[place].outcomes}
        for place in (*usable, *taken)
    }
    for number, failed in enumerate(programs):
        for place in failed:
            if place in everything:
                everything[place].add(("program", number))
    have = set[Hashable]().union(*(everything[place] for place in taken))
    numbers = {name: number for number, name in enumerate(sorted(set().union(*everything.values()) - have, key=repr))}
    rest = [place for place in usable if place not in taken]
    kills = [frozenset(numbers[name] for name in everything[place] - have) for place in rest]
    found = cover(kills, [float(matrix.tests[place].size) for place in rest])
    return Cover(tuple(rest[test] for test in found.tests), found.least)
