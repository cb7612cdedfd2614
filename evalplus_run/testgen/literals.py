"""Inputs in a model's answer: literals and nothing else, so that nothing that a model wrote is ever evaluated.

They stand in calls of the function, `f(1, "a")`, wherever these are; where there are none, in lists of arguments, one
on a line or all in one list.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from evalplus_run.parsing import syntax_tree
from evalplus_run.records import Arguments

_NAME = "<a model's inputs>"
# What the parser thinks of a model's text is not for the user to read.
warnings.filterwarnings("ignore", module=re.escape(_NAME))

_LONGEST_ANSWER = 200_000
"""Characters that are looked at."""
_LONGEST = 10_000
"""Characters of one input."""
_LONGEST_LIST = 100_000
"""Characters of a list of inputs."""
_MOST = 200
"""Inputs of one answer, and as many others that are looked at."""
_BLOCK = re.compile(r"^[ \t]*```[^\n]*\n(.*?)(?:^[ \t]*```|\Z)", re.DOTALL | re.MULTILINE)
_BULLET = re.compile(r"\s*(?:[-*+•]\s+|\d{1,3}[.):]\s+)?")
_ASSIGNED = re.compile(r"\s*[A-Za-z_]\w*\s*(?::[^=\n]{0,100})?=(?!=)")
_PAIRS = {")": "(", "]": "[", "}": "{"}

NO_INPUT = "answer without inputs"
NO_LITERALS = "answer: not literals"
NO_PYTHON = "answer: not Python"
TOO_LONG = "answer: too long"
OTHER_TYPES = "answer: other types"

IsInput = Callable[[Arguments], bool]


class _Unread(Exception):
    """A text that is no literal."""

    def __init__(self, reason: str) -> None:
        self.reason = reason


def inputs_in(
    text: str, entry_point: str, parameters: Sequence[str], is_input: IsInput
) -> tuple[list[Arguments], Counter[str]]:
    """The inputs in an answer, and how many others it has, by why they are none.

    `is_input` tells whether there are as many arguments as are wanted, of the right kinds.
    """
    found: list[Arguments] = []
    refused: Counter[str] = Counter()
    text = text[:_LONGEST_ANSWER]
    for each in _in_calls(text, entry_point, parameters) if _calls(text, entry_point) else _in_lists(text, is_input):
        if isinstance(each, str):
            refused[each] += 1
        elif not is_input(each):
            refused[OTHER_TYPES] += 1
        else:
            found.append(each)
        if max(len(found), refused.total()) == _MOST:
            break
    if not found and not refused:
        refused[NO_INPUT] += 1
    return found, refused


def _calls(text: str, entry_point: str) -> list[int]:
    """Where the arguments of calls begin; a definition is none."""
    pattern = rf"(?<!def )\b{re.escape(entry_point)}\((?!\))"
    return [match.end() for match in re.finditer(pattern, text)]


def _in_calls(text: str, entry_point: str, parameters: Sequence[str]) -> Iterator[Arguments | str]:
    """The arguments of each call, or why they are no input."""
    behind = 0
    for start in _calls(text, entry_point):
        if start < behind:
            continue  # an argument of the call before
        end = _closing(text, start)
        if end is None:
            yield TOO_LONG if len(text) - start > _LONGEST else NO_PYTHON
            continue
        behind = end
        call = _parsed(f"f({text[start:end]})")
        yield _arguments(call, parameters) if isinstance(call, ast.Call) else NO_PYTHON


def _arguments(call: ast.Call, parameters: Sequence[str]) -> Arguments | str:
    """By position; those that are given by name are put in their places."""
    places = list(call.args)
    named = {keyword.arg: keyword.value for keyword in call.keywords}
    for name in parameters[len(places) :]:
        if name not in named:
            break
        places.append(named.pop(name))
    if named:
        return OTHER_TYPES
    try:
        return tuple(map(_literal, places))
    except _Unread as error:
        return error.reason


def _in_lists(text: str, is_input: IsInput) -> Iterator[Arguments | str]:
    """Lists of arguments: a whole block, or else each of its lines."""
    blocks = [match[1] for match in _BLOCK.finditer(text)]
    for block in blocks or [text]:
        try:
            yield from _readings(_read(block), is_input)
        except _Unread:
            for line in block.splitlines():
                try:
                    yield from _readings(_read(_BULLET.sub("", line, count=1).rstrip().rstrip(",")), is_input)
                except _Unread as error:
                    if blocks and line.strip() and not line.lstrip().startswith("#"):
                        yield error.reason  # where there are no blocks, it is prose


def _readings(value: Any, is_input: IsInput) -> Sequence[Arguments]:
    """A list of arguments, a list of such lists, or the one argument: whatever fits."""
    if not isinstance(value, (list, tuple)):
        return [(value,)]
    lists = [tuple(each) for each in value if isinstance(each, (list, tuple))]
    if is_input(tuple(value)):
        return [tuple(value)]
    if is_input((value,)) and not any(map(is_input, lists)):
        return [(value,)]
    return lists if lists and len(lists) == len(value) else [tuple(value)]


def _read(text: str) -> Any:
    """The literal that a text is, a name that it is assigned to left out. Raises _Unread."""
    if len(text) > _LONGEST_LIST:
        raise _Unread(TOO_LONG)
    node = _parsed(_ASSIGNED.sub("", text, count=1).strip())
    if node is None:
        raise _Unread(NO_PYTHON)
    return _literal(node)


def _parsed(text: str) -> ast.expr | None:
    """The one expression that a text is."""
    try:
        match syntax_tree(text, _NAME).body:
            case [ast.Expr(value)]:
                return value
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        pass
    return None


def _literal(node: ast.expr) -> Any:
    """Raises _Unread where it is none."""
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, RecursionError, MemoryError):
        raise _Unread(NO_LITERALS) from None


def _closing(text: str, start: int) -> int | None:
    """Where the bracket closes that was open before `start`; None where it does not, or is too far."""
    open_brackets = ["("]
    quote = ""
    place = start
    end = min(len(text), start + _LONGEST)
    while place < end:
        char = text[place]
        if quote:
            if char == "\\":
                place += 1
            elif text.startswith(quote, place):
                place += len(quote) - 1
                quote = ""
        elif char in "\"'":
            quote = char * 3 if text.startswith(char * 3, place) else char
            place += len(quote) - 1
        elif char in "([{":
            open_brackets.append(char)
        elif char in _PAIRS:
            if open_brackets.pop() != _PAIRS[char]:
                return None
            if not open_brackets:
                return place
        place += 1
    return None
