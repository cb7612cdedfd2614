"""Tests that are wrong themselves, and that the strict profile therefore leaves out.

By default they are the ones whose input contradicts the types that the task's own signature declares: the reference
happens to live with it, and a right program need not. A file can name others in their place, a row of JSON each:
`{"task_id": "HumanEval/29", "suite": "plus", "test": 13, "reason": "…"}`. The headline is not touched.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from evalplus_run import json_text
from evalplus_run.benchmarks.declared import contradiction, ill_typed
from evalplus_run.files import read_whole, user_path
from evalplus_run.records import SUITES, Arguments, SuiteName, Task, UserError


@dataclass(frozen=True, slots=True)
class Erratum:
    """One test that is wrong."""

    task_id: str
    suite: SuiteName
    test: int
    """Its number in the suite, from 0."""
    reason: str = ""


_ROW = msgspec.json.Decoder(Erratum)


@dataclass(frozen=True)
class Errata:
    """Which tests are left out."""

    listed: Mapping[tuple[str, SuiteName], frozenset[int]] | None = None
    """By task and suite; None for those that contradict the declared types."""

    def of(self, task: Task, suite: SuiteName, inputs: Sequence[Arguments]) -> Container[int]:
        """The numbers of the tests of one suite."""
        if self.listed is None:
            return _IllTyped(task, inputs)
        return self.listed.get((task.task_id, suite), frozenset())

    @functools.cached_property
    def key(self) -> str:
        """A hash of what they say; of the types, it is the task itself that says it."""
        if self.listed is None:
            return "declared types"
        rows = sorted((task_id, suite, sorted(tests)) for (task_id, suite), tests in self.listed.items())
        return hashlib.sha256(repr(rows).encode("utf-8", "surrogatepass")).hexdigest()


class _IllTyped:
    """Looked at only where a program fails: there are many inputs."""

    def __init__(self, task: Task, inputs: Sequence[Arguments]) -> None:
        self._task = task
        self._inputs = inputs

    def __contains__(self, test: object) -> bool:
        """Whether the input of that number contradicts what is declared."""
        return isinstance(test, int) and bool(self._why(self._inputs[test]))

    @functools.cached_property
    def _why(self) -> Callable[[Arguments], str]:
        return contradiction(self._task)


def read(setting: str) -> Errata:
    """The errata that `evaluate.errata` names; UserError where it is no such file."""
    if setting in ("auto", "none"):
        return Errata(None if setting == "auto" else {})
    path = user_path(setting)
    listed: dict[tuple[str, SuiteName], set[int]] = {}
    for number, line in _lines(path):
        try:
            row = json_text.decode_as(line, _ROW)
        except ValueError as error:
            raise UserError(f"{path}, line {number}: this is no row of errata ({error}).") from error
        listed.setdefault((row.task_id, row.suite), set()).add(row.test)
    return Errata({place: frozenset(tests) for place, tests in listed.items()})


def find(tasks: Iterable[Task]) -> Iterator[Erratum]:
    """All tests of a benchmark whose input contradicts what its task declares."""
    for task in tasks:
        for suite in SUITES:
            for test, reason in ill_typed(task, task.inputs(suite)):
                yield Erratum(task.task_id, suite, test, reason)


def _lines(path: Path) -> list[tuple[int, bytes]]:
    """With their numbers, from 1."""
    if not path.is_file():
        raise UserError(f"evaluate.errata={path} is neither auto, none nor a file.")
    return [(i, line) for i, line in enumerate(read_whole(path).splitlines(), start=1) if line.strip()]
