"""Names that stand for the same object as others, or for a part of it: what changes one changes the other."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

_THROUGH = {"enumerate", "zip", "reversed", "iter", "next", "filter", "map", "list", "tuple", "sorted", "partial"}


@dataclass(frozen=True, slots=True)
class View:
    """What one assignment or loop binds to what is there already."""

    names: frozenset[str]
    others: frozenset[str]
    """What the names give access to."""


def views_of(nodes: Iterable[ast.AST]) -> Iterator[View]:
    """The views that these nodes bind, those inside of them aside."""
    for node in nodes:
        for target, value in _bindings(node):
            names = frozenset(inner.id for inner in ast.walk(target) if isinstance(inner, ast.Name))
            others = seen_in(value) if names else frozenset()
            if others:
                yield View(names, others)


def seen_in(value: ast.expr) -> frozenset[str]:
    """The names of what a value gives access to: itself, its items, what a function in it holds."""
    found: set[str] = set()
    stack: list[ast.AST] = [value]
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Name):
            found.add(node.id)
        elif isinstance(node, (ast.Attribute, ast.Subscript, ast.Starred)):
            stack.append(node.value)
        elif isinstance(node, ast.Call):
            passes_on = isinstance(node.func, ast.Name) and node.func.id in _THROUGH
            stack += node.args if passes_on else [node.func] if isinstance(node.func, ast.Attribute) else []
        elif isinstance(node, (ast.Tuple, ast.List, ast.Set, ast.Dict, ast.IfExp, ast.BoolOp)):
            stack += ast.iter_child_nodes(node)
        elif isinstance(node, ast.Lambda):
            found |= {inner.id for inner in ast.walk(node.body) if isinstance(inner, ast.Name)}
    return frozenset(found)


def _bindings(node: ast.AST) -> list[tuple[ast.expr, ast.expr]]:
    """Each target that a node binds, with the value."""
    if isinstance(node, ast.Assign):
        return [(target, node.value) for target in node.targets]
    if isinstance(node, (ast.AnnAssign, ast.NamedExpr)):
        return [(node.target, node.value)] if node.value else []
    if isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)):
        return [(node.target, node.iter)]
    if isinstance(node, ast.withitem):
        return [(node.optional_vars, node.context_expr)] if node.optional_vars else []
    return []
