"""Python's parser, without its exceptions."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from evalplus_run.parsing import syntax_tree


@dataclass(frozen=True, slots=True)
class Fault:
    """Why text is not parsed."""

    message: str
    line: int | None = None
    """From 1; None where the parser does not tell."""
    gave_up: bool = False
    """The text may be good Python: it is too deep or too large for the parser."""


def parse(text: str) -> ast.Module | Fault:
    """Parse with the running Python; never raises."""
    try:
        return syntax_tree(text)
    except SyntaxError as error:
        return Fault(error.msg, error.lineno)
    except (RecursionError, MemoryError) as error:
        return Fault(type(error).__name__, gave_up=True)
    except ValueError as error:  # null bytes, lone surrogates
        return Fault(str(error))


def parses(text: str) -> bool:
    """Whether the running Python reads the text as a program."""
    return isinstance(parse(text), ast.Module)
