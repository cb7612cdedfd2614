"""Answers that are only the body of the prompt's function."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain

from evalplus_run.records import Task
from evalplus_run.sanitize.candidates import Candidate, candidate_of
from evalplus_run.sanitize.characters import indented_runs, readings
from evalplus_run.sanitize.entry import signature
from evalplus_run.sanitize.syntax import parse, parses
from evalplus_run.sanitize.units import FUNCTIONS, read_code, read_units


def join_body(pieces: Sequence[str], task: Task) -> Candidate | None:
    """The prompt with the last piece that can be its function's body."""
    function = signature(task)
    if function is None:
        return None
    indent = " " * function.body[0].col_offset
    for piece in reversed(pieces):
        read = [reading for _, reading in readings(piece)]
        whole = (text for reading in read for text in _whole(reading, indent))
        parts = (text for reading in read for text in _parts(reading))
        for body in _bodies(chain(whole, parts), indent):
            units = read_units(f"{task.prompt.rstrip()}\n{body}\n")
            candidate = candidate_of(units, task)
            if candidate is not None and candidate.quality.full and candidate.quality.complete:
                return replace(candidate, prompt_in_front=True)
    return None


def _whole(piece: str, indent: str) -> list[str]:
    """All of a piece, with its first line stripped perhaps."""
    return [piece, *([] if parses(piece) else [indent + piece.strip("\n")])]


def _parts(piece: str) -> list[str]:
    """The parts of a piece that may be a body with prose around it."""
    if parses(piece):
        return []
    return [*reversed(indented_runs(piece)), "\n".join(unit.text for unit in read_code(piece))]


def _bodies(texts: Iterable[str], indent: str) -> Iterator[str]:
    """Those of some texts that can be a body, indented as the prompt's function is."""
    for text in texts:
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
