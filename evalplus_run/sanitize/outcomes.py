"""What to call an answer that holds no program."""

from __future__ import annotations

import re

from evalplus_run.records import FinishReason, Outcome
from evalplus_run.sanitize.lines import Lines
from evalplus_run.sanitize.statements import statement_at

_BEGINNING = re.compile(r"(?:async\s+def|def|class)\b|@\w")


def outcome_without_program(text: str, finish_reason: FinishReason, *, cut_off: bool) -> Outcome:
    """`refused`, `truncated`, `empty` or `no_code`, from the text and from why the model stopped."""
    if finish_reason == "refusal":
        return Outcome.REFUSED
    if cut_off:
        return Outcome.TRUNCATED
    return Outcome.NO_CODE if text.strip() else Outcome.EMPTY


def is_cut_off(text: str, finish_reason: FinishReason) -> bool:
    """Whether the answer met the limit of tokens, or ends inside a definition."""
    return finish_reason == "length" or _ends_in_definition(text)


def _ends_in_definition(text: str) -> bool:
    source = Lines(text.rstrip())
    begins = [line for line in range(len(source)) if _BEGINNING.match(source.lines[line])]
    if not begins:
        return False
    found = statement_at(source, begins[-1])
    return not found.complete and (not found.closed or found.whole == len(source))
