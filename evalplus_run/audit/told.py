"""What was found, for people: by kind, and by task."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from evalplus_run.audit.findings import FAULTS, Finding, Kind
from evalplus_run.audit.mutants import Strength
from evalplus_run.evaluate.errata import in_ranges
from evalplus_run.records import SuiteName
from evalplus_run.words import counted

_TESTS_SHOWN = 5
_WEAKEST = 10
"""Tasks that are named."""
_COUNTED_ONLY = (Kind.DUPLICATE, Kind.WEAK)
"""Kinds of which there are too many to be told one by one."""


@dataclass(frozen=True, slots=True)
class Row:
    """What is written of findings that have all but the test in common; a row of errata where they are faults."""

    task_id: str
    suite: SuiteName | None
    tests: tuple[int | tuple[int, int], ...]
    kind: str
    reason: str


def rows(findings: Iterable[Finding]) -> list[Row]:
    """In the order of the first of each."""
    together: dict[tuple[str, str, str, str], list[Finding]] = {}
    for each in findings:
        together.setdefault((each.task_id, each.suite or "", each.kind, each.reason), []).append(each)
    return [
        Row(task_id, some[0].suite, in_ranges(each.test for each in some if each.test is not None), kind, reason)
        for (task_id, _, kind, reason), some in together.items()
    ]


def lines(findings: Sequence[Finding], strengths: Sequence[Strength], tasks: int) -> Iterator[str]:
    """All that is told, the faults first."""
    for kind in Kind:
        if kind not in _COUNTED_ONLY:
            yield from _of_kind(kind, [each for each in findings if each.kind is kind])
    yield from _duplicates([each for each in findings if each.kind is Kind.DUPLICATE])
    yield from _strength(strengths)
    faults = {(each.task_id, each.suite, each.test) for each in findings if each.is_fault}
    of_tasks = len({task_id for task_id, _, _ in faults})
    say = "says" if len(faults) == 1 else "say"
    yield f"{counted(len(faults), 'test')} of {of_tasks} of {counted(tasks, 'task')} {say} nothing of a program."


def _of_kind(kind: Kind, findings: Sequence[Finding]) -> Iterator[str]:
    """All reasons of a fault; of what a person is to judge one for each suite of a task, the strongest first."""
    if findings:
        yield f"{kind}{'' if kind in FAULTS else ' (for a person to judge)'}:"
    together: dict[tuple[str, str, str], list[Finding]] = {}
    for each in sorted(findings, key=lambda each: -each.weight):
        together.setdefault((each.task_id, each.suite or "", each.reason if kind in FAULTS else ""), []).append(each)
    for (task_id, suite, _), some in together.items():
        tests = [each.test for each in some if each.test is not None]
        shown = ", ".join(map(str, tests[:_TESTS_SHOWN])) + ", …" * (len(tests) > _TESTS_SHOWN)
        place = f" {suite}: {counted(len(tests), 'test')} ({shown})" if tests else ""
        others = len({each.reason for each in some}) - 1
        beside = f" (and {counted(others, 'other reason')}, see --findings)" if others else ""
        yield f"  {task_id}{place}: {some[0].reason}{beside}"


def _duplicates(findings: Sequence[Finding]) -> Iterator[str]:
    if findings:
        counts = Counter(each.task_id for each in findings)
        most, number = counts.most_common(1)[0]
        yield (
            f"duplicates: {counted(len(findings), 'test')} of {counted(len(counts), 'task')} have the input of an "
            f"earlier one; most of them {most}: {number:,}"
        )


def _strength(strengths: Sequence[Strength]) -> Iterator[str]:
    if not strengths:
        return
    killed, made = sum(each.killed for each in strengths), sum(each.mutants for each in strengths)
    yield f"mutants: the tests tell {killed:,} of {made:,} from their reference; the others may do the same as it"
    weakest = sorted((each for each in strengths if each.survivors), key=lambda each: each.killed / each.mutants)
    if weakest:
        named = ", ".join(f"{each.task_id} {each.killed} of {each.mutants}" for each in weakest[:_WEAKEST])
        yield f"  fewest: {named}"
