"""What each test of a task shows: which of the reference's branches it runs, which mutants it kills, what comes out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import TypeVar

from evalplus_run.records import Arguments, Task
from evalplus_run.sandbox.any_worker import AnyWorker
from evalplus_run.testgen.mutants import Mutant, mutants
from evalplus_run.testgen.observer import Observation, Observer
from evalplus_run.testgen.settings import ReduceSettings
from evalplus_run.testgen.values import key, size

T = TypeVar("T")

_ROUND = 100
"""Tests that are run together."""
_TEXT = 60
"""Characters of a value that tell it from others."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What one test shows."""

    outcomes: tuple[int, ...] = ()
    """Of the reference's branches, those that ran."""
    killed: tuple[int, ...] = ()
    """Of the mutants, those that do something else."""
    value: str = ""
    """The beginning of what the reference returns."""
    size: int = 0
    """Of its arguments, as `values.size` counts."""
    steps: int = 0
    """That the reference takes."""
    unknown: str = ""
    """Why it is not known which mutants it kills; empty where that is known."""


@dataclass(frozen=True, slots=True)
class Matrix:
    """All tests of one task."""

    task_id: str
    base: tuple[Shown, ...]
    plus: tuple[Shown, ...]
    mutants: tuple[str, ...]
    """What is changed in each, and in which line of the reference."""
    outcomes: int
    """Of the reference's branches, in all."""

    @property
    def tests(self) -> tuple[Shown, ...]:
        """Base, then plus."""
        return self.base + self.plus


def observed(worker: AnyWorker, task: Task, settings: ReduceSettings, *, memory: int) -> Matrix:
    """Every test with every mutant, as far as `settings.work` goes, quick tests first; `memory` in bytes."""
    rng = Random(f"{settings.seed}/{task.task_id}")  # noqa: S311 - repeatable is what it must be
    chosen = mutants(task.reference, settings.mutants, rng)
    # A benchmark's own tests are its tests, whatever its contract says of them.
    observer = Observer(worker, replace(task, contract=""), memory=memory, steps=settings.steps)
    inputs = [*task.base_inputs, *task.plus_inputs]
    alone = [each for part in _rounds(inputs) for each in observer.observe(part, [])[0]]
    tests = [_shown(arguments, each) for arguments, each in zip(inputs, alone, strict=True)]
    for place, kills in _kills(observer, inputs, alone, chosen, settings.work):
        tests[place] = replace(tests[place], killed=kills, unknown="")
    base = len(task.base_inputs)
    return Matrix(
        task_id=task.task_id,
        base=tuple(tests[:base]),
        plus=tuple(tests[base:]),
        mutants=tuple(f"{each.operator}, line {each.line}" for each in chosen),
        outcomes=observer.outcomes,
    )


def _kills(
    observer: Observer, inputs: Sequence[Arguments], alone: Sequence[Observation], chosen: Sequence[Mutant], work: int
) -> Iterator[tuple[int, tuple[int, ...]]]:
    """(the number of a test, the mutants that it kills)."""
    places = sorted((place for place, each in enumerate(alone) if each.is_input), key=lambda place: alone[place].steps)
    left, live = work, list(range(len(chosen)))
    for part in _rounds(places):
        if left <= 0:
            return
        seen, blocked = observer.observe([inputs[place] for place in part], [chosen[number].source for number in live])
        for place, each in zip(part, seen, strict=True):
            left -= each.cost
            yield place, tuple(sorted(live[number] for number in each.killed))
        live = [number for place, number in enumerate(live) if place not in blocked]


def _rounds(items: Sequence[T]) -> Iterator[Sequence[T]]:
    return (items[start : start + _ROUND] for start in range(0, len(items), _ROUND))


def _shown(arguments: Arguments, observation: Observation) -> Shown:
    return Shown(
        outcomes=observation.outcomes,
        value=key(observation.value)[:_TEXT] if observation.is_input else "",
        size=size(arguments),
        steps=observation.steps,
        unknown="not run" if observation.is_input else observation.ending,
    )
