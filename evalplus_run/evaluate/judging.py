"""One program against its task in one worker: from frames and endings to a verdict."""

from __future__ import annotations

import hashlib
import os
import signal
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from evalplus_run.evaluate.equality import shape_of
from evalplus_run.evaluate.errata import Errata
from evalplus_run.evaluate.reference_run import reference_failed, run_reference
from evalplus_run.evaluate.settings import EvaluateSettings
from evalplus_run.evaluate.suite_run import SuiteRun
from evalplus_run.evaluate.suites import FIRST_SHARE, Suite, TaskTests, value_length
from evalplus_run.records import (
    PROFILES,
    SUITES,
    Outcome,
    ProfileName,
    ProfileVerdict,
    Program,
    SuiteVerdict,
    Verdict,
)
from evalplus_run.sandbox import Ending, Execution, Job, TierName
from evalplus_run.sandbox.any_worker import AnyWorker
from evalplus_run.sandbox.guest import protocol
from evalplus_run.sandbox.settings import WrapperName

_JUDGE = "7"
"""Raised whenever a change of the judge or the sandbox can move a verdict."""
_WHOLE_AT_ONCE = 64 << 20
"""Bytes of expected values that are fetched in full at once."""
_MOST_REQUESTS = 32
"""For values in full: each runs the program again."""
_ROOM_FOR_VALUES = 1 << 20
"""Bytes that any value may take, beside four times the longest expected one."""
NOT_FINAL = frozenset((Outcome.TIMEOUT, Outcome.HOST_FAULT))
"""What is final only when it is met again with few neighbours."""
_MEANING = {
    Ending.TIMEOUT: Outcome.TIMEOUT,
    Ending.FLOOD: Outcome.CRASH,
    Ending.MEMORY: Outcome.MEMORY,
    Ending.SHORT: Outcome.HOST_FAULT,
}


class Attempt(StrEnum):
    """How a program is run."""

    FIRST = "first"
    """Among others, with less time: what is not final then is tried again."""
    AGAIN = "again"
    """With few neighbours on its machine."""
    ALONE = "alone"
    """With none."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What a program may take, from the settings."""

    memory: int
    """Bytes."""
    evaluate: EvaluateSettings
    tier: TierName
    """How programs are isolated: what they can reach may move a verdict."""
    errata: Errata = field(default_factory=Errata)
    wrapper: WrapperName = "none"
    image: str = ""
    """The container's, where the wrapper is one."""

    @property
    def parts(self) -> tuple[object, ...]:
        """All that moves a verdict beside the program and its tests, the judge's version first."""
        evaluate = self.evaluate
        return (
            *(_JUDGE, self.tier, self.wrapper, self.image, self.memory),
            *(evaluate.min_time_limit, evaluate.time_factor, evaluate.details),
            self.errata.key,
        )


def judge(worker: AnyWorker, tests: TaskTests, program: Program, rules: Rules, *, first_try: bool = False) -> Verdict:
    """Run and judge one program; raises sandbox.worker.WorkerLost where the worker is lost.

    On a first try less time is given to what is most likely endless: a time-out is not final then.
    """
    judged = run_suites(worker, tests, program.solution, rules, first_try=first_try)
    profiles = {name: _profile(tests, judged, name) for name in PROFILES}
    key = verdict_key(program, tests, rules)
    return Verdict(program.task_id, program.index, key, profiles["evalplus"], profiles["strict"])


def unrun(program: Program, tests: TaskTests, rules: Rules, outcome: Outcome, error: str = "") -> Verdict:
    """The verdict on what could not be run: one outcome for all."""
    suite = SuiteVerdict(outcome, error=error)
    profile = ProfileVerdict(suite, suite)
    return Verdict(program.task_id, program.index, verdict_key(program, tests, rules), profile, profile)


def verdict_key(program: Program, tests: TaskTests, rules: Rules) -> str:
    """A hash of all that a verdict depends on: the program, its tests, the rules, the judge's version."""
    return _key(program.solution.encode("utf-8", "surrogatepass"), program, tests, rules)


def shape_key(program: Program, tests: TaskTests, rules: Rules) -> str:
    """The same for all programs with equal syntax trees."""
    return _key(shape_of(program.solution), program, tests, rules)


