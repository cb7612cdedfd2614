"""Top-level statements in text that may not be Python.

A statement begins in the first column and reaches to the next line there that does not go on with it. So text is
read statement by statement, each parsed alone, in time linear in its length; no window is parsed twice. Text from
line i to line j is a program exactly if it is a row of such statements, the last perhaps cut.
"""

from __future__ import annotations

import ast
import keyword
import re
from bisect import bisect_right
from dataclasses import dataclass

from evalplus_run.sanitize.lines import Lines
from evalplus_run.sanitize.syntax import Fault, parse

_GOES_ON = re.compile(r"(?:else|elif|except|finally)\b")
_OPERATORS = r"and|or|not|in|is|if|else|for|async"
_KEYWORDS = "|".join([*keyword.kwlist, *keyword.softkwlist])
# Two names side by side: prose. Python has no statement that begins so, its keywords aside.
_PROSE = re.compile(rf"(?!(?:{_KEYWORDS})\b)[A-Za-z_]\w*[ \t]+(?!(?:{_OPERATORS})\b)[A-Za-z_]\w*(?!\w*[\"'])")

_MOST_DECORATORS = 20  # on one definition; keeps the reading linear


@dataclass(frozen=True, slots=True)
class Found:
    """What begins on a line: a whole statement, the part of it that parses, or nothing."""

    first: int
    whole: int
    """The end that the layout gives the statement."""
    end: int
    """The end of what parses; `first` if nothing does."""
    stop: int
    """The end of the longest text from `first` that parses: `end`, and blank and comment lines after it."""
    tree: ast.Module | None = None
    fault: Fault | None = None
    """Why the statement does not parse whole."""
    closed: bool = True
    """Every bracket and string in the statement is closed."""

    @property
    def complete(self) -> bool:
        """Whether the statement parses whole."""
        return self.tree is not None and self.fault is None


def statement_at(source: Lines, first: int) -> Found:
    """Read the statement that begins on a line, which is neither blank nor a comment."""
    text = source.lines[first]
    if source.is_indented(first) or _PROSE.match(text) or _GOES_ON.match(text):
        return Found(first, first + 1, first, first, fault=Fault("invalid syntax", first + 1))
    rows, broken = _extent(source, first)
    fault = None if broken is None else Fault("never closed", broken + 1)
    stop = whole = rows[-1][1] if broken is None else max(broken, first + 1)
    while rows and source.spend(len(code := source.span(first, rows[-1][1]))):
        end = rows[-1][1]
        result = parse(code)
        if isinstance(result, ast.Module):
            return Found(first, whole, end, stop, result, fault, broken is None)
        fault = fault or Fault(result.message, (result.line or 1) + first, result.gave_up)
        if result.gave_up:
            break
        keep = _before(source, rows, first, result)
        stop = rows[keep][0]
        rows = rows[:keep]
    return Found(first, whole, first, first, fault=fault, closed=broken is None)


def _extent(source: Lines, first: int) -> tuple[list[tuple[int, int]], int | None]:
    """The logical lines of the statement, and the line from where one is never closed."""
    rows: list[tuple[int, int]] = []
    line, decorators = first, 0
    while line < len(source) and decorators <= _MOST_DECORATORS:
        if source.is_blank(line):
            line += 1
            continue
        text = source.lines[line]
        if not source.spend(len(text) + 1):
            return rows, line
        outer = not source.is_indented(line)
        if outer and rows and not decorators and not _GOES_ON.match(text):
            break
        end = source.logical_end(line)
        if end is None:
            return rows, line
        rows.append((line, end))
        decorators = decorators + 1 if outer and text.startswith("@") else 0
        line = end
    return rows, None


def _before(source: Lines, rows: list[tuple[int, int]], first: int, fault: Fault) -> int:
    """How many logical lines stand before the one that no program could have there."""
    wrong = (fault.line or 1) - 1 + first
    keep = max(0, min(bisect_right(rows, (wrong, len(source))) - 1, len(rows) - 1))
    if keep == len(rows) - 1 and "expected 'except' or 'finally'" in fault.message:
        keep = _header(source, rows)
    if "unexpected indent" in fault.message or "inconsistent use of tabs" in fault.message:
        return keep
    while keep > 0 and _needs_next(source, rows[keep - 1][0], rows[keep][0]):
        keep -= 1
    return keep


def _needs_next(source: Lines, line: int, following: int) -> bool:
    """Whether a logical line means nothing without the one that follows: it opens a block, or decorates."""
    return source.lines[line].lstrip().startswith("@") or _depth(source, line) < _depth(source, following)


def _header(source: Lines, rows: list[tuple[int, int]]) -> int:
    """The row that cannot stay when a `try` has no handler: the last, or what opened the block that it is in."""
    *before, depth = [_depth(source, line) for line, _ in rows]
    outer = [row for row, other in enumerate(before) if other <= depth]
    if outer and before[outer[-1]] == depth and source.lines[rows[outer[-1]][0]].lstrip().startswith("try"):
        return len(rows) - 1
    return next((row for row in reversed(outer) if before[row] < depth), len(rows) - 1)


def _depth(source: Lines, line: int) -> int:
    text = source.lines[line].expandtabs(8)
    return len(text) - len(text.lstrip(" "))
