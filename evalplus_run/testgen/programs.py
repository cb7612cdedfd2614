"""Programs under test beside the search: which inputs tell them from the reference, and from each other.

Each program runs in children of its own, where neither the reference nor another program is: it can say nothing but
what it returns itself. What that is worth the judge says, by the strict profile.

Programs that agreed on all inputs so far are one class. An input is news where it splits one; with so many programs
that is so many times at most, whatever a program does.
"""

from __future__ import annotations

import ast
import hashlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from evalplus_run.judge import SuiteJudge
from evalplus_run.parsing import syntax_tree
from evalplus_run.records import Arguments, Task
from evalplus_run.sandbox import Ending, Job, SuiteLimits
from evalplus_run.sandbox.any_worker import AnyWorker
from evalplus_run.sandbox.guest import protocol
from evalplus_run.testgen.branches import instrumented
from evalplus_run.testgen.observer import guest

_ENTRY = "tried"
_LOOKED_AT = 10
"""Programs that are tried on the task's own inputs, for each one that may run."""
_FAILURES = 3
"""Inputs on which a program ends its child or is too slow; then it is not run any more."""
_STEPS = 5
"""Times those that the reference may take on one input: it is not wrong to be slower."""
_STEPS_TOGETHER = 100
"""Times the same, on all inputs that are run together."""
_STUBBORN = 1500
"""Inputs after which no program is run any more: those that none has told apart are likely alike."""
_LARGEST_VALUE = 64 << 10
"""Bytes of an encoded value; inputs for which a reference returns more than half of that are no tests."""
_TIMES_AS_LONG, _LONGER = 4, 4096
"""A value of so many times the bytes of the reference's, and so many more, is kept by its hash alone."""
_SECONDS = 1.0
"""CPU time of one input: far more than the steps take, for what blocks within one step."""
_ALL_SECONDS = 30.0
"""Of all inputs that are run together."""
_LOAD_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class UnderTest:
    """A program of the samples."""

    name: str
    """The samples' name and the program's number among those of its task."""
    source: str


@dataclass(frozen=True, slots=True)
class Told:
    """What became of a task's programs."""

    programs: int
    """Different ones that were given."""
    left_out: Mapping[str, int]
    """How many of them guided nothing, by reason."""
    stopped: int
    """Of the others, those that ended their child, or were too slow, too often to be run to the end."""
    wrong: int
    """Those that the inputs tell from the reference."""
    classes: int
    """Groups that the inputs tell from each other, the reference in one of them."""


_Sent = tuple[int, bytes]
"""What a program did with an input: the kind of a frame, and its payload."""
_ENDED: _Sent = (-1, b"")
_SLOW: _Sent = (protocol.RAISED, b"_Exhausted")
"""That says nothing of what it would have returned."""
_FAILED = (_ENDED, _SLOW)


@dataclass
class _Runner:
    """One program that takes part."""

    name: str
    text: str
    """Instrumented."""
    group: int = 0
    """Its class; that of 0 is the reference's."""
    failures: int = 0

    @property
    def is_stopped(self) -> bool:
        return self.failures >= _FAILURES


@dataclass
class _Values:
    """What was sent on one input, told apart as the judge does."""

    is_same: Callable[[bytes, bytes], bool]
    """(a value, the expected one), both encoded."""
    sent: list[_Sent]
    """One of each kind; the reference's comes first."""
    known: dict[_Sent, int] = field(default_factory=dict)

    def of(self, sent: _Sent) -> int:
        """The number of its kind: 0 for what the reference sent."""
        if sent not in self.known:
            self.known[sent] = next((n for n, other in enumerate(self.sent) if self._equal(sent, other)), -1)
            if self.known[sent] < 0:
                self.known[sent] = len(self.sent)
                self.sent.append(sent)
        return self.known[sent]

    def _equal(self, sent: _Sent, other: _Sent) -> bool:
        are_values = sent[0] == other[0] == protocol.VALUE
        return sent == other or (are_values and self.is_same(sent[1], other[1]))


