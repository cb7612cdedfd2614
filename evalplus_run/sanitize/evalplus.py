"""EvalPlus's sanitizer: its results, so that its numbers can be made again.

The rules are EvalPlus's (evalplus/sanitize.py at its HEAD of October 2025), described from their behaviour: of all
windows of two or more lines that parse, the one with the most lines that are not blank; of the definitions in it,
those that the entry point reaches by name, the first of several with one name. The search is linear: see `statements`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import accumulate
from typing import TYPE_CHECKING

from evalplus_run.sanitize.grammar import root_of
from evalplus_run.sanitize.lines import Lines
from evalplus_run.sanitize.statements import statement_at

if TYPE_CHECKING:
    from tree_sitter import Node

_ANSI = re.compile(r"\x1b(?:[@-Z\\-_]|\[[0-?]*[ -/]*[@-~])")
_IMPORTS = {"import_statement", "import_from_statement"}
_DEFINITIONS = {"class_definition", "function_definition"}


def reduce_as_evalplus(text: str, entry_point: str) -> str:
    """The program that EvalPlus would judge; ends stripped."""
    code = window(_ANSI.sub("", text.encode("utf-8", "ignore").decode("utf-8")))
    return _reachable(code, entry_point) or code.strip()


def window(text: str) -> str:
    """The window with the most lines that are not blank, the earliest of equals; else the first line."""
    source = Lines(text)
    filled = [0, *accumulate(bool(line.strip()) for line in source.lines)]
    best, most = (0, 1), 0
    for first, end in enumerate(_reach(source)):
        if end - first >= 2 and filled[end] - filled[first] > most:
            best, most = (first, end), filled[end] - filled[first]
    return source.span(*best)


def _reach(source: Lines) -> list[int]:
    """For each line the end of the longest window from it that parses; the line itself if none does."""
    blank = [source.is_blank(line) for line in range(len(source))]
    found = [None if blank[line] else statement_at(source, line) for line in range(len(source))]
    reach = list(range(len(source) + 1))
    for line, statement in reversed(list(enumerate(found))):
        if statement is None:
            reach[line] = reach[line + 1]
        else:
            reach[line] = reach[statement.whole] if statement.complete else statement.stop
    return reach[:-1]


def _reachable(code: str, entry_point: str) -> str:
    """The imports, then the definitions that the entry point reaches, one newline between."""
    imports: list[str] = []
    definitions: dict[str, Node] = {}
    for node in root_of(code).children:
        if node.type in _IMPORTS:
            imports.append(_text(node))
        elif (definition := _definition(node)) is not None and (name := _name(definition)):
            definitions.setdefault(name, definition)
    reached = _closure(entry_point, definitions)
    return "\n".join(imports + [_text(node) for name, node in definitions.items() if name in reached]).strip()


def _definition(node: Node) -> Node | None:
    """The node that defines a name, if this top-level node counts as a definition."""
    if node.type == "function_definition" and not any(inner.type == "return_statement" for inner in _walk(node)):
        return None
    if node.type in _DEFINITIONS:
        return node
    if node.type == "expression_statement" and node.children[0].type == "assignment":
        return node.children[0]
    return None


def _name(node: Node) -> str | None:
    return next((_text(child) for child in node.children if child.type == "identifier"), None)


def _closure(entry_point: str, definitions: dict[str, Node]) -> set[str]:
    reached, open_names = {entry_point}, [entry_point]
    while open_names:
        node = definitions.get(open_names.pop())
        names = {_text(inner) for inner in _walk(node) if inner.type == "identifier"} if node else set()
        open_names += names - reached
        reached |= names
    return reached


def _walk(node: Node) -> Iterator[Node]:
    stack = [node]
    while stack:
        inner = stack.pop()
        yield inner
        stack += inner.children


def _text(node: Node) -> str:
    return (node.text or b"").decode()
