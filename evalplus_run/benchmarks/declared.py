"""Inputs that contradict the types that a task's own signature declares."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from evalplus_run.parsing import syntax_tree
from evalplus_run.records import Arguments, Task

Check = Callable[[Any], bool]
"""Whether a value is of a declared type."""

_KINDS: dict[str, tuple[type, ...]] = {
    **{"int": (int,), "float": (int, float), "str": (str,), "bool": (bool,), "bytes": (bytes,)},
    **{"list": (list,), "List": (list,), "dict": (dict,), "Dict": (dict,), "tuple": (tuple,), "Tuple": (tuple,)},
    **{"set": (set,), "Set": (set,), "complex": (int, float, complex)},
}
"""Other names stand for what cannot be told from a value. A bool is no int, as the statements of tasks go."""


def contradiction(task: Task) -> Callable[[Arguments], str]:
    """What says, of one input, which argument is of another type than declared; empty where none is."""
    declared = [(name, annotation, _check(annotation)) for name, annotation in _parameters(task)]

    def of(arguments: Arguments) -> str:
        for (name, annotation, fits), argument in zip(declared, arguments, strict=False):
            if not fits(argument):
                return f"{name} is declared {ast.unparse(annotation)} and is {_kind(argument)}"
        return ""

    return of


def ill_typed(task: Task, inputs: Sequence[Arguments]) -> Iterator[tuple[int, str]]:
    """(test, why) of each input that contradicts what is declared."""
    of = contradiction(task)
    return ((test, why) for test, arguments in enumerate(inputs) if (why := of(arguments)))


def _parameters(task: Task) -> list[tuple[str, ast.expr]]:
    """The entry point's, with what is declared of each."""
    try:
        tree = syntax_tree(task.reference)
    except SyntaxError:
        return []
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == task.entry_point]
    parameters = functions[-1].args.args if functions else []
    return [(each.arg, each.annotation or ast.Name("Any")) for each in parameters]


def _check(annotation: ast.expr) -> Check:  # noqa: PLR0911 - one form of annotation each
    match annotation:
        case ast.Attribute(attr=name):  # typing.List
            return _check(ast.Name(name))
        case ast.Constant(str() as text):
            return _check(_parsed(text))
        case ast.Constant(None):
            return lambda value: value is None
        case ast.Name(name):
            kinds = _KINDS.get(name)
            return lambda value: kinds is None or type(value) in kinds
        case ast.BinOp(left, ast.BitOr(), right):
            return _any_of([left, right])
        case ast.Subscript(container, ast.Tuple(parts)):
            return _generic(_name(container), parts)
        case ast.Subscript(container, part):
            return _generic(_name(container), [part])
    return lambda value: True  # nothing that can be told from a value


def _parsed(annotation: str) -> ast.expr:
    try:
        match syntax_tree(annotation.strip()).body:
            case [ast.Expr(expression)]:
                return expression
    except SyntaxError:
        pass
    return ast.Name("Any")


def _generic(name: str, parts: list[ast.expr]) -> Check:  # noqa: PLR0911 - one container each
    match name, parts:
        case "Optional", [part]:
            return _any_of([part, ast.Constant(None)])
        case "Union", _:
            return _any_of(parts)
        case (("List" | "list" | "Set" | "set"), [part]):
            kind, fits = _check(ast.Name(name)), _check(part)
            return lambda value: kind(value) and all(map(fits, value))
        case (("Dict" | "dict"), [key, part]):
            fits_key, fits = _check(key), _check(part)
            return lambda value: type(value) is dict and all(fits_key(k) and fits(v) for k, v in value.items())
        case (("Tuple" | "tuple"), [part, ast.Constant(value=end)]) if end is ...:
            fits = _check(part)
            return lambda value: type(value) is tuple and all(map(fits, value))
        case (("Tuple" | "tuple"), _):
            checks = [_check(part) for part in parts]
            return lambda value: (
                type(value) is tuple
                and len(value) == len(checks)
                and all(fits(each) for fits, each in zip(checks, value, strict=True))
            )
    return _check(ast.Name(name))


def _any_of(choices: list[ast.expr]) -> Check:
    checks = [_check(choice) for choice in choices]
    return lambda value: any(fits(value) for fits in checks)


def _name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _kind(value: Any) -> str:
    """A type for people; of a list, tuple or set the types of its items too."""
    name = type(value).__name__
    kinds = sorted({type(item).__name__ for item in value}) if isinstance(value, (list, tuple, set)) else []
    return f"{name} of {', '.join(kinds)}" if kinds else name
