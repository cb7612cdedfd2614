"""One program on several inputs, each judged as if there were no other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from evalplus_run.evaluate.judging import Rules, run_suites
from evalplus_run.evaluate.reference_run import ReferenceRun, run_reference
from evalplus_run.evaluate.suites import Expected, TaskTests, make_ready
from evalplus_run.records import Arguments, ProfileName, SuiteVerdict, Task
from evalplus_run.sandbox.any_worker import AnyWorker


def judge_apart(
    worker: AnyWorker, task: Task, inputs: Sequence[Arguments], source: str, rules: Rules, key: str
) -> list[Mapping[ProfileName, SuiteVerdict]]:
    """The verdicts of a program on each input, by profile.

    In one child, but for each input the program is loaded anew, and no tolerance is carried from one to the next.
    After a time-out the later ones are time-outs too, without a test. `key` names the inputs in the worker: no other
    call may use it. Raises RunFailed where the reference fails on any of them, and WorkerLost.
    """
    done = run_reference(worker, task, f"reference/{key}", [[each] for each in inputs], memory=rules.memory)
    return run_suites(worker, _apart(task, inputs, done, rules, key), source, rules)


def _apart(task: Task, inputs: Sequence[Arguments], done: ReferenceRun, rules: Rules, key: str) -> TaskTests:
    """Each input as the base suite of its own."""
    slow = {number: seconds for number, _, seconds in done.execution.slow_tests}
    ready = []
    for number, arguments in enumerate(inputs):
        seconds = slow.get(number, 0.0)
        expected = Expected(
            {"base": tuple(done.values[number])},
            {"base": frozenset(done.digests[number])},
            {"base": {0: seconds}},
            {"base": seconds},
        )
        alone = replace(task, base_inputs=(arguments,), plus_inputs=())
        ready.append(make_ready(alone, key, expected, rules.evaluate, rules.errata))
    suites = tuple(suite for each in ready for suite in each.suites)
    return replace(ready[0], task=task, suites=suites, longest=max(each.longest for each in ready))
