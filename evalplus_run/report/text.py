"""Text of models and tests made fit for people: nothing hidden, nothing endless."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from math import isnan

from evalplus_run.records import Arguments, Estimate

_HIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")
"""Control characters but tab and newline (a terminal obeys them), marks that reorder or hide text (Boucher &
Anderson 2021, "Trojan Source"), and halves of surrogate pairs (no encoding has them)."""


def visible(text: str) -> str:
    """The text with what a reader would not see, or a terminal would obey, written as an escape."""
    return _HIDDEN.sub(_escape, text.replace("\r\n", "\n"))


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}"


def shorten(text: str, limit: int) -> str:
    """The text, or its beginning and how many characters follow it."""
    return text if len(text) <= limit else f"{text[:limit]} … ({len(text) - limit:,} more characters)"


def call(entry_point: str, arguments: Arguments) -> str:
    """The call that a test makes, as source text."""
    with any_integer():
        return f"{entry_point}({', '.join(repr(one) for one in arguments)})"


@contextmanager
def any_integer() -> Iterator[None]:
    """Inside, integers of any length become text and are read from it; some tests hold thousands of digits."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(before)


def percent(estimate: Estimate) -> str:
    """A score in percent with its interval: `57.3 [49.6, 64.6]`."""
    if isnan(estimate.value):
        return "n/a"
    return f"{estimate.value:.1%} [{estimate.low:.1%}, {estimate.high:.1%}]".replace("%", "")
