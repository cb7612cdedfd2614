"""Which programs are equal for the judge: those whose syntax trees are, whatever their layout and comments."""

from __future__ import annotations

import ast
import hashlib
import warnings

from evalplus_run.parsing import syntax_tree

_NAME = "<program>"
# What the parser thinks of a model's program is not for the user to read.
warnings.filterwarnings("ignore", module=_NAME)

_LONGEST = 1 << 15
"""Characters: a longer text equals itself only, since some texts take the parser long."""


def shape_of(source: str) -> bytes:
    """A hash of the program's syntax tree; of its text where it has no tree."""
    tree = _parse(source)
    try:
        text = source if tree is None else ast.dump(tree)
    except (RecursionError, ValueError):  # too deep; an integer too long to be written in decimals
        tree, text = None, source
    return hashlib.sha256(f"{tree is None} {text}".encode("utf-8", "surrogatepass")).digest()


def place_of(line: int, source: str) -> int | None:
    """Where the first part of the program that stands on this line comes among all parts of its syntax tree.

    The line itself where it has no tree, and so equals no other text.
    """
    lines = _lines(source)
    if lines is None:
        return line
    return lines.index(line) if line in lines else None


def line_at(place: int, source: str) -> int | None:
    """The inverse of `place_of`, also for another program with an equal tree."""
    lines = _lines(source)
    if lines is None:
        return place
    return lines[place] if place < len(lines) else None


def _lines(source: str) -> list[int] | None:
    tree = _parse(source)
    return None if tree is None else [node.lineno for node in ast.walk(tree) if hasattr(node, "lineno")]


def _parse(source: str) -> ast.Module | None:
    if len(source) > _LONGEST:
        return None
    try:
        return syntax_tree(source, _NAME)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
