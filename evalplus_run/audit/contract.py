"""Inputs that the task's own contract refuses."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from evalplus_run.audit.findings import Finding, Kind
from evalplus_run.audit.running import Runner
from evalplus_run.judge import decode
from evalplus_run.records import SUITES, Task
from evalplus_run.testgen.ingredients import examples
from evalplus_run.testgen.observer import contract_program
from evalplus_run.testgen.signatures import argument_kinds
from evalplus_run.testgen.values import key

_REFUSAL = "__refusal__"
_CALL = f"""
def {_REFUSAL}(*arguments):
    try:
        __contract__(*arguments)
    except Exception as error:
        trace = error.__traceback__.tb_next
        return [(type(error).__name__, trace.tb_lineno if trace else 0)]
    return []
"""
"""What calls the contract: a refusal is one pair, the exception's name and the line that raised it."""


def find_refused(runner: Runner, task: Task) -> Iterator[Finding]:
    """A finding for each test.

    It is no fault of the test where the contract itself is in doubt: it raises what it does not mean to, or it refuses
    what stands in the prompt as an example.
    """
    contract = contract_program(task, ast.parse(task.reference))
    if not contract:
        return
    program = f"{task.reference}\n{contract}\n{_CALL}"
    caller = replace(task, reference=program, entry_point=_REFUSAL)
    meant = _meant(program)
    refusals = [
        (suite, test, meant.get(line, "") if error == "AssertionError" or "raise" in meant.get(line, "") else "", error)
        for suite in SUITES
        for test, did in enumerate(runner.run(caller, task.inputs(suite)))
        for error, line in (decode(did.value) if did.value else ())
    ]
    shown = {key(each) for each in examples(task, argument_kinds(task, task.base_inputs))}
    shown_refused = any(where and key(task.inputs(suite)[test]) in shown for suite, test, where, _ in refusals)
    for suite, test, where, error in refusals:
        kind, reason = Kind.CONTRACT, f"{where} of the contract refuses it"
        if not where:
            kind, reason = Kind.CONTRACT_IN_DOUBT, f"the contract itself fails on it with {error}"
        elif shown_refused:
            kind, reason = Kind.CONTRACT_IN_DOUBT, f"{reason}, and an example of the prompt"
        yield Finding(kind, task.task_id, reason, suite, test)


def _meant(program: str) -> dict[int, str]:
    """The lines at which the contract means to refuse, and what stands there: `assertion 2`, counted from 1."""
    function = next(node for node in ast.parse(program).body if getattr(node, "name", "") == "__contract__")
    found: dict[int, str] = {}
    for kind, word in ((ast.Assert, "assertion"), (ast.Raise, "raise")):
        nodes = sorted((node for node in ast.walk(function) if isinstance(node, kind)), key=lambda node: node.lineno)
        for number, node in enumerate(nodes, start=1):
            found |= dict.fromkeys(range(node.lineno, (node.end_lineno or node.lineno) + 1), f"{word} {number}")
    return found
