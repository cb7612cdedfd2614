"""Answers that are only the body of the prompt's function."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import replace

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
        for body in (body for _, reading in readings(piece) for body in _bodies(reading, indent)):
            units = read_units(f"{task.prompt.rstrip()}\n{body}\n")
            candidate = candidate_of(units, task)
            if candidate is not None and candidate.quality.full and candidate.quality.complete:
                return replace(candidate, prompt_in_front=True)
    return None


def _bodies(piece: str, indent: str) -> Iterator[str]:
    """The ways to see a body in a piece, each indented as the prompt's function is."""
    texts = [piece]
    if not parses(piece):
        first_line_stripped = indent + piece.strip("\n")
        statements = "\n".join(unit.text for unit in read_code(piece))
        texts += [first_line_stripped, *reversed(indented_runs(piece)), statements]
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