def _key(content: bytes, program: Program, tests: TaskTests, rules: Rules) -> str:
    parts = (*rules.parts, tests.task.task_id, tests.task.atol, tests.key, program.outcome)
    digest = hashlib.sha256(repr(parts).encode())
    digest.update(content)
    return digest.hexdigest()


def with_second_try(first: Verdict, second: Verdict) -> Verdict:
    """What the first try came to stands, but for what is not final: the program may know that it is the second."""

    def suite(before: SuiteVerdict, after: SuiteVerdict) -> SuiteVerdict:
        return after if before.outcome in NOT_FINAL else before

    def profile(before: ProfileVerdict, after: ProfileVerdict) -> ProfileVerdict:
        return ProfileVerdict(suite(before.base, after.base), suite(before.plus, after.plus))

    return replace(
        second, evalplus=profile(first.evalplus, second.evalplus), strict=profile(first.strict, second.strict)
    )


def after_another_try(first: Verdict, second: Verdict, attempt: Attempt) -> Verdict:
    """What both tries come to together."""
    verdict = with_second_try(first, second)
    return settled(verdict) if attempt is Attempt.ALONE else verdict


def settled(verdict: Verdict) -> Verdict:
    """A verdict that was met again with few neighbours: what the system kills even then is the program's fault."""

    def settle(suite: SuiteVerdict) -> SuiteVerdict:
        return replace(suite, outcome=Outcome.MEMORY) if suite.outcome is Outcome.HOST_FAULT else suite

    return each_suite(verdict, settle)


def each_suite(verdict: Verdict, change: Callable[[SuiteVerdict], SuiteVerdict]) -> Verdict:
    """The verdict with a change made to both suites under both profiles."""

    def profile(judged: ProfileVerdict) -> ProfileVerdict:
        return ProfileVerdict(change(judged.base), change(judged.plus))

    return replace(verdict, evalplus=profile(verdict.evalplus), strict=profile(verdict.strict))


def outcomes(verdict: Verdict) -> set[Outcome]:
    """Those of both suites under both profiles."""
    profiles = (verdict.evalplus, verdict.strict)
    return {suite.outcome for profile in profiles for suite in (profile.base, profile.plus)}


def run_suites(
    worker: AnyWorker, tests: TaskTests, source: str, rules: Rules, *, first_try: bool = False
) -> list[Mapping[ProfileName, SuiteVerdict]]:
    """A program's verdicts on each suite, by profile; raises WorkerLost.

    In one child where it survives; in a new one for the suites that are left where it does not.
    """
    whole: dict[tuple[int, int], bytes] = {}
    first: dict[tuple[int, int], bytes] = {}
    done: dict[int, Mapping[ProfileName, SuiteVerdict]] = {}
    left = list(range(len(tests.suites)))
    requests = 0
    while left:
        # Each time anew: the worker keeps the inputs of few tasks.
        worker.load(tests.key, [suite.inputs for suite in tests.suites])
        fresh = {number: _open(tests.suites[number], number, whole, first, rules) for number in left}
        execution = _run(worker, tests, source, fresh, rules, whole, first_try=first_try)
        needed = next(((n, run.needs_whole) for n, run in fresh.items() if run.needs_whole is not None), None)
        if needed is not None:
            requests += 1
            if requests > _MOST_REQUESTS:
                fresh[needed[0]].refuse()
            else:
                first[needed] = fresh[needed[0]].sent
                whole |= _expected_in_full(worker, tests, *needed, rules)
        else:
            _conclude(fresh, execution)
        # What a suite came to is final: a program that is run again for another suite may know what it met here.
        for number, run in fresh.items():
            if run.done and run.needs_whole is None:
                seconds = execution.suite_cpu_seconds.get(number, execution.cpu_seconds)
                done[number] = {name: run.verdict(name, seconds) for name in PROFILES}
        left = [number for number in left if number not in done]
    return [done[number] for number in range(len(tests.suites))]


def _open(
    suite: Suite,
    number: int,
    whole: Mapping[tuple[int, int], bytes],
    first: Mapping[tuple[int, int], bytes],
    rules: Rules,
) -> SuiteRun:
    here, sent = ({test: value for (at, test), value in of.items() if at == number} for of in (whole, first))
    return SuiteRun(suite, details=rules.evaluate.details, whole=here, first=sent)


