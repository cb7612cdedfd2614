"""References that fail: on an input, against what they return another time, against the text of their tests."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import replace

from evalplus_run.audit.findings import Finding, Kind
from evalplus_run.audit.running import Did, Runner
from evalplus_run.judge import SuiteJudge, decode, representable
from evalplus_run.records import SUITES, SuiteName, Task

_HASH_SEEDS = (1, 2, 3, 4, 5)
"""The first is for all tasks. The others are for those that may use sets: one of two texts has the same order under
every second seed."""
_OF_SETS = ("set", "frozenset", "hash")


_OWN_TESTS = "__own_tests__"
_CALL = """
def __own_tests__():
    try:
        exec({tests!r}, globals())
    except BaseException as error:
        return f"{{type(error).__name__}}: {{error}}"[:200]
    return ""
"""


def find_failing(runner: Runner, task: Task) -> Iterator[Finding]:
    """A finding for each test on which the reference fails, or does not pass against its own value.

    The other value comes of a run in the opposite order under another hash seed: the order of sets, the time, chance,
    and what earlier calls left behind are all others there.
    """
    for suite in SUITES:
        values = runner.run(task, task.inputs(suite))
        failing = {test: why for test, did in enumerate(values) if (why := _failure(task, did))}
        for test, why in failing.items():
            yield Finding(Kind.REFERENCE, task.task_id, why, suite, test)
        working = {test: did for test, did in enumerate(values) if test not in failing}
        for test, why in sorted(_unsteady(runner, task, suite, working).items()):
            yield Finding(Kind.UNSTEADY, task.task_id, why, suite, test)


def _failure(task: Task, did: Did) -> str:
    is_carried = did.is_digest or not did.value or representable(did.value, task)
    return did.error or ("" if is_carried else "it returns what cannot be compared")


def _unsteady(runner: Runner, task: Task, suite: SuiteName, values: Mapping[int, Did]) -> dict[int, str]:
    """Why, by test; `values` are by test too."""
    judge = SuiteJudge(task, task.inputs(suite))
    found: dict[int, str] = {}
    for seed in _HASH_SEEDS[: None if _may_use_sets(task.reference) else 1]:
        tests = [test for test in values if test not in found]
        again = runner.run(task, [task.inputs(suite)[test] for test in reversed(tests)], hash_seed=seed)
        for test, other in zip(tests, reversed(again), strict=True):
            why = _difference(runner, task, judge, (test, seed), values[test], other)
            if why:
                found[test] = why
    return found


def _may_use_sets(program: str) -> bool:
    """Whether the hash seed may move the order of anything in it."""
    nodes = list(ast.walk(ast.parse(program)))
    named = any(isinstance(node, ast.Name) and node.id in _OF_SETS for node in nodes)
    return named or any(isinstance(node, (ast.Set, ast.SetComp)) for node in nodes)


def _difference(runner: Runner, task: Task, judge: SuiteJudge, run: tuple[int, int], value: Did, other: Did) -> str:
    """What the strict profile says of one value where another is expected; `run` is the test and the hash seed."""
    test, seed = run
    if other.error:
        return f"another time it fails: {other.error}"
    if value == other and (value.is_digest or not judge.distrusted([value.value])):
        return ""
    if value.is_digest or other.is_digest:
        arguments = [judge.inputs[test]]
        (value,) = runner.run(task, arguments, in_full=True)
        (other,) = runner.run(task, arguments, in_full=True, hash_seed=seed)
    judgement, _ = judge.compare(test, other.value, value.value, task.atol)
    return "" if judgement.strict else f"another time it returns another value: {judgement.reason}"


def find_contradicted(runner: Runner, task: Task, tests: str) -> Iterator[Finding]:
    """Whether the reference passes the tests that the benchmark also gives as program text, where it gives any."""
    if not tests.strip():
        return
    caller = replace(task, reference=f"{task.reference}\n{_CALL.format(tests=tests)}", entry_point=_OWN_TESTS)
    (did,) = runner.run(caller, [()])
    why = decode(did.value) if did.value else did.error
    if why:
        yield Finding(Kind.OWN_TESTS, task.task_id, why)
