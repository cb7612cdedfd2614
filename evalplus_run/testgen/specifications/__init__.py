"""What the text of a task promises to handle, for benchmarks that come without contracts."""

from __future__ import annotations

import ast
import functools
import textwrap
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from evalplus_run.records import Task


def contract_of(task: Task) -> str:
    """Statements that raise AssertionError where the task's text promises nothing, as `Task.contract`; '' if none."""
    definitions = _definitions()
    name = f"{task.task_id.replace('/', '_')}_{task.entry_point}"
    if name not in definitions or name.startswith("_"):
        return ""
    statements = [*(definitions[helper] for helper in _helpers(name)), *definitions[name].body]
    return textwrap.indent("\n".join(map(ast.unparse, statements)), "    ")


def specified(task: Task) -> Task:
    """The task with what its text promises, if it has no contract of its own.

    A contract is its benchmark's word on what programs must handle; beside it the text alone refuses too much.
    """
    return task if task.contract.strip() else replace(task, contract=contract_of(task))


def _helpers(name: str) -> list[str]:
    """Those that a function needs, its helpers' helpers too, in the order of the file."""
    definitions = _definitions()
    needed, new = set[str](), {name}
    while new:
        used = {node.id for each in new for node in ast.walk(definitions[each]) if isinstance(node, ast.Name)}
        needed |= new
        new = (used & definitions.keys()) - needed
    return [each for each in definitions if each in needed and each != name]


@functools.cache
def _definitions() -> Mapping[str, ast.FunctionDef]:
    """All functions of the specifications, by their names."""
    source = Path(__file__).with_name("humaneval.py").read_text("utf-8")
    return {node.name: node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)}
