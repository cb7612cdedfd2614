"""Answers that are a class with the entry point as its method.

The policy: where exactly one class has a method of that name and its constructor needs no arguments, a function that
calls the method is put after the class, a new object for each call. Otherwise the class stays as it is, and a note
tells why the entry point is missing. The settings can turn the first off.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from evalplus_run.records import Task
from evalplus_run.sanitize.candidates import Candidate, candidate_of
from evalplus_run.sanitize.entry import arguments
from evalplus_run.sanitize.units import FUNCTIONS, Unit, read_units

_Function = ast.FunctionDef | ast.AsyncFunctionDef


def lift_method(units: Sequence[Unit], task: Task) -> Candidate | None:
    """The statements with a function that calls the entry point's method; None if there is none to call."""
    owner = _owner(units, task)
    if owner is None or not _constructs_plainly(owner):
        return None
    needs_object = any(
        method.decorator_list or _takes_object(method, arguments(task)) for method in _methods(owner, task.entry_point)
    )
    call = f"{owner.name}{'()' if needs_object else ''}.{task.entry_point}"
    wrapper = f"\n\ndef {task.entry_point}(*args, **kwargs):\n    return {call}(*args, **kwargs)"
    return candidate_of([*units, *read_units(wrapper)], task)


def _takes_object(method: _Function, arguments: int | None) -> bool:
    """Whether the first argument is the object, whatever its name: it is one more than the task gives."""
    positional = [*method.args.posonlyargs, *method.args.args]
    named = bool(positional) and positional[0].arg == "self"
    return named or len(positional) - len(method.args.defaults) - 1 == arguments


def why_no_entry_point(units: Sequence[Unit], task: Task) -> str:
    """Why code does not define the entry point, in words."""
    owner = _owner(units, task)
    return "not defined" if owner is None else f"only a method of class {owner.name}"


def _owner(units: Sequence[Unit], task: Task) -> ast.ClassDef | None:
    """The only class with a method of the entry point's name."""
    classes = {node.name: node for unit in units for node in unit.nodes if isinstance(node, ast.ClassDef)}
    owners = [node for node in classes.values() if _methods(node, task.entry_point)]
    return owners[0] if len(owners) == 1 else None


def _methods(owner: ast.ClassDef, name: str) -> list[_Function]:
    return [node for node in owner.body if isinstance(node, FUNCTIONS) and node.name == name]


def _constructs_plainly(owner: ast.ClassDef) -> bool:
    return all(
        len(args.posonlyargs) + len(args.args) - len(args.defaults) <= 1 and None not in args.kw_defaults
        for args in (method.args for method in _methods(owner, "__init__"))
    )
