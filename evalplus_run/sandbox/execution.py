"""One program that is to be run, and what came of it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

TierName = Literal["namespaces", "lockdown", "seccomp-only", "rlimits", "none"]
"""From the strongest to the weakest."""


class Ending(StrEnum):
    """How a child ended."""

    FINISHED = "finished"
    """All suites were gone through."""
    DIED = "died"
    """It ended before that: a crash, an exit, a signal."""
    TIMEOUT = "timeout"
    """A test, or loading the program, met its limit; killed from outside."""
    FLOOD = "flood"
    """It sent more than a program's values can need; killed from outside."""
    MEMORY = "memory"
    """It had more memory, or wrote more to its scratch folder, than it may; killed from outside."""
    SHORT = "short"
    """It was large when the machine had no memory left; killed from outside, which says nothing of the program."""


LEAVING_SECONDS = 0.1
"""That a program has to come to the next suite. Often it is in a test that comes after the one that failed: a new child
for the next suite costs less than to wait for that."""


@dataclass(frozen=True, slots=True)
class SuiteLimits:
    """What a program may take on one suite, in seconds of its CPU clock, all its threads together.

    Sleeping counts as much.
    """

    tests: Sequence[float]
    """Each test."""
    total: float
    """All tests of the suite together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A program, the inputs that it is run on, and what it may take."""

    program: str
    entry_point: str
    key: str
    """Of the inputs, as they were loaded."""
    limits: Mapping[int, SuiteLimits]
    """By the number of the suite, in the order in which they are run."""
    load_limit: float
    """Seconds for executing the program itself, before each suite."""
    memory: int
    """Bytes that it may really have, and not only reserve."""
    leaving_limit: float = LEAVING_SECONDS
    """Seconds to come from one suite to the next."""
    collect: bool = False
    """Whether iterators that it returns are consumed."""
    max_bytes: int = 64 << 20
    """Of one encoded value."""
    digest_over: int = 64 << 10
    """Bytes of an encoded value from which on its digest is sent in its place."""
    whole: Collection[tuple[int, int]] = ()
    """The tests, (suite, test), whose values are sent in full however long."""

    @property
    def tests(self) -> dict[int, int]:
        """How many tests each suite has."""
        return {number: len(limit.tests) for number, limit in self.limits.items()}


@dataclass(frozen=True, slots=True)
class Execution:
    """How one child went."""

    ending: Ending
    suite: int
    """The number of the suite that was under way at the end."""
    test: int | None
    """The test that was under way at the end; None while the program itself was being executed."""
    status: int
    """The wait status, as `os.waitstatus_to_exitcode` takes it."""
    killed: bool
    """Whether it was alive until it was killed from here."""
    cpu_seconds: float
    """User and system, of the whole child."""
    detail: str = ""
    """Which limit was met."""
    slow_tests: tuple[tuple[int, int, float], ...] = ()
    """(suite, test, CPU seconds) of the tests that took long."""
    suite_cpu_seconds: Mapping[int, float] = field(default_factory=dict)
    """CPU seconds by suite, loading the program included."""
