"""How well some statements define the entry point, and what the task's prompt tells about it."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from evalplus_run.records import Task
from evalplus_run.sanitize.demonstrations import binds_data, binds_function, demonstration
from evalplus_run.sanitize.names import base_name
from evalplus_run.sanitize.syntax import parse
from evalplus_run.sanitize.units import FUNCTIONS, Unit, read_units

_BINDING = re.compile(
    r"(?m)^[^\w\n]*+(?:(?:async[^\w\n]+)?(?:def|class)[^\w\n]+(\w+)|(?:from|import)[^\w\n](.*)|(\w[^=\n]*)=(?!=))"
)
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True, order=True)
class Quality:
    """What speaks for a definition of the entry point, the weightiest first."""

    full: bool = False
    """It has a body, not only a docstring."""
    complete: bool = False
    """It parses whole."""
    is_function: bool = False
    """It is one for sure: a name given to some result may be another thing, in an example worked out."""
    fits: bool = False
    """It takes as many arguments as the task gives."""


def definition_of(units: Sequence[Unit], task: Task) -> Unit | None:
    """The last definition of the entry point."""
    reasons = demonstration(units, task.entry_point)
    found = [unit for unit, reason in zip(units, reasons, strict=True) if not reason and _defines(unit, task)]
    return found[-1] if found else None


def quality(definition: Unit, units: Sequence[Unit], task: Task) -> Quality:
    """How good a definition of the entry point is, among the statements that it stands in."""
    functions = {name for unit in units for name in unit.names.defines}
    node = definition.nodes[0] if definition.is_definition else None
    function = node if isinstance(node, FUNCTIONS) else None
    return Quality(
        full=function is None or not is_stub(function),
        complete=not definition.fault,
        is_function=any(
            binds_function(unit, task.entry_point, functions) for unit in units if task.entry_point in unit.names.binds
        ),
        fits=function is None or _takes(function, arguments(task)),
    )


def prompt_units(task: Task) -> Sequence[Unit]:
    """The statements of the prompt; its unfinished function gets an empty body."""
    return read_units(f"{task.prompt.rstrip()}\n    pass\n")


def signature(task: Task) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    """The entry point as the prompt begins it."""
    nodes = [node for unit in prompt_units(task) for node in unit.nodes]
    return next((node for node in nodes if isinstance(node, FUNCTIONS) and node.name == task.entry_point), None)


def is_stub(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a function says only what it would do."""
    return all(_says_nothing(node) for node in function.body)


def is_prompt(definition: Unit, task: Task) -> bool:
    """Whether the entry point is as the prompt has it, nothing added."""
    return any(unit.code == definition.code for unit in read_units(task.prompt))


def definition_in_words(text: str, task: Task) -> str:
    """The text from where it means to define the entry point for the last time, though it may not parse."""
    head = rf"(?m)^(?:async[ \t]+)?def[ \t]+{re.escape(task.entry_point)}\b"
    begins = [match.start() for match in re.finditer(head, text)]
    return text[begins[-1] :] if begins else ""


def bound_in_words(text: str) -> frozenset[str]:
    """What the lines of a text seem to define, import or assign, though they may not parse."""
    return frozenset(word for groups in _BINDING.findall(text) for group in groups for word in _WORD.findall(group))


def _says_nothing(node: ast.stmt) -> bool:
    if isinstance(node, ast.Raise):
        return node.exc is not None and base_name(node.exc) == "NotImplementedError"
    return isinstance(node, ast.Pass) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))


def _defines(unit: Unit, task: Task) -> bool:
    """An import counts only from the standard library: another file is not there."""
    if task.entry_point not in unit.names.binds or binds_data(unit, task.entry_point):
        return False
    if task.entry_point not in unit.names.imports or task.entry_point in unit.names.defines:
        return True
    modules = {node.module for node in unit.nodes if isinstance(node, ast.ImportFrom) and not node.level}
    return any((module or "").partition(".")[0] in sys.stdlib_module_names for module in modules)


def arguments(task: Task) -> int | None:
    """How many arguments the prompt gives the entry point: in its signature, or in an assertion's call."""
    function = signature(task)
    if function is not None:
        return len(function.args.posonlyargs) + len(function.args.args)
    for line in re.findall(r"(?m)^[ \t]*(assert\b.*)$", task.prompt):
        tree = parse(line)
        for node in ast.walk(tree) if isinstance(tree, ast.Module) else ():
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == task.entry_point:
                return len(node.args)
    return None


def _takes(function: ast.FunctionDef | ast.AsyncFunctionDef, arguments: int | None) -> bool:
    if arguments is None:
        return True
    positional = len(function.args.posonlyargs) + len(function.args.args)
    enough = arguments >= positional - len(function.args.defaults)
    return enough and (arguments <= positional or function.args.vararg is not None)
