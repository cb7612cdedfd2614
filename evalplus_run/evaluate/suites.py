"""A task made ready for judging: its inputs, the encoded expected values, the limits, the judges."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from evalplus_run.evaluate.errata import Errata
from evalplus_run.evaluate.settings import EvaluateSettings
from evalplus_run.evaluate.stream import ExpectedStream
from evalplus_run.judge import SuiteJudge, collects
from evalplus_run.records import SUITES, Arguments, SuiteName, Task
from evalplus_run.sandbox import SuiteLimits
from evalplus_run.sandbox.guest import protocol

_SUITE_SECONDS = 60.0
"""EvalPlus's cap on all tests of a suite together; here in CPU time, and more where the reference needs it."""
FIRST_SHARE = 0.25
"""Of the time that a program may take, for a first try: nearly all that meet it are endless, and cost a quarter."""


@dataclass(frozen=True, slots=True)
class Expected:
    """What the reference did on one task: for each suite, test by test."""

    values: Mapping[SuiteName, tuple[bytes, ...]]
    """Encoded return values; digests (`protocol.digest_payload`) where they are long."""
    digests: Mapping[SuiteName, frozenset[int]]
    """The tests whose value is a digest."""
    cpu_seconds: Mapping[SuiteName, Mapping[int, float]]
    """Of the tests that took long on this machine; all others took next to nothing."""
    total_cpu_seconds: Mapping[SuiteName, float]


@dataclass(frozen=True)
class Suite:
    """One suite of a task, ready to judge."""

    name: SuiteName
    inputs: Sequence[Arguments]
    expected: tuple[bytes, ...]
    digests: frozenset[int]
    limits: SuiteLimits
    first_limits: SuiteLimits
    """Shorter ones, for a first try: what meets them is tried again, with few neighbours, under `limits`."""
    judge: SuiteJudge

    @cached_property
    def stream(self) -> ExpectedStream:
        """What a program sends that returns all expected values."""
        return ExpectedStream(self.expected, self.digests, self.judge.distrusted(self.expected))


@dataclass(frozen=True, slots=True)
class TaskTests:
    """All of a task that judging needs."""

    task: Task
    key: str
    """A hash of everything that the expected values depend on."""
    suites: tuple[Suite, ...]
    """Base, then plus; a suite without tests is not here."""
    collect: bool
    """Whether iterators are collected into values: only where the oracle compares sets."""
    cost: float
    """CPU seconds of the reference: the long ones are judged first."""
    longest: int
    """Bytes of the longest expected value."""
    expected: Expected
    """What all this was made of."""
    made_again: bool = False
    """Whether what was kept of the reference was broken, so that it was run again."""


def make_ready(
    task: Task,
    key: str,
    expected: Expected,
    settings: EvaluateSettings,
    errata: Errata,
    *,
    made_again: bool = False,
) -> TaskTests:
    """Join a task with what its reference did."""
    suites = [_suite(task, name, expected, settings, errata) for name in SUITES if expected.values.get(name)]
    longest = max((_longest(each.expected, each.digests) for each in suites), default=0)
    cost = sum(expected.total_cpu_seconds.values())
    return TaskTests(task, key, tuple(suites), collects(task), cost, longest, expected, made_again)


def times_matter(expected: Expected, settings: EvaluateSettings) -> bool:
    """Whether the reference is so slow that some limit hangs on how fast a machine is."""
    slowest = max((seconds for tests in expected.cpu_seconds.values() for seconds in tests.values()), default=0.0)
    total = max(expected.total_cpu_seconds.values(), default=0.0)
    factor = settings.time_factor / FIRST_SHARE
    return factor * slowest > settings.min_time_limit or factor * total > max(_SUITE_SECONDS, settings.min_time_limit)


def value_length(value: bytes, is_digest: bool) -> int:
    """Bytes of an encoded value, also of one that is known by its digest."""
    return int(protocol.DIGEST_HEAD.unpack_from(value)[1]) if is_digest else len(value)


def _suite(task: Task, name: SuiteName, expected: Expected, settings: EvaluateSettings, errata: Errata) -> Suite:
    inputs = task.inputs(name)
    judge = SuiteJudge(task, inputs, errata.of(task, name, inputs))
    limits, first_limits = (_limits(name, len(inputs), expected, settings, share) for share in (1.0, FIRST_SHARE))
    return Suite(name, inputs, expected.values[name], expected.digests[name], limits, first_limits, judge)


def _limits(name: SuiteName, tests: int, expected: Expected, settings: EvaluateSettings, share: float) -> SuiteLimits:
    """The limits, or those that have only a share of what any program gets; in proportion to the reference they stay.

    That which the reference takes is no less for a first try, since right programs take as long.
    """
    factor, least = settings.time_factor, settings.min_time_limit * share
    of_tests = [least] * tests
    for test, seconds in expected.cpu_seconds.get(name, {}).items():
        of_tests[test] = max(least, factor * seconds)
    return SuiteLimits(of_tests, max(_SUITE_SECONDS * share, least, factor * expected.total_cpu_seconds.get(name, 0.0)))


def _longest(values: Sequence[bytes], digests: Iterable[int]) -> int:
    return max(max(map(len, values), default=0), *(value_length(values[test], True) for test in digests), 0)
