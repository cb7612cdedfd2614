"""What to call an answer that holds no program."""

from __future__ import annotations

import re
from codeop import compile_command

from evalplus_run.records import FinishReason, Outcome

_BEGINNING = re.compile(r"(?m)^(?:async\s+def|def|class)\b")


def outcome_without_program(text: str, finish_reason: FinishReason, *, cut_off: bool) -> Outcome:
    """`refused`, `truncated`, `empty` or `no_code`, from the text and from why the model stopped."""
    if finish_reason == "refusal":
        return Outcome.REFUSED
    if cut_off:
        return Outcome.TRUNCATED
    return Outcome.NO_CODE if text.strip() else Outcome.EMPTY


def is_cut_off(text: str, finish_reason: FinishReason) -> bool:
    """Whether the answer met the limit of tokens, or ends inside a definition."""
    begins = [match.start() for match in _BEGINNING.finditer(text)]
    return finish_reason == "length" or (bool(begins) and _is_unfinished(text[begins[-1] :]))


def _is_unfinished(code: str) -> bool:
    """Whether more text could make it a program."""
    try:
        return compile_command(code, symbol="exec") is None
    except SyntaxError as error:
        *before, last = code.rstrip().split("\n")
        inside = last[:1] in {" ", "\t"} or not before  # prose in the first column may have an apostrophe
        return error.msg.startswith("unterminated") and error.lineno == len(before) + 1 and inside
    except (ValueError, OverflowError, RecursionError, MemoryError):
        return False
