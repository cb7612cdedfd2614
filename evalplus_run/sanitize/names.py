"""What a top-level statement binds, needs and changes, from Python's own symbol table."""

from __future__ import annotations

import ast
import keyword
import re
import symtable
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from evalplus_run.sanitize.views import View, seen_in, views_of

_NONE: frozenset[str] = frozenset()
_WORD = re.compile(r"[^\W\d]\w*")
_HEAD = re.compile(r"(?m)^(?:async\s+def|def|class)\s+(\w+)|^(\w+)\s*(?::[^=\n]+)?=(?!=)")
_COMPREHENSIONS = {"listcomp", "setcomp", "dictcomp", "genexpr"}
_HARMLESS = {"print", "pprint", "display", "help", "repr", "str", "len", "type", "exit", "quit"}
_SETTING = re.compile(r"set(?!up|tled)\w*|seed|filterwarnings|simplefilter|stack_size")
_LIMITS = {"setrecursionlimit", "stack_size", "set_int_max_str_digits", "setcontext"}
_CONTEXT = {"prec", "rounding"}  # of decimal's context
_STREAMS = {"stdin", "stdout", "stderr"}
_ADD = {"append", "appendleft", "extend", "extendleft", "insert", "add", "update", "setdefault", "fill", "put"}
_REMOVE = {"pop", "popleft", "popitem", "remove", "discard", "clear", "subtract", "difference_update"}
_MUTATORS = {*_ADD, *_REMOVE, "sort", "reverse", "rotate", "move_to_end", "intersection_update"}
_LIMITS = {"setrecursionlimit", "stack_size", "set_int_max_str_digits", "setcontext"}
_CONTEXT = {"prec", "rounding"}  # of decimal's context
_STREAMS = {"stdin", "stdout", "stderr"}
_MUTATORS = {
    *("append", "appendleft", "extend", "extendleft", "insert", "add", "update", "setdefault", "fill", "put"),
    *(
        "pop",
        "popleft",
        "popitem",
        "remove",
        "discard",
        "clear",
        "sort",
        "reverse",
        "rotate",
        "move_to_end",
        "subtract",
    ),
    *("intersection_update", "difference_update", "symmetric_difference_update"),
}
_VIEWS = {"enumerate", "zip", "reversed", "iter", "next", "filter", "map", "list", "tuple", "sorted", "partial"}
_EVALUATORS = {"eval", "exec", "globals", "locals", "vars", "getattr"}
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_MOST_KNOWN = 10_000
_LONGEST_KNOWN = 1_000  # characters


@dataclass(frozen=True, slots=True)
class Effects:
    """The names whose objects running some code may change."""

    changes: frozenset[str] = _NONE
    """By an assignment to an attribute or an item, by a setter, or by `global`."""
    touches: frozenset[str] = _NONE
    """By a call of some method: counts for what is not a module."""
    passed: frozenset[str] = _NONE
    """By a call that gets it as an argument: counts for data."""
    calls: frozenset[str] = _NONE
    """By a call of itself: counts for what is no function by its definition, as a bound method."""


@dataclass(frozen=True, slots=True)
class Names:
    """Names of the module's scope only; locals of functions are no concern."""

    binds: frozenset[str] = _NONE
    imports: frozenset[str] = _NONE
    """Those of `binds` that are imported."""
    defines: frozenset[str] = _NONE
    """Those of `binds` that are functions or classes."""
    uses: frozenset[str] = _NONE
    """Read at any time."""
    runs: frozenset[str] = _NONE
    """Those of `uses` that are read when the statement runs, not only when a function in it is called."""
    now: Effects = field(default_factory=Effects)
    """What running the statement may change."""
    later: Effects = field(default_factory=Effects)
    """What calling the functions in it may change."""
    views: tuple[View, ...] = ()
    star: str | None = None
    """The module of a `from module import *`."""
    sets_limits: bool = False
    """It sets a limit of the interpreter, or a number context's precision."""


def names_of(text: str, nodes: Iterable[ast.stmt]) -> Names:
    """The names of a statement, or of several that share a line, of which the text is given too."""
    if len(text) > _LONGEST_KNOWN:
        return _read_names(text, list(nodes))
    names = _known.get(text)
    if names is None:
        if len(_known) >= _MOST_KNOWN:
            _known.clear()
        names = _known[text] = _read_names(text, list(nodes))
    return names


_known: dict[str, Names] = {}
"""By text: what an answer repeats, and what is sanitized again, is read once."""


def _read_names(text: str, nodes: list[ast.stmt]) -> Names:
    try:
        table = symtable.symtable(text, "<program>", "exec")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return guessed_names(text)
    symbols = table.get_symbols()
    runs = {symbol.get_name() for symbol in symbols if symbol.is_referenced()}
    uses, sets = set(runs), set[str]()
    for inner, runs_now in _scopes(table):
        for symbol in inner.get_symbols():
            if symbol.is_global():
                uses.add(symbol.get_name())  # `+=` reads what it assigns, and no table of symbols tells
                if symbol.is_assigned():
                    sets.add(symbol.get_name())
                elif runs_now:
                    runs.add(symbol.get_name())
    now, later = _effects(nodes)
    imports = {symbol.get_name() for symbol in symbols if symbol.is_imported()}
    defines = {symbol.get_name() for symbol in symbols if symbol.is_namespace()}
    assigned = {symbol.get_name() for symbol in symbols if symbol.is_assigned()}
    if uses & _EVALUATORS:
        uses |= _words_in_strings(nodes)
    return Names(
        binds=frozenset(imports | defines | assigned),
        imports=frozenset(imports),
        defines=frozenset(defines),
        uses=frozenset(uses),
        runs=frozenset(runs),
        now=now.frozen(),
        later=later.frozen(sets),
        views=tuple(views_of(running_nodes(nodes))),
        star=next((module for node in nodes for module in _stars(node)), None) if "*" in text else None,
        sets_limits=now.limits,
    )


