"""Answers that are only the body of the prompt's function, or a method of a class."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator, Sequence

from evalplus_run.records import Task
from evalplus_run.sanitize.candidates import Candidate
from evalplus_run.sanitize.characters import indented_runs
from evalplus_run.sanitize.entry import quality, signature
from evalplus_run.sanitize.syntax import parse
from evalplus_run.sanitize.units import FUNCTIONS, Unit, read_units


def join_body(pieces: Sequence[str], task: Task) -> Candidate | None:
    """The prompt with the last piece that can be its function's body."""
    function = signature(task)
    if function is None:
        return None
    indent = " " * function.body[0].col_offset
    for piece in reversed(pieces):
        for body in _bodies(piece, indent):
            units = read_units(f"{task.prompt.rstrip()}\n{body}\n")
            found = quality(units, task)
            if found is not None and found.full and found.complete:
                return Candidate(tuple(units), found, prompt_in_front=True)
    return None


def lift_method(units: Sequence[Unit], task: Task) -> tuple[Unit, ...] | None:
    """The statements with a function that calls the entry point's method; None if that cannot be called."""
    owner = method_owner(units, task)
    if owner is None or not _constructs_plainly(owner):
        return None
    method = next(node for node in owner.body if isinstance(node, FUNCTIONS) and node.name == task.entry_point)
    bound = bool(method.decorator_list) or [arg.arg for arg in _positional(method)[:1]] == ["self"]
    call = f"{owner.name}{'()' if bound else ''}.{task.entry_point}"
    wrapper = f"\n\ndef {task.entry_point}(*args, **kwargs):\n    return {call}(*args, **kwargs)"
    return (*units, *read_units(wrapper))


def method_owner(units: Sequence[Unit], task: Task) -> ast.ClassDef | None:
    """The only class with a method of the entry point's name."""
    classes = {node.name: node for unit in units for node in unit.nodes if isinstance(node, ast.ClassDef)}
    owners = [node for node in classes.values() if any(_is_method(inner, task) for inner in node.body)]
    return owners[0] if len(owners) == 1 else None


def _is_method(node: ast.stmt, task: Task) -> bool:
    return isinstance(node, FUNCTIONS) and node.name == task.entry_point


def _constructs_plainly(owner: ast.ClassDef) -> bool:
    constructors = [node for node in owner.body if isinstance(node, FUNCTIONS) and node.name == "__init__"]
    arguments = [constructor.args for constructor in constructors]
    return all(
        len(args.posonlyargs) + len(args.args) - len(args.defaults) <= 1 and None not in args.kw_defaults
        for args in arguments
    )


def _positional(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.arg]:
    return [*function.args.posonlyargs, *function.args.args]


def _bodies(piece: str, indent: str) -> Iterator[str]:
    """The ways to see a body in a piece, each indented as the prompt's function is."""
    statements = [unit.text for unit in read_units(piece) if not unit.cut and not _is_prose(unit)]
    runs = reversed(indented_runs(piece))
    first_line_stripped = indent + piece.strip("\n")
    for text in [piece, first_line_stripped, *runs, "\n".join(statements)]:
        body = textwrap.dedent(text).strip("\n")
        if _returns(body):
            yield textwrap.indent(body, indent)


def _returns(text: str) -> bool:
    """Whether the text returns or yields outside of any function of its own."""
    tree = parse(text)
    if not isinstance(tree, ast.Module):
        return False
    stack: list[ast.AST] = [*tree.body]
    while stack:
        node = stack.pop()
        if isinstance(node, (ast.Return, ast.Yield, ast.YieldFrom)):
            return True
        if not isinstance(node, (*FUNCTIONS, ast.ClassDef, ast.Lambda)):
            stack += ast.iter_child_nodes(node)
    return False


def _is_prose(unit: Unit) -> bool:
    return all(isinstance(node, ast.Expr) and not isinstance(node.value, ast.Call) for node in unit.nodes)
