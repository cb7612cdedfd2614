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
        return [type(error).__name__, trace.tb_lineno if trace else 0]
    return []
"""
"""What calls the contract: a refusal is the exception's name, and the line of the program that raised it."""


def find_refused(runner: Runner, task: Task) -> Iterator[Finding]:
    """A finding for each test.

    An input that stands in the prompt as an example is no fault of the test: there the contract contradicts the prompt.
    """
    contract = contract_program(task, ast.parse(task.reference))
    if not contract:
        return
    program = f"{task.reference}\n{contract}\n{_CALL}"
    caller = replace(task, reference=program, entry_point=_REFUSAL)
    shown = {key(each) for each in examples(task, argument_kinds(task, task.base_inputs))}
    for suite in SUITES:
        inputs = task.inputs(suite)
        for test, did in enumerate(runner.run(caller, inputs)):
            refusal = decode(did.value) if did.value else []
            if refusal:
                kind = Kind.EXAMPLE if key(inputs[test]) in shown else Kind.CONTRACT
                yield Finding(kind, task.task_id, _reason(program, *refusal), suite, test)


def _reason(program: str, error: str, line: int) -> str:
    """Which of the contract's assertions it was, counted from 1."""
    function = next(node for node in ast.parse(program).body if getattr(node, "name", "") == "__contract__")
    asserts = [node for node in ast.walk(function) if isinstance(node, ast.Assert)]
    for number, node in enumerate(sorted(asserts, key=lambda node: node.lineno), start=1):
        if error == "AssertionError" and node.lineno <= line <= (node.end_lineno or node.lineno):
            return f"assertion {number} of the contract refuses it"
    return f"the contract raises {error}"
