"""Statements that show or test a program, and are no part of it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence, Set

from evalplus_run.sanitize.names import base_name, running_nodes
from evalplus_run.sanitize.units import Unit

_READERS = {"input", "raw_input", "exit", "quit"}
_HOLDERS = {"sys", "os", "stdin"}
_ENDS = {"exit", "_exit", "abort"}
_BLOCKS = (ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.AugAssign)
_ROWS = (ast.Tuple, ast.List)
_LITERALS = (ast.Constant, ast.JoinedStr, ast.List, ast.Tuple, ast.Dict, ast.Set, ast.ListComp, ast.DictComp)


def demonstration(units: Sequence[Unit], entry_point: str) -> Iterator[str]:
    """For each statement why it is no part of the program; empty for those that may be."""
    is_defined = any(entry_point in unit.names.defines for unit in units)
    whole: dict[str, Unit] = {}  # the last whole definition of each name so far
    for unit in units:
        if is_defined and is_entry_import(unit, entry_point):
            yield "imports the entry point"
        elif _is_cut_repetition(unit, whole, is_last=unit is units[-1]):
            yield "cut off, and defined before"
        else:
            yield _reason(unit, entry_point, defined=entry_point in whole)
            whole |= dict.fromkeys(unit.names.defines, unit)


def is_entry_import(unit: Unit, entry_point: str) -> bool:
    """Whether the entry point would come from some other file, as in a test beside the solution."""
    return entry_point in unit.names.imports and entry_point not in unit.names.defines


def _is_cut_repetition(unit: Unit, whole: Mapping[str, Unit], *, is_last: bool) -> bool:
    """Whether a definition repeats an earlier one and was cut short: it does not parse, or ends the text."""
    if not unit.is_definition or not unit.names.defines <= whole.keys():
        return False
    return unit.cut or (is_last and any(unit.is_beginning_of(whole[name]) for name in unit.names.defines))


def _reason(unit: Unit, entry_point: str, *, defined: bool) -> str:
    if not unit.nodes:
        return ""
    if all(isinstance(node, ast.Assert) for node in unit.nodes):
        return "test"
    if "__name__" in unit.names.runs and any(isinstance(node, ast.If) and _is_main_guard(node) for node in unit.nodes):
        return "main guard"
    if not unit.names.imports | unit.names.defines and _is_interactive(unit):
        return "reads input or exits"
    if defined and entry_point in unit.names.binds and _hides_entry_point(unit, entry_point):
        return "hides the entry point"
    return ""


def _is_main_guard(node: ast.If) -> bool:
    return any(isinstance(inner, ast.Name) and inner.id == "__name__" for inner in ast.walk(node.test))


def _is_interactive(unit: Unit) -> bool:
    if not unit.names.runs & (_READERS | _HOLDERS):
        return False
    calls = (node.func for node in running_nodes(unit.nodes) if isinstance(node, ast.Call))
    return any(_reads_or_exits(function) for function in calls)


def _reads_or_exits(function: ast.expr) -> bool:
    if isinstance(function, ast.Name):
        return function.id in _READERS
    if not isinstance(function, ast.Attribute):
        return False
    if base_name(function) not in _HOLDERS:
        return False
    of_stdin = isinstance(function.value, ast.Attribute) and function.value.attr == "stdin"
    return function.attr in _ENDS or of_stdin or base_name(function) == "stdin"


def binds_data(unit: Unit, entry_point: str) -> bool:
    """Whether a statement that binds the entry point's name gives it a value that is no function."""
    if entry_point in unit.names.defines or entry_point in unit.names.imports:
        return False
    return any(isinstance(node, _BLOCKS) for node in unit.nodes) or any(
        value is None or isinstance(value, _LITERALS) or entry_point in map(base_name, _called(value))
        for value in _values(unit, entry_point)
    )


def binds_function(unit: Unit, entry_point: str, functions: Set[str]) -> bool:
    """Whether a statement gives the entry point's name a function for sure, and not what some call or sum comes to.

    `functions` are those, classes too, that stand beside it.
    """
    if entry_point in unit.names.defines or entry_point in unit.names.imports:
        return True
    return any(value is not None and _is_function(value, functions) for value in _values(unit, entry_point))


def _is_function(value: ast.expr, functions: Set[str]) -> bool:
    """One that is written there, that of a module, or something made of functions beside it."""
    if isinstance(value, ast.Attribute) and not any(isinstance(node, ast.Call) for node in ast.walk(value)):
        return True
    nodes = [*ast.walk(value)]
    return any(isinstance(node, ast.Lambda) or (isinstance(node, ast.Name) and node.id in functions) for node in nodes)


def _hides_entry_point(unit: Unit, entry_point: str) -> bool:
    """Whether a statement after the entry point's definition binds its name to something else, as in `f = g(3)`."""
    return binds_data(unit, entry_point) or any(
        _is_result(value, entry_point) for value in _values(unit, entry_point) if value
    )


def _is_result(value: ast.expr, entry_point: str) -> bool:
    """Whether a value is what a call gives that does not wrap the entry point."""
    called = _called(value)
    names = [node for node in ast.walk(value) if isinstance(node, ast.Name) and node.id == entry_point]
    return bool(called) and all(name in called for name in names) and not isinstance(value, ast.Lambda)


def _called(value: ast.expr) -> list[ast.expr]:
    return [node.func for node in ast.walk(value) if isinstance(node, ast.Call)]


def _values(unit: Unit, name: str) -> Iterator[ast.expr | None]:
    """What the assignments of a statement, or of several on one line, give a name."""
    for node in unit.nodes:
        if isinstance(node, ast.Assign):
            yield from (value for target in node.targets for value in _given(target, node.value, name))
        elif isinstance(node, ast.AnnAssign) and base_name(node.target) == name:
            yield node.value


def _given(target: ast.expr, value: ast.expr, name: str) -> Iterator[ast.expr]:
    if isinstance(target, _ROWS) and isinstance(value, _ROWS) and len(target.elts) == len(value.elts):
        for inner, element in zip(target.elts, value.elts, strict=True):
            yield from _given(inner, element, name)
    elif any(isinstance(node, ast.Name) and node.id == name for node in ast.walk(target)):
        yield value
