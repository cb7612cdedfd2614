"""Tests that are wrong themselves, and that the strict profile therefore leaves out.

By default they are the ones whose input contradicts the types that the task's own signature declares: the reference
happens to live with it, and a right program need not. A file can name others in their place, a row of JSON each:
`{"task_id": "HumanEval/29", "suite": "plus", "test": 13, "reason": "…"}`. The headline is not touched.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from evalplus_run.benchmarks.declared import ill_typed
from evalplus_run.records import SUITES, Arguments, SuiteName, Task, UserError


@dataclass(frozen=True, slots=True)
class Erratum:
    """One test that is wrong."""

    task_id: str
    suite: SuiteName
    test: int
    """Its number in the suite, from 0."""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Errata:
    """Which tests are left out."""

    listed: Mapping[tuple[str, SuiteName], frozenset[int]] | None = None
    """By task and suite; None for those that contradict the declared types."""

    def of(self, task: Task, suite: SuiteName, inputs: tuple[Arguments, ...]) -> frozenset[int]:
        """The numbers of the tests of one suite."""
        if self.listed is None:
            return frozenset(test for test, _ in ill_typed(task, inputs))
        return self.listed.get((task.task_id, suite), frozenset())


def read(setting: str) -> Errata:
    """The errata that `evaluate.errata` names; UserError where it is no such file."""
    if setting in ("auto", "none"):
        return Errata(None if setting == "auto" else {})
    path = Path(setting).expanduser()
    listed: dict[tuple[str, SuiteName], set[int]] = {}
    for number, line in _lines(path):
        try:
            row = msgspec.json.decode(line, type=Erratum)
        except (msgspec.DecodeError, RecursionError) as error:
            raise UserError(f"{path}, line {number}: this is no row of errata ({error}).") from error
        listed.setdefault((row.task_id, row.suite), set()).add(row.test)
    return Errata({place: frozenset(tests) for place, tests in listed.items()})


def find(tasks: Iterable[Task]) -> Iterator[Erratum]:
    """All tests of a benchmark whose input contradicts what its task declares."""
    for task in tasks:
        for suite in SUITES:
            inputs = task.base_inputs if suite == "base" else task.plus_inputs
            for test, reason in ill_typed(task, inputs):
                yield Erratum(task.task_id, suite, test, reason)


def _lines(path: Path) -> list[tuple[int, bytes]]:
    """With their numbers, from 1."""
    if not path.is_file():
        raise UserError(f"evaluate.errata={path} is neither auto, none nor a file.")
    return [(i, line) for i, line in enumerate(path.read_bytes().splitlines(), start=1) if line.strip()]
