"""`show --shrink`: a smaller input on which a sample still fails as it does on the first test that it fails."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from evalplus_run.evaluate.judging import Rules
from evalplus_run.evaluate.settings import EvaluateSettings
from evalplus_run.records import Outcome
from evalplus_run.report.sample import Failure, Sample, SmallerInput, failure_on, failures
from evalplus_run.report.text import call
from evalplus_run.sandbox import memory, tiers
from evalplus_run.sandbox.any_worker import WorkerLost
from evalplus_run.sandbox.settings import SandboxSettings
from evalplus_run.sandbox.starting import start_worker
from evalplus_run.testgen.failing import SHRINKABLE, NotShrunk, SmallFailure, shrink_failure
from evalplus_run.words import counted

_SECONDS = 1.0
"""CPU time that any test may take: a program that takes more on a smaller input fails otherwise."""


def smaller_input(sample: Sample) -> SmallerInput:
    """Look for one in the sandbox of this machine, under its own limits.

    Raises NotShrunk where there is none to be had, UserError where there is no sandbox, and RunFailed.
    """
    failure = next(failures(sample), None)
    if failure is None or failure.arguments is None:
        raise NotShrunk(_why(sample, failure))
    if failure.verdict.outcome not in (*SHRINKABLE, Outcome.FAILED):
        raise NotShrunk(f"a failure by {failure.verdict.outcome} is not looked for again")
    if not sample.task.reference:
        raise NotShrunk("the reference of its task is not known: --dataset names the benchmark")
    settings = SandboxSettings()
    rules = Rules(
        memory=memory.at_most(settings.memory << 20),
        evaluate=EvaluateSettings(min_time_limit=_SECONDS),
        tier=tiers.choose_tier(settings),
    )
    try:
        with start_worker(rules.tier, memory=rules.memory) as worker:
            found = shrink_failure(
                worker, sample.task, sample.program.solution, failure.arguments, rules, profile="evalplus"
            )
    except WorkerLost as error:
        raise NotShrunk(f"the sandbox was lost meanwhile: {error}") from error
    if found.arguments == failure.arguments:
        raise NotShrunk(f"of {counted(found.tests, 'simpler one')} none makes it fail in the same way")
    verdict = replace(found.verdict, test=None)
    small = failure_on(sample, failure.suite, verdict, found.arguments)
    before, after = (len(call("", each)[1:-1]) for each in (failure.arguments, found.arguments))
    return SmallerInput(small, before, after, found.tests, tuple(_notes(found)))


def _why(sample: Sample, failure: Failure | None) -> str:
    if sample.verdict is None:
        return "it has not been judged yet"
    if failure is None:
        return "it fails no test"
    if failure.verdict.test is None and failure.verdict.outcome is not Outcome.FAILED:
        return f"no test was reached ({failure.verdict.outcome})"
    return "on which input it fails is not known here: judge it with samples=FILE first"


def _notes(found: SmallFailure) -> Iterator[str]:
    if not found.is_least:
        yield "The search was given up there: smaller ones may fail too."
    if not found.keeps_contract:
        yield "The test's own input is against the task's contract, and so may this one be."
