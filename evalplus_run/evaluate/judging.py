"""One program against its task in one worker: from frames and endings to a verdict."""

from __future__ import annotations

import hashlib
import os
import signal
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from evalplus_run.evaluate.settings import EvaluateSettings
from evalplus_run.evaluate.suite_run import SuiteRun
from evalplus_run.evaluate.suites import Suite, TaskTests
from evalplus_run.records import (
    SUITES,
    Outcome,
    ProfileName,
    ProfileVerdict,
    Program,
    SuiteName,
    SuiteVerdict,
    Verdict,
)
from evalplus_run.sandbox import Ending, Execution, SuiteLimits
from evalplus_run.sandbox.worker import Worker

_REFERENCE_LIMIT = 600.0
_ROOM_FOR_VALUES = 1 << 20
"""Bytes that any value may take, beside four times the longest expected one."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What a program may take, from the settings."""

    memory: int
    """Bytes."""
    evaluate: EvaluateSettings


def judge(worker: Worker, tests: TaskTests, program: Program, rules: Rules) -> Verdict:
    """Run and judge one program; raises sandbox.worker.WorkerDied where the worker is lost."""
    if program.outcome is not None:
        return unrun(program, program.outcome)
    runs, seconds = _run_all(worker, tests, program.solution, rules)
    profiles = {name: _profile(tests, runs, seconds, name) for name in ("evalplus", "strict")}
    return Verdict(program.task_id, program.index, sha256_of(program), profiles["evalplus"], profiles["strict"])


def unrun(program: Program, outcome: Outcome, error: str = "") -> Verdict:
    """The verdict on what could not be run: one outcome for all."""
    suite = SuiteVerdict(outcome, error=error)
    profile = ProfileVerdict(suite, suite)
    return Verdict(program.task_id, program.index, sha256_of(program), profile, profile)


def sha256_of(program: Program) -> str:
    """Of the program's text, in hexadecimal."""
    return hashlib.sha256(program.solution.encode("utf-8", "surrogatepass")).hexdigest()


def outcomes(verdict: Verdict) -> set[Outcome]:
    """Those of both suites under both profiles."""
    profiles = (verdict.evalplus, verdict.strict)
    return {suite.outcome for profile in profiles for suite in (profile.base, profile.plus)}


def _run_all(
    worker: Worker, tests: TaskTests, source: str, rules: Rules
) -> tuple[dict[SuiteName, SuiteRun], dict[SuiteName, float]]:
    """All suites, in one child where it survives; a new one for the suites that are left where it does not."""
    worker.load(tests.key, [suite.inputs for suite in tests.suites])
    whole: dict[tuple[int, int], bytes] = {}
    runs: dict[SuiteName, SuiteRun] = {}
    seconds: dict[SuiteName, float] = {}
    left = list(range(len(tests.suites)))
    while left:
        fresh = {number: _open(tests.suites[number], number, whole, rules) for number in left}
        execution = _run(worker, tests, source, fresh, rules, whole)
        needed = next(((n, run.needs_whole) for n, run in fresh.items() if run.needs_whole is not None), None)
        if needed is not None:
            whole[needed] = value_of_reference(worker, tests, *needed, rules)
            continue
        _conclude(fresh, execution)
        for number, run in fresh.items():
            if run.done:
                runs[run.suite.name], seconds[run.suite.name] = (
                    run,
                    execution.suite_cpu_seconds.get(number, execution.cpu_seconds),
                )
        left = [number for number in left if not fresh[number].done]
    return runs, seconds


def _open(suite: Suite, number: int, whole: Mapping[tuple[int, int], bytes], rules: Rules) -> SuiteRun:
    here = {test: value for (at, test), value in whole.items() if at == number}
    return SuiteRun(suite, details=rules.evaluate.details, whole=here)


def _run(
    worker: Worker,
    tests: TaskTests,
    source: str,
    runs: Mapping[int, SuiteRun],
    rules: Rules,
    whole: Iterable[tuple[int, int]],
) -> Execution:
    def on_frame(number: int, test: int, kind: int, payload: bytes) -> bool:
        run = runs[number]
        wanted = run.take(test, kind, payload)
        return wanted and all(other.needs_whole is None for other in runs.values())

    return worker.run(
        source,
        tests.task.entry_point,
        tests.key,
        {number: run.suite.limits for number, run in runs.items()},
        on_frame,
        memory=rules.memory,
        load_limit=rules.evaluate.min_time_limit,
        collect=tests.collect,
        max_bytes=_room(tests),
        whole=list(whole),
    )


def _conclude(runs: Mapping[int, SuiteRun], execution: Execution) -> None:
    """What the child's end means for the suite that was under way, and for those after it."""
    if execution.ending is Ending.FINISHED:
        return
    run = runs[execution.suite]
    if not run.done:
        outcome, error = _meaning(execution)
        run.fail(outcome, execution.test, error=error)
        run.stop()
    if execution.ending is Ending.TIMEOUT:
        for number, later in runs.items():
            if number > execution.suite:
                later.fail(Outcome.TIMEOUT, None, error="not started, since the base tests ran out of time")
                later.stop()


def _meaning(execution: Execution) -> tuple[Outcome, str]:
    if execution.ending is Ending.TIMEOUT:
        return Outcome.TIMEOUT, execution.detail
    if execution.ending is Ending.FLOOD:
        return Outcome.CRASH, execution.detail
    code = os.waitstatus_to_exitcode(execution.status)
    if code >= 0:
        return Outcome.CRASH, f"it ended itself with exit status {code}"
    name = signal.Signals(-code).name if -code in set(signal.Signals) else str(-code)
    if -code == signal.SIGXCPU:
        return Outcome.TIMEOUT, "over the limit of CPU time"
    return Outcome.CRASH, f"killed by signal {name}"


def _profile(
    tests: TaskTests, runs: Mapping[SuiteName, SuiteRun], seconds: Mapping[SuiteName, float], name: ProfileName
) -> ProfileVerdict:
    # A benchmark without plus tests has nothing there that could fail.
    by_suite = {
        suite: runs[suite].verdict(name, seconds[suite]) if suite in runs else SuiteVerdict(Outcome.PASS)
        for suite in SUITES
    }
    return ProfileVerdict(by_suite["base"], by_suite["plus"])


def _room(tests: TaskTests) -> int:
    longest = max((suite.longest for suite in tests.suites), default=0)
    return _ROOM_FOR_VALUES + 4 * longest


def value_of_reference(worker: Worker, tests: TaskTests, number: int, test: int, rules: Rules) -> bytes:
    """One expected value in full, of which only the digest is kept."""
    key = f"{tests.key}/{number}/{test}"
    worker.load(key, [[tests.suites[number].inputs[test]]])
    values: list[bytes] = []

    def on_frame(_suite: int, test: int, _kind: int, payload: bytes) -> bool:
        if test >= 0:
            values.append(payload)
        return True

    limits = {0: SuiteLimits([_REFERENCE_LIMIT], _REFERENCE_LIMIT)}
    task = tests.task
    worker.run(
        task.reference,
        task.entry_point,
        key,
        limits,
        on_frame,
        memory=rules.memory,
        load_limit=_REFERENCE_LIMIT,
        collect=tests.collect,
        max_bytes=_room(tests),
        whole=[(0, 0)],
    )
    return values[0]
