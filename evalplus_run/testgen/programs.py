"""Programs under test beside the search: which inputs tell them from the reference, and from each other.

What a value is worth the judge says, by the strict profile. Programs that agreed on all inputs so far are one class.
An input is news where it splits one; with so many programs that is so many times at most, whatever a program does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from evalplus_run.judge import SuiteJudge
from evalplus_run.records import Arguments, Task
from evalplus_run.sandbox.any_worker import AnyWorker
from evalplus_run.sandbox.guest import protocol
from evalplus_run.testgen.trials import ENDED, SLOW, Sent, Trials, failures_in, in_short, prepared

_LOOKED_AT = 10
"""Programs that are tried on the task's own inputs, for each one that may run."""
_FAILURES = 3
"""Inputs on which a program ends its child or is too slow; then it is not run any more."""
_TOGETHER = 100
"""Times the steps that a reference may take on one input, on all inputs that are run together."""
_STUBBORN = 1500
"""Inputs after which no program is run any more: those that none has told apart are likely alike."""


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
    sent: list[Sent]
    """One of each kind; the reference's comes first."""
    known: dict[Sent, int] = field(default_factory=dict)

    def of(self, sent: Sent) -> int:
        """The number of its kind: 0 for what the reference sent."""
        if sent not in self.known:
            self.known[sent] = next((n for n, other in enumerate(self.sent) if self._equal(sent, other)), -1)
            if self.known[sent] < 0:
                self.known[sent] = len(self.sent)
                self.sent.append(sent)
        return self.known[sent]

    def _equal(self, sent: Sent, other: Sent) -> bool:
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
        self._task = task
        self._trials = Trials(worker, task.entry_point, f"programs/{task.task_id}", memory=memory, steps=steps)
        self._steps = steps
        self._watched = self._groups = 0
        self._given = len(programs)
        self._left_out: Counter[str] = Counter()
        self._runners: list[_Runner] = []
        if programs:
            self._reference = prepared(task.reference)
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
        sent = [self._sent(each, expected) for each in running]
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
                self._runners.append(_Runner(each.name, prepared(each.source)))

    def _why_not(
        self, program: UnderTest, base: Sequence[Arguments], expected: Sequence[Sent], judge: SuiteJudge
    ) -> str:
        text = prepared(program.source)
        if not text:
            return "cannot be instrumented"
        sent, loaded = self._trials.run(text, failures=1, steps=_TOGETHER * self._steps)
        if not loaded:
            return "cannot be loaded"
        if SLOW in sent:
            return "too slow on the base inputs"
        pairs = enumerate(zip(sent, expected, strict=False))
        right = all(self._values(judge, test, wanted).of(one) == 0 for test, (one, wanted) in pairs)
        return "" if right and len(sent) == len(base) else "fails the base inputs"

    def _is_worth(self, runner: _Runner) -> bool:
        """Whether it could still be told from another."""
        if runner.is_stopped or self._watched >= _STUBBORN:
            return False
        others = (each.group for each in self._runners if each is not runner and not each.is_stopped)
        return runner.group in (0, *others)

    def _expected(self, inputs: Sequence[Arguments]) -> list[Sent]:
        """What the reference does with inputs, on which the programs are to be run then."""
        self._trials.begin(inputs)
        sent, _ = self._trials.run(self._reference, failures=len(inputs) + 1, steps=self._steps * len(inputs))
        return [*sent, *[ENDED] * (len(inputs) - len(sent))]

    def _values(self, judge: SuiteJudge, test: int, reference: Sent) -> _Values:
        return _Values(lambda value, wanted: judge.compare(test, value, wanted, self._task.atol)[0].strict, [reference])

    def _sent(self, runner: _Runner, expected: Sequence[Sent]) -> list[Sent]:
        """What a program did, up to the input where it was stopped."""
        left = _FAILURES - runner.failures
        sent, loaded = self._trials.run(runner.text, failures=left, steps=_TOGETHER * self._steps)
        runner.failures += failures_in(sent) if loaded else _FAILURES
        return [in_short(one, wanted) for one, wanted in zip(sent, expected, strict=False)]

    def _refined(self, sent: Sequence[tuple[_Runner, Sent]], values: _Values) -> tuple[str, ...]:
        """Split the classes by what their members sent on one input."""
        if values.sent[0][0] != protocol.VALUE:
            return ()
        news: list[str] = []
        parts: dict[tuple[int, int], list[_Runner]] = {}
        for runner, one in sent:
            if one != SLOW:
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
