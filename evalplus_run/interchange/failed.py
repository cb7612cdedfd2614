"""What became of a program that another tool calls failed, as far as the words tell that it has for it."""

from __future__ import annotations

import re

from evalplus_run.records import Outcome, SuiteVerdict

_LONGEST = 2_000
"""Characters of a text; a traceback tells most at its end."""
_FAILURES = [one.value for one in Outcome if one not in (Outcome.PASS, Outcome.HOST_FAULT)]
_OWN = re.compile(rf"({'|'.join(map(re.escape, _FAILURES))})(?:: |$)")
"""As this program's own export begins."""
_RAISED = re.compile(r"^(?:\w+\.)*([A-Z]\w*(?:Error|Exception|Exit|Interrupt|Iteration))\b(?::|$)", re.MULTILINE)
"""A line of an exception's type, with or without its text: the last one of a traceback."""
_IN_SOURCE = re.compile(r"\(<string>, line \d+\)$|^(?:Syntax|Indentation|Tab)Error\b")
_PYTHONS = re.compile(
    r"is not defined$|has no attribute|unsupported operand|not supported between|out of range$|division .*by zero"
    r"|object (?:is not|does not|cannot)|argument|values? to unpack|invalid literal|recursion depth|referenced before"
)
"""In the interpreter's own sentences, where the exception's type is not told."""


def failed(text: str) -> SuiteVerdict:
    """The verdict on such a program. An assertion may be the tests' or the program's: the text does not tell."""
    text = text.strip()
    outcome = _outcome(text)
    error = _OWN.sub("", text, count=1) if _OWN.match(text) else text
    return SuiteVerdict(outcome, error=error if len(error) <= _LONGEST else f"… {error[-_LONGEST:]}")


def _outcome(text: str) -> Outcome:
    last = text.splitlines()[-1].strip() if text else ""
    if own := _OWN.match(text):
        return Outcome(own[1])
    if "timed out" in last.lower():
        return Outcome.TIMEOUT
    if _IN_SOURCE.search(last):
        return Outcome.SYNTAX_ERROR
    raised = [found[1] for found in _RAISED.finditer(text)]
    if raised and raised[-1] != "AssertionError":
        return Outcome.MEMORY if raised[-1] == "MemoryError" else Outcome.EXCEPTION
    return Outcome.EXCEPTION if not raised and _PYTHONS.search(last) else Outcome.FAILED
