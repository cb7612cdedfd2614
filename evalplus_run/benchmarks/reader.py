"""From JSONL rows in HumanEval+'s or HumanEval's format to tasks."""

from __future__ import annotations

import gc
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from keyword import iskeyword
from symtable import SymbolTable, symtable
from typing import Any

from evalplus_run import json_text
from evalplus_run.benchmarks.content import Content
from evalplus_run.json_text import long_integers
from evalplus_run.records import Arguments, Task, UserError

Restore = Callable[[str, Sequence[Any]], Arguments]
"""From a task id and one test's arguments as JSON gives them to the arguments that the task wants."""

_ROOM = 200
"""Levels of nesting that are refused though they could be read: the values are also written, from deeper calls."""
_KINDS = {dict: "an object", list: "a list", str: "text", bool: "true or false", int: "a number", float: "a number"}


class _MalformedError(Exception):
    """What is wrong with a row."""


def as_read(task_id: str, arguments: Sequence[Any]) -> Arguments:
    """The arguments as JSON gives them."""
    return tuple(arguments)


def read_tasks(content: Content, restore: Restore = as_read) -> tuple[Task, ...]:
    """All tasks of a benchmark file, in its order.

    A row has `task_id`, `prompt`, `entry_point`, `canonical_solution` and either `base_input` (with `plus_input`,
    `atol`, `contract` where wanted) or `test`, which defines `check(candidate)`. Other fields are not looked at.
    Raises UserError with the file and the line for the first row that is malformed.
    """
    tasks: dict[str, Task] = {}
    with _reading():
        for number, line in enumerate(content.data.splitlines(), 1):
            if not line.strip():
                continue
            try:
                _add(tasks, _task(_row(line), restore))
            except _MalformedError as error:
                raise UserError(f"{content.source}, line {number}: {error}.") from None
    if not tasks:
        raise UserError(f"{content.source} holds no task: name a JSONL file with one task in each line.")
    return tuple(tasks.values())


def _add(tasks: dict[str, Task], task: Task) -> None:
    if task.task_id in tasks:
        raise _MalformedError(f"the task_id {task.task_id} stands in an earlier row too")
    tasks[task.task_id] = task


@contextmanager
def _reading() -> Iterator[None]:
    collecting = gc.isenabled()
    depth = sys.getrecursionlimit()
    sys.setrecursionlimit(depth - _ROOM)
    gc.disable()  # hundreds of thousands of new lists and no garbage: collecting doubles the time
    try:
        with long_integers(), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # references hold escapes such as "\d" that the compiler warns of
            yield
    finally:
        sys.setrecursionlimit(depth)
        if collecting:
            gc.enable()


def _row(line: bytes) -> dict[str, Any]:
    try:
        row = json_text.decode(line)
    except ValueError as error:
        raise _MalformedError(str(error)) from None
    if not isinstance(row, dict):
        raise _MalformedError(f"it is {_kind(row)} in place of an object")
    return row


def _task(row: dict[str, Any], restore: Restore) -> Task:
    task_id = _text(row, "task_id")
    if not task_id or not task_id.isprintable():
        raise _MalformedError("`task_id` is empty or has characters that cannot be printed")
    entry_point = _text(row, "entry_point")
    if not entry_point.isidentifier() or iskeyword(entry_point):
        raise _MalformedError(f"`entry_point` is {entry_point!r}, which is no Python name")
    prompt = _text(row, "prompt")
    base_inputs, plus_inputs, check = _tests(row, task_id, restore)
    return Task(
        task_id=task_id,
        prompt=prompt,
        entry_point=entry_point,
        reference=_program(prompt + _text(row, "canonical_solution"), entry_point, "the reference"),
        base_inputs=base_inputs,
        plus_inputs=plus_inputs,
        atol=_tolerance(row.get("atol")),
        contract=_contract(_text(row, "contract", "")),
        check=check,
    )


def _tests(
    row: dict[str, Any], task_id: str, restore: Restore
) -> tuple[tuple[Arguments, ...], tuple[Arguments, ...], str]:
    """Base inputs, plus inputs and, where there are none, the check."""
    if row.get("base_input") is None and row.get("test") is not None:
        return (), (), _program(_text(row, "test"), "check", "`test`")
    base_inputs = _inputs(row, "base_input", task_id, restore)
    # An official MBPP+ row without plus tests has {} in place of [].
    without_plus = row.get("plus_input") in (None, [], {})
    return base_inputs, () if without_plus else _inputs(row, "plus_input", task_id, restore), ""


def _text(row: dict[str, Any], name: str, default: str | None = None) -> str:
    value = row.get(name)
    if value is None:
        value = default
    if value is None:
        raise _MalformedError(f"`{name}` is missing")
    if not isinstance(value, str):
        raise _MalformedError(f"`{name}` is {_kind(value)} in place of text")
    return value


def _program(source: str, name: str, what: str) -> str:
    """The source itself, once it is known to parse and to define the name at its top level."""
    symbols = _symbols(source, what)
    symbol = symbols.lookup(name) if name in symbols.get_identifiers() else None
    if symbol is None or not (symbol.is_assigned() or symbol.is_imported()):
        raise _MalformedError(f"{what} does not define {name}")
    return source


def _contract(source: str) -> str:
    """The source itself, once it is known to parse as the beginning of a function's body."""
    if source.strip():
        _symbols(f"def contract():\n{source}", "`contract`")
    return source


def _symbols(source: str, what: str) -> SymbolTable:
    try:
        return symtable(source, "<benchmark>", "exec")
    except SyntaxError as error:
        raise _MalformedError(f"{what} does not parse ({error.msg})") from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise _MalformedError(f"{what} does not parse ({type(error).__name__})") from None


def _inputs(row: dict[str, Any], name: str, task_id: str, restore: Restore) -> tuple[Arguments, ...]:
    tests = row.get(name)
    if tests is None:
        raise _MalformedError(f"`{name}` is missing")
    if not isinstance(tests, list):
        raise _MalformedError(f"`{name}` is {_kind(tests)} in place of a list of argument lists")
    if not tests:
        raise _MalformedError(f"`{name}` is empty, so that every program would pass")
    if restore is as_read and all(type(test) is list for test in tests):
        return tuple(map(tuple, tests))  # the same, of a hundred thousand tests at once
    return tuple(_arguments(test, (name, index), task_id, restore) for index, test in enumerate(tests))


def _arguments(test: Any, place: tuple[str, int], task_id: str, restore: Restore) -> Arguments:
    if not isinstance(test, list):
        raise _MalformedError(f"{_name(place)} is {_kind(test)} in place of a list of arguments")
    try:
        return restore(task_id, test)
    except (ArithmeticError, AttributeError, RecursionError, TypeError, ValueError) as error:
        raise _MalformedError(f"{_name(place)} is not what {task_id} takes ({error})") from None


def _name(place: tuple[str, int]) -> str:
    field, index = place
    return f"`{field}[{index}]`"


def _tolerance(value: Any) -> float:
    if value is None:
        return 0.0
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _MalformedError(f"`atol` is {_kind(value)} in place of a number")
    if not 0 <= value <= sys.float_info.max:
        raise _MalformedError("`atol` is negative or not finite")
    return float(value)


def _kind(value: Any) -> str:
    return "null" if value is None else _KINDS[type(value)]
