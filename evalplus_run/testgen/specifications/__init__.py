"""What the text of a task promises to handle, said where the benchmark itself does not say it."""

from __future__ import annotations

import ast
import copy
import functools
import textwrap
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from evalplus_run.records import Task


def contract_of(task: Task) -> str:
    """Statements that raise AssertionError where the task's text promises nothing, as `Task.contract`; '' if none.

    A task with a contract of its own comes from a benchmark that has settled what the text leaves open, how fast a
    program must be, and where the reference erred: of those only what the text itself says is kept.
    """
    definitions = _definitions()
    name = f"{task.task_id.replace('/', '_')}_{task.entry_point}"
    if name not in definitions or name.startswith("_"):
        return ""
    body = definitions[name] if not task.contract.strip() else _OwnWord().visit(copy.deepcopy(definitions[name]))
    statements = [*(definitions[helper] for helper in _helpers(body)), *body.body]
    return textwrap.indent("\n".join(map(ast.unparse, statements)), "    ")


def specified(task: Task) -> Task:
    """The task with what its text promises, beside a contract of its own."""
    # A contract of a benchmark may change its arguments: it goes last.
    parts = [part for part in (contract_of(task), task.contract.strip("\n")) if part]
    return replace(task, contract="\n".join(parts))


class _OwnWord(ast.NodeTransformer):
    """Drops what refuses inputs for another reason than what the text says."""

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        return ast.copy_location(ast.Pass(), node) if node.msg else node


def _helpers(function: ast.FunctionDef) -> list[str]:
    """Those that a function needs, its helpers' helpers too, in the order of the file."""
    definitions = _definitions()
    needed, new = set[str](), _named(function)
    while new:
        needed |= new
        new = set[str]().union(*(_named(definitions[each]) for each in new)) - needed
    return [each for each in definitions if each in needed]


def _named(function: ast.FunctionDef) -> set[str]:
    names = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
    return names & _definitions().keys()


@functools.cache
def _definitions() -> Mapping[str, ast.FunctionDef]:
    """All functions of the specifications, by their names."""
    source = Path(__file__).with_name("humaneval.py").read_text("utf-8")
    return {node.name: node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)}
