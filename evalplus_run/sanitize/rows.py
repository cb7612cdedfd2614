"""One row of a file of samples, as EvalPlus writes them: read, sanitized, written."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, get_args

from evalplus_run import json_text
from evalplus_run.records import FinishReason, Program

_OURS = {"sanitizer", "outcome", "notes"}


class BadSampleError(Exception):
    """A sample that cannot be sanitized, and why."""


@dataclass(frozen=True, slots=True)
class Row:
    """A sample as it was read."""

    task_id: str
    text: str
    prompt_in_front: bool
    """The text goes on from the task's prompt."""
    finish_reason: FinishReason
    others: Mapping[str, Any]
    """The other fields, kept as they are."""


def read_row(line: bytes) -> Row:
    """Read a line of JSON; a null text, as APIs give it, is an empty one. Raises BadSampleError."""
    try:
        return row_of(json_text.decode(line))
    except ValueError as error:
        raise BadSampleError(str(error)) from None


def row_of(fields: Any) -> Row:
    """The sample in the value of a line. Raises BadSampleError."""
    if not isinstance(fields, dict) or not isinstance(fields.get("task_id"), str):
        raise BadSampleError("it has no `task_id`")
    name = next((name for name in ("solution", "completion") if name in fields), None)
    if name is None:
        raise BadSampleError("it has neither `solution` nor `completion`")
    if not isinstance(fields[name], str | None):
        raise BadSampleError(f"its `{name}` is no text")
    others = {key: value for key, value in fields.items() if key not in {"task_id", name, *_OURS}}
    return Row(
        fields["task_id"],
        fields[name] or "",
        prompt_in_front=name == "completion",
        finish_reason=_finish_reason(fields.get("finish_reason")),
        others=others,
    )


def _finish_reason(value: object) -> FinishReason:
    return next((reason for reason in get_args(FinishReason) if reason == value), "unknown")


def write_row(row: Row, program: Program) -> bytes:
    """A line of JSON with the program, what the sanitizer tells, and the row's other fields."""
    told = {"sanitizer": program.sanitizer, "outcome": program.outcome, "notes": dict(program.notes)}
    fields = {"task_id": row.task_id, "solution": program.solution, **row.others}
    return json.dumps(fields | {name: value for name, value in told.items() if value}).encode()
