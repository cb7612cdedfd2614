"""Mutants of a reference: one small change each, of kinds that people and models get wrong."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

_COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.Eq),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.Eq),
    ast.Eq: (ast.NotEq, ast.LtE, ast.GtE),
    ast.NotEq: (ast.Eq, ast.Lt, ast.Gt),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
_ARITHMETIC: dict[type[ast.operator], tuple[type[ast.operator], ...]] = {
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Add, ast.FloorDiv),
    ast.Div: (ast.Mult, ast.FloorDiv),
    ast.FloorDiv: (ast.Div, ast.Mod),
    ast.Mod: (ast.FloorDiv,),
    ast.Pow: (ast.Mult,),
    ast.BitAnd: (ast.BitOr,),
    ast.BitOr: (ast.BitAnd, ast.BitXor),
    ast.BitXor: (ast.BitOr,),
    ast.LShift: (ast.RShift,),
    ast.RShift: (ast.LShift,),
}
_NAMES: dict[str, tuple[str, ...]] = {
    **{"min": ("max",), "max": ("min",), "any": ("all",), "all": ("any",), "round": ("int",)},
    **{"lower": ("upper",), "upper": ("lower",), "isupper": ("isalpha",), "islower": ("isalpha",)},
    **{"isalpha": ("isalnum",), "isdigit": ("isalnum",), "startswith": ("endswith",), "endswith": ("startswith",)},
    **{"floor": ("ceil",), "ceil": ("floor",), "find": ("rfind",), "lstrip": ("rstrip",), "rstrip": ("lstrip",)},
    **{"union": ("intersection",), "intersection": ("union",)},
}


@dataclass(frozen=True, slots=True)
class Mutant:
    """A program that differs from a reference in one place."""

    operator: str
    line: int
    """In the reference."""
    source: str


def mutants(reference: str, most: int, rng: Random) -> list[Mutant]:
    """Up to so many, no two alike; where there are more, some of each operator."""
    tree = ast.parse(reference)
    for node in ast.walk(tree):
        _drop_docstring(node)
    original = ast.dump(tree)
    found: dict[str, list[Mutant]] = {}
    known = {original}
    for operator, line, mutant in _all(tree):
        text = ast.dump(mutant)
        if text not in known:
            known.add(text)
            found.setdefault(operator, []).append(
                Mutant(operator, line, ast.unparse(ast.fix_missing_locations(mutant)))
            )
    for each in found.values():
        rng.shuffle(each)
    chosen: list[Mutant] = []
    while len(chosen) < most and any(found.values()):
        chosen += [each.pop() for each in found.values() if each]
    return chosen[:most]


def _drop_docstring(node: ast.AST) -> None:
    body = getattr(node, "body", None)
    match body:
        case [ast.Expr(ast.Constant(str())), _, *_]:
            del body[0]


def _all(tree: ast.Module) -> Iterator[tuple[str, int, ast.Module]]:
    """(operator, line, the changed program) of every change of every node inside a function."""
    for function in (node for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))):
        for parent in ast.walk(function):
            for name, value in ast.iter_fields(parent):
                if isinstance(parent, ast.FunctionDef) and name in ("args", "returns", "decorator_list", "name"):
                    continue
                for place, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
                    if isinstance(child, ast.AST):
                        for operator, new in _changes(child):
                            changed = _replaced(tree, parent, name, place, new)
                            yield operator, getattr(child, "lineno", 0), changed


def _replaced(tree: ast.Module, parent: ast.AST, name: str, place: int | None, new: ast.AST) -> ast.Module:
    """A copy of the tree with one child replaced."""
    old = getattr(parent, name)
    if place is None:
        setattr(parent, name, new)
    else:
        setattr(parent, name, [*old[:place], new, *old[place + 1 :]])
    try:
        return copy.deepcopy(tree)
    finally:
        setattr(parent, name, old)


def _changes(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:  # noqa: PLR0912 - one form each
    match node:
        case ast.Compare(left, [one], [right]):
            for other in _COMPARISONS.get(type(one), ()):
                yield "comparison", ast.Compare(left, [other()], [right])
        case ast.Compare(left, operators, rights):
            for i, one in enumerate(operators):
                for other in _COMPARISONS.get(type(one), ())[:1]:
                    yield "comparison", ast.Compare(left, [*operators[:i], other(), *operators[i + 1 :]], rights)
        case ast.BoolOp(operator, values):
            yield "and or", ast.BoolOp(ast.Or() if isinstance(operator, ast.And) else ast.And(), values)
            for i in range(len(values)):
                rest = [*values[:i], *values[i + 1 :]]
                yield "part of a condition", rest[0] if len(rest) == 1 else ast.BoolOp(operator, rest)
        case ast.UnaryOp(ast.Not() | ast.USub() | ast.Invert(), operand):
            yield "unary", operand
        case ast.BinOp(left, operator, right):
            for other_operator in _ARITHMETIC.get(type(operator), ()):
                yield "arithmetic", ast.BinOp(left, other_operator(), right)
            yield "operand", left
            yield "operand", right
        case ast.Constant():
            yield from (("constant", ast.Constant(value)) for value in _other_constants(node.value))
        case ast.Call():
            yield from _changed_calls(node)
        case ast.Subscript(value, ast.Slice() as part):
            for bound in ("lower", "upper", "step"):
                if getattr(part, bound) is not None:
                    yield "slice", ast.Subscript(value, _without(part, bound), node.ctx)
        case ast.comprehension() if node.ifs:
            yield "filter", ast.comprehension(node.target, node.iter, [], node.is_async)
        case ast.Attribute(value, name) if name in _NAMES:
            yield from (("name", ast.Attribute(value, other, node.ctx)) for other in _NAMES[name])
        case ast.Name(name) if name in _NAMES:
            yield from (("name", ast.Name(other, node.ctx)) for other in _NAMES[name])
        case ast.stmt():
            yield from _changed_statements(node)
        case _:
            pass
    if isinstance(node, ast.IfExp):
        yield "branch", node.body
        yield "branch", node.orelse


def _changed_calls(node: ast.Call) -> Iterator[tuple[str, ast.AST]]:
    match node:
        case ast.Call(ast.Name("range"), arguments) if arguments:
            place = 0 if len(arguments) == 1 else 1
            for operator in (ast.Add(), ast.Sub()):
                bound = ast.BinOp(arguments[place], operator, ast.Constant(1))
                yield "range", ast.Call(node.func, [*arguments[:place], bound, *arguments[place + 1 :]], [])
        case ast.Call(ast.Name(), [argument]) if not isinstance(argument, ast.Starred):
            yield "call left out", argument
        case ast.Call(ast.Attribute(value), arguments) if len(arguments) <= 1:
            yield "call left out", value
    for i in range(len(node.keywords)):
        yield "keyword", ast.Call(node.func, node.args, [*node.keywords[:i], *node.keywords[i + 1 :]])


def _changed_statements(node: ast.stmt) -> Iterator[tuple[str, ast.AST]]:
    match node:
        case ast.If(test, body, orelse):
            yield "condition", ast.If(ast.Constant(value=True), body, orelse)
            yield "condition", ast.If(ast.Constant(value=False), body, orelse)
            yield "condition", ast.If(ast.UnaryOp(ast.Not(), test), body, orelse)
        case ast.Break():
            yield "jump", ast.Continue()
        case ast.Continue():
            yield "jump", ast.Break()
            yield "jump", ast.Pass()
        case ast.Assign() | ast.AugAssign() | ast.Expr() | ast.Delete():
            yield "statement left out", ast.Pass()
            if isinstance(node, ast.AugAssign):
                for other in _ARITHMETIC.get(type(node.op), ()):
                    yield "arithmetic", ast.AugAssign(node.target, other(), node.value)


def _other_constants(value: Any) -> Sequence[Any]:
    if isinstance(value, bool):
        return (not value,)
    if isinstance(value, int):
        return tuple(dict.fromkeys((value + 1, value - 1, 0, -value)))
    if isinstance(value, float):
        return (value + 1.0, -value)
    if isinstance(value, str):
        return ("", value + "x", value[1:]) if value else ("x",)
    return ()


def _without(part: ast.Slice, bound: str) -> ast.Slice:
    bounds = {name: getattr(part, name) for name in ("lower", "upper", "step") if name != bound}
    return ast.Slice(**bounds)
