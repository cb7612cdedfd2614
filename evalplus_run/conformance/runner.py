"""All programs of the suite through one worker, one after another, by the way that real samples go."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass

from evalplus_run.conformance.catalogue import ConformanceProgram, Promise, load_programs
from evalplus_run.conformance.processes import adopting, descendants, end_leftovers
from evalplus_run.conformance.surroundings import Surroundings, surroundings
from evalplus_run.conformance.tasks import tasks
from evalplus_run.evaluate.judging import Rules, judge
from evalplus_run.evaluate.references import prepare
from evalplus_run.evaluate.settings import EvaluateSettings
from evalplus_run.evaluate.suites import TaskTests
from evalplus_run.records import Outcome, Program, RunFailed
from evalplus_run.sandbox import TierName, memory
from evalplus_run.sandbox.any_worker import WorkerLost
from evalplus_run.sandbox.settings import WrapperName
from evalplus_run.sandbox.starting import start_worker

LOCKED_TIERS: tuple[TierName, ...] = ("namespaces", "lockdown", "seccomp-only")
"""The tiers that promise anything: with resource limits alone, a program may do what its user may."""
_MEMORY = 512 << 20
"""Bytes that a program may take."""
_SECONDS = 1.0
"""CPU time that a test may take."""
_CONTROLS = (
    (Promise.of("passes"), "a right program judged next", "def f(x):\n    return x * x + 1\n"),
    (Promise.of("wrong"), "a wrong program judged next", "def f(x):\n    return x * x - 1\n"),
)


@dataclass(frozen=True, slots=True)
class Finding:
    """How one program went in one tier."""

    program: ConformanceProgram
    tier: TierName
    outcomes: tuple[Outcome, ...]
    """Of base and plus under the evalplus profile, run by run."""
    broken: tuple[str, ...]
    """What was promised and is not so, in sentences; empty where all is well."""
    seconds: float


def conform(
    tier: TierName, wrapper: WrapperName = "none", *, programs: Sequence[ConformanceProgram] | None = None
) -> Iterator[Finding]:
    """Judge the programs (all of the suite, if none are given) in this tier, inside the wrapper; what came of each.

    A program that the tier's policy leaves out is not run. Raises TierUnavailable, and RunFailed where not even
    the suite's own references pass.
    """
    chosen = load_programs() if programs is None else programs
    with adopting(), surroundings() as around, closing(_Examiner(tier, wrapper)) as examiner:
        tests = examiner.make_ready(around)
        for program in chosen:
            if tier not in program.not_in:
                yield examiner.examine(program, tests, around)


class _Examiner:
    """One worker, replaced where a program takes it along, and the processes that it consists of."""

    def __init__(self, tier: TierName, wrapper: WrapperName) -> None:
        evaluate = EvaluateSettings(min_time_limit=_SECONDS)
        self._rules = Rules(memory.at_most(_MEMORY), evaluate, tier, wrapper=wrapper)
        self._others = set(descendants())
        self._start()

    def close(self) -> None:
        """End the worker."""
        self._worker.close()

    def make_ready(self, around: Surroundings) -> Mapping[str, TaskTests]:
        """The suite's tasks, their references run."""
        made = {name: prepare(self._worker, task, self._rules) for name, task in tasks(around.secret).items()}
        around.settle()
        return made

    def examine(self, program: ConformanceProgram, tests: Mapping[str, TaskTests], around: Surroundings) -> Finding:
        """Judge it as often as it asks for, look for traces each time, then judge two plain programs."""
        begun = time.monotonic()
        source = around.fill_in(program.source)
        outcomes: list[Outcome] = []
        broken: list[str] = []
        for _ in range(program.runs):
            broken += self._try(source, tests[program.task], program.promise, outcomes)
            broken += around.traces()
            broken += [f"it left the process {name} ({pid})" for pid, name in end_leftovers(self._expected).items()]
        for promise, name, control in _CONTROLS:
            broken += [f"{name}: {failed}" for failed in self._try(control, tests["number"], promise, [])]
        return Finding(
            program, self._rules.tier, tuple(outcomes), tuple(dict.fromkeys(broken)), time.monotonic() - begun
        )

    def _try(self, source: str, tests: TaskTests, promise: Promise, outcomes: list[Outcome]) -> Iterator[str]:
        """What is broken of a promise; the outcomes are added to those given."""
        try:
            verdict = judge(self._worker, tests, Program(tests.task.task_id, 0, source), self._rules)
        except WorkerLost as error:
            self._restart()
            yield f"its worker was lost: {error}".strip()
        except RunFailed as error:
            yield f"it stopped the run: {error}"
        else:
            outcomes += verdict.evalplus.base.outcome, verdict.evalplus.plus.outcome
            yield from promise.broken_by(verdict)

    def _start(self) -> None:
        self._worker = start_worker(self._rules.tier, self._rules.wrapper, memory=self._rules.memory, at_once=True)
        self._expected = set(descendants())

    def _restart(self) -> None:
        self._worker.close()
        end_leftovers(self._others)
        self._start()
