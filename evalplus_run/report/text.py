"""Text of models and tests made fit for people: nothing hidden, nothing endless."""

from __future__ import annotations

import re
from math import isnan
from typing import Any

from evalplus_run.json_text import long_integers
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
    """The call that a test makes, as source text; with `…` for an argument that is too long or too deep for any."""
    with long_integers():
        return f"{entry_point}({', '.join(map(_source, arguments))})"


def _source(value: Any) -> str:
    try:
        return repr(value)
    except (ValueError, RecursionError):
        return "…"


def points(estimate: Estimate) -> str:
    """A difference in points with its interval: `+3.1 [-2.0, +8.2]`."""
    return f"{100 * estimate.value:+.1f} [{100 * estimate.low:+.1f}, {100 * estimate.high:+.1f}]"


def p_value(value: float, *, is_at_most: bool = False) -> str:
    """`0.034`, `< 0.001`, or `≤ 0.002` where it is only known to be no more."""
    if isnan(value):
        return "n/a"
    return "< 0.001" if value < 0.001 else f"{'≤ ' if is_at_most else ''}{value:.3f}"


def percent(estimate: Estimate) -> str:
    """A score in percent with its interval: `57.3 [49.6, 64.6]`."""
    if isnan(estimate.value):
        return "n/a"
    return f"{estimate.value:.1%} [{estimate.low:.1%}, {estimate.high:.1%}]".replace("%", "")