def guessed_names(text: str) -> Names:
    """Names by the look of the text, where the running Python cannot tell."""
    head = _HEAD.search(text)
    bound = frozenset(name for name in head.groups() if name) if head else _NONE
    defined = bound if head and head[1] else _NONE
    words = frozenset(_WORD.findall(text)).difference(keyword.kwlist)
    return Names(binds=bound, defines=defined, uses=words, runs=_NONE if defined else words)


def running_nodes(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """All nodes that run with the statements themselves: everything but the bodies of functions."""
    return (node for node, later in _walk(nodes) if not later)


def base_name(node: ast.AST) -> str | None:
    """The name that a chain of attributes, items and calls begins with."""
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Call, ast.Starred)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else None


def _scopes(table: symtable.SymbolTable) -> Iterator[tuple[symtable.SymbolTable, bool]]:
    """All inner scopes, each with whether it runs with the statement itself."""
    stack = [(child, True) for child in table.get_children()]
    while stack:
        inner, outer_runs = stack.pop()
        runs = outer_runs and (inner.get_type() == "class" or inner.get_name() in _COMPREHENSIONS)
        yield inner, runs
        stack += [(child, runs) for child in inner.get_children()]


def _walk(nodes: Iterable[ast.AST]) -> Iterator[tuple[ast.AST, bool]]:
    """All nodes, each with whether it runs only when a function is called."""
    stack = [(node, False) for node in nodes]
    while stack:
        node, later = stack.pop()
        yield node, later
        if isinstance(node, _FUNCTIONS):
            stack += [(inner, later) for inner in [*node.decorator_list, node.args]]
            stack += [(inner, True) for inner in node.body]
        elif isinstance(node, ast.Lambda):
            stack += [(node.args, later), (node.body, True)]
        else:
            stack += [(inner, later) for inner in ast.iter_child_nodes(node)]


class _Collected:
    """Effects while they are collected."""

    def __init__(self) -> None:
        self.changes: set[str | None] = set()
        self.touches: set[str | None] = set()
        self.passed: set[str | None] = set()
        self.calls: set[str | None] = set()
        self.limits = False

    def frozen(self, sets: Iterable[str] = ()) -> Effects:
        found = (self.changes | {*sets}, self.touches, self.passed, self.calls)
        return Effects(*(frozenset(filter(None, names)) for names in found))

    def add(self, node: ast.AST) -> None:
        if isinstance(node, (ast.Attribute, ast.Subscript)) and isinstance(node.ctx, (ast.Store, ast.Del)):
            self._add_target(node)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            self._add_call(node.value)
        elif isinstance(node, ast.Attribute) and node.attr in _MUTATORS:  # also within an expression
            self.touches.add(base_name(node))
        elif isinstance(node, (ast.Import, ast.ImportFrom)):  # a submodule becomes an attribute of its package
            self.changes |= {module.partition(".")[0] for module in _modules(node)}
        elif isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
            bases = node.bases if isinstance(node, ast.ClassDef) else []
            self.touches |= {base_name(inner) for inner in [*node.decorator_list, *bases]}

    def _add_target(self, node: ast.Attribute | ast.Subscript) -> None:
        if isinstance(node, ast.Attribute) and node.attr in _STREAMS:
            return
        self.changes.add(base_name(node))
        self.limits |= isinstance(node, ast.Attribute) and node.attr in _CONTEXT

    def _add_call(self, call: ast.Call) -> None:
        attribute = call.func.attr if isinstance(call.func, ast.Attribute) else None
        name = base_name(call.func)
        self.limits |= (attribute or name) in _LIMITS or (attribute is None and name == "seed")
        if attribute is None:
            self.calls.add(name)
        else:
            (self.changes if _SETTING.fullmatch(attribute) else self.touches).add(name)
        if name in {"setattr", "delattr"}:
            self.changes |= {base_name(argument) for argument in call.args[:1]}
        elif name not in _HARMLESS:
            arguments = [*call.args, *(keyword.value for keyword in call.keywords)]
            self.passed |= {
                seen for argument in arguments if not isinstance(argument, ast.Call) for seen in seen_in(argument)
            }


def _effects(nodes: list[ast.stmt]) -> tuple[_Collected, _Collected]:
    now, later = _Collected(), _Collected()
    for node, runs_later in _walk(nodes):
        (later if runs_later else now).add(node)
    return now, later


def _modules(node: ast.Import | ast.ImportFrom) -> list[str]:
    if isinstance(node, ast.ImportFrom):
        return [node.module or ""]
    return [alias.name for alias in node.names]


def _stars(node: ast.stmt) -> list[str]:
    """The modules of the star imports in a statement: they stand only at the module's level."""
    found = (inner for inner in ast.walk(node) if isinstance(inner, ast.ImportFrom))
    return [inner.module or "" for inner in found if inner.names[0].name == "*"]


def _words_in_strings(nodes: list[ast.stmt]) -> set[str]:
    """Names that an evaluated string may hold."""
    values = (inner.value for node in nodes for inner in ast.walk(node) if isinstance(inner, ast.Constant))
    return {word for value in values if isinstance(value, str) for word in _WORD.findall(value)}
