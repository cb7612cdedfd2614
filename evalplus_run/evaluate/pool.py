"""What judges the programs of a run, wherever that is: one file for each, behind two small Protocols."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager
from typing import Any, Protocol, Self

from evalplus_run.evaluate.cache import VerdictCache
from evalplus_run.evaluate.judging import NOT_FINAL, Rules, outcomes
from evalplus_run.evaluate.suites import TaskTests
from evalplus_run.records import Program, Task, Verdict
from evalplus_run.sandbox import TierName


class Pool(Protocol):
    """Judges programs under the rules of one run, many at once; used from any thread."""

    @property
    def workers(self) -> int:
        """Programs that can run at once, at this moment."""

    def give_way(self, gives: bool) -> None:
        """Whether programs that begin from now on run only when nothing else wants the cores."""

    def prepare(self, tasks: Iterable[Task]) -> list[Future[TaskTests]]:
        """The tasks ready for judging, in their order; RunFailed where a reference fails."""

    def submit(self, tests: TaskTests, program: Program) -> Future[Verdict]:
        """Judge one program; what `needs_another_try` is not final yet, see `again`.

        Programs whose syntax trees are equal are run once.
        """

    def again(self, tests: TaskTests, program: Program, first: Verdict, *, alone: bool = False) -> Future[Verdict]:
        """Judge once more what is not final in a `first` verdict, with few neighbours; for when all others are done.

        `alone` is for what the machine had no room for: without any neighbour.
        """


class Executor(Protocol):
    """Where programs are judged: found, and its isolation tried out, before a run begins. A context manager."""

    @property
    def tier(self) -> TierName:
        """In which all programs run."""

    @property
    def memory(self) -> int:
        """Bytes that one program may have."""

    @property
    def warnings(self) -> tuple[str, ...]:
        """What makes the results less than they seem, as far as is known by now."""

    @property
    def nodes(self) -> Sequence[Mapping[str, Any]]:
        """What the manifest tells of the machines that judge; empty where it is this one."""

    def __enter__(self) -> Self:
        """Itself, once it is known what it can do."""

    def __exit__(self, *error: object) -> None:
        """Let go of what it held."""

    def pool(self, rules: Rules, cache: VerdictCache | None) -> AbstractContextManager[Pool]:
        """Workers under these rules; verdicts that another machine would give too are looked for in the cache."""


def needs_another_try(verdict: Verdict) -> bool:
    """Whether it says something that is final only when it is met again with few neighbours."""
    return bool(outcomes(verdict) & NOT_FINAL)


def wants_to_be_alone(verdict: Verdict) -> bool:
    """Whether the machine had no room for it."""
    return verdict.evalplus.is_host_fault or verdict.strict.is_host_fault


def longest_first(tests: Sequence[TaskTests]) -> list[TaskTests]:
    """The order in which a set known beforehand is judged fastest."""
    return sorted(tests, key=lambda each: -each.cost)
