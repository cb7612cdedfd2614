"""A program that tells which of its branches ran, and that stops after so many steps: by its syntax tree.

An outcome is one way that a condition, a loop or an `and`/`or` can go; they are numbered as they stand in the program.
Steps are calls, turns of loops, items of comprehensions and what builtins take from an iterator. In place of time they
make the same program stop at the same place on every machine.
"""

from __future__ import annotations

import ast
from typing import TypeVar

Function = TypeVar("Function", ast.FunctionDef, ast.AsyncFunctionDef)

CONDITION, ITERATED, ENTERED, STEP, CONSUMED = (
    "__condition__",
    "__iterated__",
    "__entered__",
    "__step__",
    "__consumed__",
)
"""What a program that was instrumented calls; see `guest`."""
_GROWING: dict[type[ast.operator], str] = {ast.Mult: "__times__", ast.Pow: "__power__", ast.LShift: "__shifted__"}
"""Operators that can take any time in a single step."""
_CONSUMERS = frozenset(("all", "any", "dict", "frozenset", "list", "max", "min", "set", "sorted", "sum", "tuple"))
"""Functions that take all that an iterator gives in a single step; of methods (`join`, `extend`) any may."""


def instrumented(tree: ast.Module, *, covering: bool) -> tuple[str, int]:
    """The program's text, and how many outcomes it has; not `covering`, it only counts its steps."""
    instrument = _Instrument(covering=covering)
    changed = ast.fix_missing_locations(instrument.visit(_copy(tree)))
    return ast.unparse(changed), instrument.outcomes


def _copy(tree: ast.Module) -> ast.Module:
    return ast.parse(ast.unparse(tree))


class _Instrument(ast.NodeTransformer):
    """Puts the calls in."""

    def __init__(self, *, covering: bool) -> None:
        self._covering = covering
        self.outcomes = 0

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        self.generic_visit(node)
        node.body = [self._entered(), *node.body]
        return node

    def visit_If(self, node: ast.If) -> ast.If:
        node.test = self._condition(node.test)
        self.generic_visit(node)
        return node

    def visit_While(self, node: ast.While) -> ast.While:
        node.test = self._condition(node.test)
        self.generic_visit(node)
        node.body = [ast.Expr(_call(STEP)), *node.body]
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.IfExp:
        node.test = self._condition(node.test)
        self.generic_visit(node)
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.BoolOp:
        node.values = [*map(self._condition, node.values[:-1]), node.values[-1]]
        self.generic_visit(node)
        return node

    def visit_For(self, node: ast.For) -> ast.For:
        node.iter = self._iterated(node.iter)
        self.generic_visit(node)
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.comprehension:
        if not node.is_async:
            node.iter = self._iterated(node.iter)
        node.ifs = [self._condition(test) for test in node.ifs]
        self.generic_visit(node)
        return node

    def visit_Call(self, node: ast.Call) -> ast.Call:
        self.generic_visit(node)
        if isinstance(node.func, ast.Attribute) or (isinstance(node.func, ast.Name) and node.func.id in _CONSUMERS):
            node.args = [self._consumed(argument) for argument in node.args]
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        name = _GROWING.get(type(node.op))
        return _call(name, node.left, node.right) if name else node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        self.generic_visit(node)
        name = _GROWING.get(type(node.op))
        if not name or not isinstance(node.target, ast.Name):
            return node
        return ast.Assign([node.target], _call(name, ast.Name(node.target.id, ast.Load()), node.value))

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.ExceptHandler:
        self.generic_visit(node)
        node.body = [self._entered(), *node.body]
        return node

    def visit_match_case(self, node: ast.match_case) -> ast.match_case:
        self.generic_visit(node)
        node.body = [self._entered(), *node.body]
        return node

    def _condition(self, test: ast.expr) -> ast.expr:
        return _call(CONDITION, self._numbers(2), test) if self._covering else test

    def _iterated(self, iterable: ast.expr) -> ast.expr:
        return _call(ITERATED, self._numbers(2), iterable)

    def _consumed(self, argument: ast.expr) -> ast.expr:
        # Only what a call or a name gives can be an iterator that nothing counts yet.
        return _call(CONSUMED, argument) if isinstance(argument, (ast.Call, ast.Name)) else argument

    def _entered(self) -> ast.stmt:
        return ast.Expr(_call(ENTERED, self._numbers(1)))

    def _numbers(self, count: int) -> ast.expr:
        """The first of so many new outcomes."""
        first, self.outcomes = self.outcomes, self.outcomes + count
        return ast.Constant(first)


def _call(name: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), list(arguments), [])
