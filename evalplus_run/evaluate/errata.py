"""Tests that are wrong themselves, and that the strict profile therefore leaves out.

By default they are those that `audit` found in an official release, which are shipped; of other benchmarks, the tests
whose input contradicts the types that the task's own signature declares: the reference happens to live with it, and a
right program need not. A file can name others in their place, a row of JSON for each reason:
`{"task_id": "HumanEval/29", "suite": "plus", "tests": [13, [15, 20]], "kind": "ill-typed", "reason": "…"}`, or with
`"test": 13` for one. The headline is not touched.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from evalplus_run import json_text
from evalplus_run.benchmarks.declared import contradiction
from evalplus_run.benchmarks.registry import errata_file, identify
from evalplus_run.files import read_whole, user_path
from evalplus_run.records import Arguments, SuiteName, Task, UserError

_MOST = 10_000_000
"""Above the number of any test."""


@dataclass(frozen=True, slots=True)
class Erratum:
    """Tests of one suite that are wrong for one reason, by their numbers from 0."""

    task_id: str
    suite: SuiteName
    tests: tuple[int | tuple[int, int], ...] = ()
    """Numbers, and ranges from the first to the last of them."""
    test: int | None = None
    """One alone."""
    kind: str = ""
    reason: str = ""

    def __post_init__(self) -> None:
        ends = [number for each in self.tests for number in (each if isinstance(each, tuple) else (each,))]
        if any(not 0 <= number < _MOST for number in (*ends, self.test or 0)):
            raise ValueError("a test's number is below 0 or beyond all tests")

    def numbers(self) -> set[int]:
        """Of all its tests."""
        ranges = [range(each[0], each[1] + 1) if isinstance(each, tuple) else (each,) for each in self.tests]
        return set[int]().union([] if self.test is None else [self.test], *ranges)


def in_ranges(numbers: Iterable[int]) -> tuple[int | tuple[int, int], ...]:
    """The numbers in ascending order, those that follow each other as a range."""
    found: list[tuple[int, int]] = []
    for number in sorted(set(numbers)):
        if found and found[-1][1] == number - 1:
            found[-1] = (found[-1][0], number)
        else:
            found.append((number, number))
    return tuple(first if first == last else (first, last) for first, last in found)


_ROW = msgspec.json.Decoder(Erratum)


@dataclass(frozen=True)
class Errata:
    """Which tests are left out."""

    listed: Mapping[tuple[str, SuiteName], frozenset[int]] | None = None
    """By task and suite; None for those that contradict the declared types."""
    source: str = "those whose input contradicts the declared types"
    """Where they come from, for people."""

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

    @property
    def told(self) -> str:
        """In a few words: how many, and where they come from."""
        if self.listed is None:
            return self.source
        return f"{sum(map(len, self.listed.values())):,}, {self.source}" if self.listed else "none"


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


def read(setting: str, sha256: str = "") -> Errata:
    """The errata that `evaluate.errata` names, of a benchmark with this content; UserError where it is no such file."""
    if setting == "none":
        return Errata({})
    if setting != "auto":
        path = user_path(setting)
        if not path.is_file():
            raise UserError(f"evaluate.errata={path} is neither auto, none nor a file.")
        return _listed(path, f"from {path}")
    release = identify(sha256)
    file = errata_file(release) if release else None
    return _listed(file, f"as shipped for {release}") if file else Errata()


def _listed(path: Path, source: str) -> Errata:
    listed: dict[tuple[str, SuiteName], set[int]] = {}
    for number, line in enumerate(read_whole(path).splitlines(), start=1):
        if not line.strip():
            continue
        try:
            row = json_text.decode_as(line, _ROW)
        except ValueError as error:
            raise UserError(f"{path}, line {number}: this is no row of errata ({error}).") from error
        listed.setdefault((row.task_id, row.suite), set()).update(row.numbers())
    return Errata({place: frozenset(tests) for place, tests in listed.items() if tests}, source)