def _run(
    worker: AnyWorker,
    tests: TaskTests,
    source: str,
    runs: Mapping[int, SuiteRun],
    rules: Rules,
    whole: Iterable[tuple[int, int]],
    *,
    first_try: bool,
) -> Execution:
    def on_frame(number: int, test: int, kind: int, payload: bytes) -> bool:
        run = runs[number]
        wanted = run.take(test, kind, payload)
        return wanted and all(other.needs_whole is None for other in runs.values())

    def on_bytes(number: int, test: int, data: bytearray, place: int) -> tuple[int, int]:
        return runs[number].skip(test, data, place)

    job = Job(
        program=source,
        entry_point=tests.task.entry_point,
        key=tests.key,
        limits={number: run.suite.first_limits if first_try else run.suite.limits for number, run in runs.items()},
        load_limit=rules.evaluate.min_time_limit * (FIRST_SHARE if first_try else 1.0),
        memory=rules.memory,
        collect=tests.collect,
        max_bytes=_room(tests),
        whole=list(whole),
    )
    return worker.run(job, on_frame, on_bytes=on_bytes)


def _conclude(runs: Mapping[int, SuiteRun], execution: Execution) -> None:
    """What the child's end means for the suite that was under way, and for those after it."""
    if execution.ending is Ending.FINISHED:
        return
    run = runs[execution.suite]
    if run.done:
        return  # it was being left; the suites after it get a child of their own
    outcome, error = _meaning(execution)
    run.fail(outcome, execution.test, error=error)
    run.stop()
    if execution.ending is Ending.TIMEOUT:
        for number, later in runs.items():
            if number > execution.suite:
                later.fail(Outcome.TIMEOUT, None, error="not started, since the base tests ran out of time")
                later.stop()


def _meaning(execution: Execution) -> tuple[Outcome, str]:
    if execution.ending in _MEANING:
        return _MEANING[execution.ending], execution.detail
    if execution.killed:
        return Outcome.CRASH, "it closed its result channel"
    code = os.waitstatus_to_exitcode(execution.status)
    return _meaning_of_signal(-code) if code < 0 else (Outcome.CRASH, f"it ended itself with exit status {code}")


def _meaning_of_signal(number: int) -> tuple[Outcome, str]:
    if number == signal.SIGXCPU:
        return Outcome.TIMEOUT, "over the limit of CPU time"
    if number == signal.SIGKILL:
        return Outcome.HOST_FAULT, "killed by the system, most likely for want of memory"
    name = signal.Signals(number).name if number in set(signal.Signals) else str(number)
    return Outcome.CRASH, f"killed by signal {name}"


def _profile(
    tests: TaskTests, judged: Sequence[Mapping[ProfileName, SuiteVerdict]], name: ProfileName
) -> ProfileVerdict:
    # A benchmark without plus tests has nothing there that could fail.
    by_suite = dict.fromkeys(SUITES, SuiteVerdict(Outcome.PASS))
    by_suite |= {suite.name: verdicts[name] for suite, verdicts in zip(tests.suites, judged, strict=True)}
    return ProfileVerdict(by_suite["base"], by_suite["plus"])


def _room(tests: TaskTests) -> int:
    return _ROOM_FOR_VALUES + 4 * tests.longest


def _expected_in_full(
    worker: AnyWorker, tests: TaskTests, number: int, test: int, rules: Rules
) -> dict[tuple[int, int], bytes]:
    """The expected value of a test, and of those after it whose digests would be asked for next."""
    suite = tests.suites[number]
    if test not in suite.digests:
        return {(number, test): suite.expected[test]}
    chosen, size = [test], value_length(suite.expected[test], True)
    for later in sorted(each for each in suite.digests if each > test):
        size += value_length(suite.expected[later], True)
        if size > _WHOLE_AT_ONCE:
            break
        chosen.append(later)
    inputs = [suite.inputs[each] for each in chosen]
    key = f"{tests.key}/{number}/{test}"
    places = [(0, place) for place in range(len(chosen))]
    done = run_reference(worker, tests.task, key, [inputs], memory=rules.memory, whole=places)
    for each, value in zip(chosen, done.values[0], strict=True):
        if protocol.digest_payload(value) != suite.expected[each]:
            raise reference_failed(tests.task, f"run again, test {each} returns something else")
    return {(number, each): value for each, value in zip(chosen, done.values[0], strict=True)}
