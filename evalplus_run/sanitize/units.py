"""Text as a row of top-level statements, each with its names; what is no Python between them is left out."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from evalplus_run.sanitize.grammar import root_of
from evalplus_run.sanitize.lines import Lines
from evalplus_run.sanitize.names import Names, guessed_names, names_of
from evalplus_run.sanitize.statements import Found, statement_at
from evalplus_run.sanitize.syntax import parse

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_ABOVE = re.compile(r"\A(?:[ \t\f]*+(?:#.*)?\n)+")
_LAYOUT = re.compile(r"indent|tabs")
_KEPT = 8
_DEFINITION = re.compile(r"(?:@.*\n+)*(?:async\s+def|def|class)\b")


@dataclass(frozen=True, slots=True)
class Unit:
    """The top-level statements of one logical line or block, mostly one."""

    text: str
    """Its lines, with the blank lines and comments above."""
    nodes: tuple[ast.stmt, ...]
    """Empty where the running Python does not parse it."""
    names: Names
    fault: str = ""
    """Why the running Python does not parse it whole."""
    cut: bool = False
    """Only its beginning, up to the last complete statement."""

    @property
    def code(self) -> str:
        """Its text without what is above it."""
        return _ABOVE.sub("", self.text).rstrip()

    def is_beginning_of(self, other: Unit) -> bool:
        """Whether it is another one, cut short."""
        return self.code != other.code and other.code.startswith(self.code)

    @property
    def is_definition(self) -> bool:
        """Whether it is one function or class and nothing else."""
        return len(self.nodes) == 1 and isinstance(self.nodes[0], (*FUNCTIONS, ast.ClassDef))

    @property
    def is_future_import(self) -> bool:
        """Whether it is an import of `__future__`."""
        return any(isinstance(node, ast.ImportFrom) and node.module == "__future__" for node in self.nodes)

    @property
    def is_prose(self) -> bool:
        """Whether it is a word or so that happens to parse, and no program would have it."""
        values = [node.value for node in self.nodes if isinstance(node, ast.Expr)]
        is_loose = all(not isinstance(value, (ast.Call, ast.Yield, ast.YieldFrom, ast.Await)) for value in values)
        return bool(self.nodes) and len(values) == len(self.nodes) and is_loose

    @property
    def is_plain_function(self) -> bool:
        """Whether it is one function without decorators and nothing else."""
        return self.is_definition and isinstance(self.nodes[0], FUNCTIONS) and not self.nodes[0].decorator_list


@lru_cache(_KEPT)
def read_units(text: str) -> tuple[Unit, ...]:
    """All statements that can be read, in order. The last texts are kept: one answer is looked at many times."""
    tree = parse(text)
    return tuple(_units_of(text, tree) if isinstance(tree, ast.Module) else _read_broken(Lines(text)))


def program_text(units: Iterable[Unit]) -> str:
    """The program made of some statements: one newline at its end, no blank lines before it."""
    text = "\n".join(unit.text for unit in units)
    return re.sub(r"\A(?:[ \t\f]*\n)+", "", text).rstrip() + "\n"


def read_code(text: str) -> list[Unit]:
    """All statements that can be read and are no prose."""
    return [unit for unit in read_units(text) if not unit.is_prose]


def most_code(pieces: Iterable[str]) -> list[Unit]:
    """The statements of the piece with the most lines of what binds names, the first of equals; none if none does."""
    read = [read_code(piece) for piece in pieces]
    amounts = [sum(unit.text.strip().count("\n") + 1 for unit in units if unit.names.binds) for units in read]
    return read[amounts.index(max(amounts))] if any(amounts) else []


def _units_of(text: str, tree: ast.Module) -> Iterator[Unit]:
    lines = text.split("\n")
    end = 0
    for nodes in _by_line(tree.body):
        begin, end = end, max(node.end_lineno or node.lineno for node in nodes)
        yield _unit("\n".join(lines[begin:end]), nodes)


def _by_line(nodes: list[ast.stmt]) -> Iterator[list[ast.stmt]]:
    """Statements that share a line together."""
    group: list[ast.stmt] = []
    for node in nodes:
        if group and node.lineno > (group[-1].end_lineno or 0):
            yield group
            group = []
        group.append(node)
    if group:
        yield group


def _unit(text: str, nodes: list[ast.stmt], fault: str = "", *, cut: bool = False) -> Unit:
    return Unit(text, tuple(nodes), names_of(text, nodes), fault, cut)


def _read_broken(source: Lines) -> Iterator[Unit]:
    above = line = 0  # the blank lines and comments from `above` go with the next statement
    while line < len(source):
        if source.is_blank(line):
            line += 1
            continue
        found = statement_at(source, line)
        unit, line = _read(source, found, above)
        above = line
        if unit is not None:
            yield unit


def _read(source: Lines, found: Found, above: int) -> tuple[Unit | None, int]:
    """The statement that was found, and the line from where to read on."""
    fault = found.fault.message if found.fault else ""
    if _is_beyond_the_parser(source, found):
        whole = source.span(above, found.whole)
        return Unit(whole, (), guessed_names(whole), fault), found.whole
    if found.tree is None:
        return None, found.first + 1
    text = source.span(above, found.end)
    return _unit(text, found.tree.body, fault, cut=not found.complete), found.end


def _is_beyond_the_parser(source: Lines, found: Found) -> bool:
    """Whether a statement is good Python, though the running parser does not say so: left to the judge."""
    fault = found.fault
    if fault is None or not found.closed or _ends_in_return(found):
        return False
    return fault.gave_up or (
        _LAYOUT.search(fault.message) is None and _is_other_python(source.span(found.first, found.whole))
    )


def _ends_in_return(found: Found) -> bool:
    """What comes after could not run anyway."""
    last = found.tree.body[-1] if found.tree and found.tree.body else None
    return isinstance(last, FUNCTIONS) and isinstance(last.body[-1], ast.Return)


def _is_other_python(text: str) -> bool:
    """Whether a definition is good Python of another version than the running one."""
    return _DEFINITION.match(text) is not None and not root_of(text).has_error
