"""A program's failure on one input, and the same failure on simpler ones: everything is run in the sandbox."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from evalplus_run.evaluate.apart import judge_apart
from evalplus_run.evaluate.judging import Rules
from evalplus_run.records import Arguments, Outcome, ProfileName, SuiteVerdict, Task
from evalplus_run.sandbox.any_worker import AnyWorker
from evalplus_run.testgen.observer import Observer
from evalplus_run.testgen.shrinking import Shape, shrink
from evalplus_run.testgen.specifications import specified

_STEPS = 200_000
"""Turns of loops and calls of the reference on one input."""
_MOST_TIMEOUTS = 10
"""Inputs on which the program may run out of time before the search is given up."""
SHRINKABLE = (Outcome.WRONG, Outcome.EXCEPTION)
"""What costs no more than the program's own time to see again."""


class NotShrunk(Exception):
    """Why there is no smaller input, in a sentence."""


@dataclass(frozen=True, slots=True)
class SmallFailure:
    """The simplest input that was found, and what becomes of the program there."""

    arguments: Arguments
    verdict: SuiteVerdict
    tests: int
    """Inputs that were run."""
    is_least: bool
    """Whether no input that is one step simpler fails; else the search was given up."""
    keeps_contract: bool
    """False where the failing input itself was against the task's contract."""


def shrink_failure(
    worker: AnyWorker, task: Task, source: str, arguments: Arguments, rules: Rules, profile: ProfileName
) -> SmallFailure:
    """Raises NotShrunk, RunFailed where the reference cannot be run, and WorkerLost."""
    failure = _Failure(worker, specified(task), source, arguments, rules, profile)
    found = shrink(arguments, Shape(failure.task, arguments), failure.again)
    verdict = failure.alone(found.arguments)
    if not failure.is_same(verdict):
        raise NotShrunk("what the program does hangs on the inputs that it was given before")
    is_least = found.is_least and not failure.is_given_up
    return SmallFailure(found.arguments, verdict, found.tests, is_least, failure.keeps_contract)


class _Failure:
    """What a program does on an input, to be met again."""

    def __init__(
        self, worker: AnyWorker, task: Task, source: str, arguments: Arguments, rules: Rules, profile: ProfileName
    ) -> None:
        """Raises NotShrunk where it is none, or one that takes too long to look for."""
        self._worker, self._source, self._rules, self._profile = worker, source, rules, profile
        self._calls = 0
        self._timeouts = 0
        self.task = task
        self._observer = self._observer_of(task)
        (seen,) = self._observer.observe([arguments], [])[0]
        self.keeps_contract = seen.ending != "contract"
        if not self.keeps_contract:
            self.task = replace(task, contract="")
            self._observer = self._observer_of(self.task)
        self._looked_for = self.alone(arguments)
        if self._looked_for.outcome is Outcome.PASS:
            raise NotShrunk("alone, without the tests before it, it makes the program fail no more")
        if self._looked_for.outcome not in SHRINKABLE:
            raise NotShrunk(f"a failure by {self._looked_for.outcome} is not looked for again")

    @property
    def is_given_up(self) -> bool:
        """Whether too much time went into waiting: nothing is run any more but what is asked about alone."""
        return self._timeouts > _MOST_TIMEOUTS

    def alone(self, arguments: Arguments) -> SuiteVerdict:
        """Of the program on nothing but this input."""
        return self._apart([arguments])[0]

    def again(self, inputs: Sequence[Arguments]) -> list[bool]:
        """On which of some inputs the contract holds, the reference returns, and the program fails as it did."""
        seen, _ = self._observer.observe(inputs, [])
        places = [place for place, each in enumerate(seen) if each.is_input]
        verdicts = self._judged([inputs[place] for place in places])
        same = {place for place, verdict in zip(places, verdicts, strict=False) if self.is_same(verdict)}
        return [place in same for place in range(len(inputs))]

    def is_same(self, verdict: SuiteVerdict) -> bool:
        """Whether it is the failure that is looked for: a wrong value, or an exception of the same type."""
        return _kind(verdict) == _kind(self._looked_for)

    def _judged(self, inputs: Sequence[Arguments]) -> list[SuiteVerdict]:
        """One for each input, but for those that are left when the search is given up."""
        verdicts: list[SuiteVerdict] = []
        while len(verdicts) < len(inputs) and not self.is_given_up:
            new = self._apart(inputs[len(verdicts) :])
            stalled = next((place for place, each in enumerate(new) if each.outcome is Outcome.TIMEOUT), len(new))
            self._timeouts += stalled < len(new)
            verdicts += new[: stalled + 1]
        return verdicts

    def _apart(self, inputs: Sequence[Arguments]) -> list[SuiteVerdict]:
        self._calls += 1
        key = f"apart/{self.task.task_id}/{id(self)}/{self._calls}"
        judged = judge_apart(self._worker, self.task, inputs, self._source, self._rules, key)
        return [each[self._profile] for each in judged]

    def _observer_of(self, task: Task) -> Observer:
        return Observer(self._worker, task, memory=self._rules.memory, steps=_STEPS)


def _kind(verdict: SuiteVerdict) -> tuple[Outcome, str]:
    is_raised = verdict.outcome is Outcome.EXCEPTION
    return verdict.outcome, verdict.error.partition(":")[0] if is_raised else ""