class Panel:
    """Runs one task's programs in a worker of the sandbox."""

    def __init__(
        self,
        worker: AnyWorker,
        task: Task,
        programs: Sequence[UnderTest],
        base: Sequence[Arguments],
        *,
        most: int,
        rng: Random,
        memory: int,
        steps: int,
    ) -> None:
        """Up to `most` of the programs take part, of those that are right on the inputs `base`; `memory` in bytes.

        `steps` are what the reference may take on one input.
        """
        self._worker, self._task = worker, task
        self._memory, self._steps = memory, steps
        self._runs = self._watched = self._groups = 0
        self._given = len(programs)
        self._left_out: Counter[str] = Counter()
        self._runners: list[_Runner] = []
        if programs:
            self._reference = instrumented(ast.parse(task.reference), covering=False)[0]
            self._choose(programs, base, most, rng)

    @property
    def told(self) -> Told | None:
        """What became of the programs; None where there are none."""
        if not self._given:
            return None
        return Told(
            programs=self._given,
            left_out=dict(sorted(self._left_out.items())),
            stopped=sum(each.is_stopped for each in self._runners),
            wrong=sum(each.group > 0 for each in self._runners),
            classes=len({0, *(each.group for each in self._runners)}),
        )

    def news(self, inputs: Sequence[Arguments]) -> list[tuple[str, ...]]:
        """What each of the inputs is the first to tell apart."""
        running = [each for each in self._runners if self._is_worth(each)]
        if not inputs or not running:
            return [()] * len(inputs)
        self._watched += len(inputs)
        expected, judge = self._expected(inputs), SuiteJudge(self._task, inputs)
        sent = [self._sent(each, inputs, expected) for each in running]
        return [
            self._refined(
                [(each, one[test]) for each, one in zip(running, sent, strict=True) if test < len(one)],
                self._values(judge, test, expected[test]),
            )
            for test in range(len(inputs))
        ]

    def _choose(self, programs: Sequence[UnderTest], base: Sequence[Arguments], most: int, rng: Random) -> None:
        order = list(programs)
        rng.shuffle(order)  # so that no file takes all places
        expected, judge = self._expected(base), SuiteJudge(self._task, base)
        for place, each in enumerate(order):
            if len(self._runners) == most or place == most * _LOOKED_AT:
                self._left_out["one too many"] += len(order) - place
                return
            reason = self._why_not(each, base, expected, judge)
            if reason:
                self._left_out[reason] += 1
            else:
                self._runners.append(_Runner(each.name, _instrumented(each.source)))

    def _why_not(
        self, program: UnderTest, base: Sequence[Arguments], expected: Sequence[_Sent], judge: SuiteJudge
    ) -> str:
        text = _instrumented(program.source)
        if not text:
            return "cannot be instrumented"
        sent, loaded = self._run(text, base, failures=1, steps=_STEPS_TOGETHER * self._steps)
        if not loaded:
            return "cannot be loaded"
        pairs = enumerate(zip(sent, expected, strict=False))
        if _SLOW in sent:
            return "too slow on the base inputs"
        right = all(self._values(judge, test, wanted).of(one) == 0 for test, (one, wanted) in pairs)
        return "" if right and len(sent) == len(base) else "fails the base inputs"

    def _is_worth(self, runner: _Runner) -> bool:
        """Whether it could still be told from another."""
        if runner.is_stopped or self._watched >= _STUBBORN:
            return False
        others = (each.group for each in self._runners if each is not runner and not each.is_stopped)
        return runner.group in (0, *others)

    def _expected(self, inputs: Sequence[Arguments]) -> list[_Sent]:
        enough = _STEPS * self._steps * len(inputs)
        sent, _ = self._run(self._reference, inputs, failures=len(inputs) + 1, steps=enough)
        return [*sent, *[_ENDED] * (len(inputs) - len(sent))]

    def _values(self, judge: SuiteJudge, test: int, reference: _Sent) -> _Values:
        return _Values(lambda value, wanted: judge.compare(test, value, wanted, self._task.atol)[0].strict, [reference])

    def _sent(self, runner: _Runner, inputs: Sequence[Arguments], expected: Sequence[_Sent]) -> list[_Sent]:
        """What a program did, up to the input where it was stopped."""
        left = _FAILURES - runner.failures
        sent, loaded = self._run(runner.text, inputs, failures=left, steps=_STEPS_TOGETHER * self._steps)
        runner.failures += _failures(sent) if loaded else _FAILURES
        return [_in_short(one, wanted) for one, wanted in zip(sent, expected, strict=False)]

    def _refined(self, sent: Sequence[tuple[_Runner, _Sent]], values: _Values) -> tuple[str, ...]:
        """Split the classes by what their members sent on one input."""
        if values.sent[0][0] != protocol.VALUE:
            return ()
        news: list[str] = []
        parts: dict[tuple[int, int], list[_Runner]] = {}
        for runner, one in sent:
            if one == _SLOW:
                continue
            parts.setdefault((runner.group, values.of(one)), []).append(runner)
        stays: dict[int, _Runner] = {}
        for (group, value), members in parts.items():
            if group not in stays and (group or not value):
                stays[group] = members[0]
                continue
            self._groups += 1
            for runner in members:
                runner.group = self._groups
            first = members[0].name
            news += [f"split {first}, {stays[group].name}"] if group else [f"program {each.name}" for each in members]
        return tuple(news)

    def _run(self, text: str, inputs: Sequence[Arguments], *, failures: int, steps: int) -> tuple[list[_Sent], bool]:
        """What a program did with the inputs up to its last failure, and whether it could be loaded.

        `steps` are what it may take in all in one child.
        """
        sent: list[_Sent] = []
        while len(sent) < len(inputs) and _failures(sent) < failures:
            ending = self._run_on(text, inputs[len(sent) :], sent, failures, steps)
            if ending is None:
                return sent, False
            if len(sent) < len(inputs) and _failures(sent) < failures:
                sent.append(_SLOW if ending in (Ending.TIMEOUT, Ending.SHORT) else _ENDED)
        return sent, True

    def _run_on(
        self, text: str, inputs: Sequence[Arguments], sent: list[_Sent], failures: int, steps: int
    ) -> Ending | None:
        """Add what a child does, until it ends or has failed so often; how it ended, None before it was loaded."""
        loaded = False

        def on_frame(_: int, test: int, kind: int, payload: bytes) -> bool:
            nonlocal loaded
            if test < 0:
                loaded = kind == protocol.STARTED
                return loaded
            # The text of an exception may hold an address.
            sent.append((kind, protocol.parse_error(payload)[0].encode() if kind == protocol.RAISED else payload))
            return sent[-1] not in _FAILED or _failures(sent) < failures

        self._runs += 1
        key = f"programs/{self._task.task_id}/{id(self)}/{self._runs}"
        self._worker.load(key, [inputs])
        limits = f"{_STEPS * self._steps}, {steps}"
        execution = self._worker.run(
            Job(
                program=f"{guest()}\n{_ENTRY} = bounded({text!r}, {self._task.entry_point!r}, {limits})\n",
                entry_point=_ENTRY,
                key=key,
                limits={0: SuiteLimits([_SECONDS] * len(inputs), _ALL_SECONDS)},
                load_limit=_LOAD_SECONDS,
                memory=self._memory,
                max_bytes=_LARGEST_VALUE,
                digest_over=2 * _LARGEST_VALUE,
            ),
            on_frame,
        )
        return execution.ending if loaded else None


def _in_short(sent: _Sent, expected: _Sent) -> _Sent:
    """So that a program cannot fill the memory."""
    payload = sent[1]
    if len(payload) <= _TIMES_AS_LONG * len(expected[1]) + _LONGER:
        return sent
    return protocol.DIGEST, hashlib.sha256(payload).digest()


def _failures(sent: Sequence[_Sent]) -> int:
    return sum(each in _FAILED for each in sent)


def _instrumented(source: str) -> str:
    """Empty where that cannot be done."""
    try:
        return instrumented(syntax_tree(source), covering=False)[0]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
