"""Failing inputs as a file of results has them, as tests of the benchmark."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from evalplus_run.json_text import long_integers
from evalplus_run.records import Arguments, SuiteVerdict
from evalplus_run.report.evalplus_format import plain


class KnownInputs:
    """One suite of a task, by the inputs of its tests."""

    def __init__(self, inputs: Sequence[Arguments]) -> None:
        self._numbers: dict[str, int] = {}
        for number, arguments in enumerate(inputs):
            self._numbers.setdefault(_text(arguments), number)
            if any(isinstance(one, complex) for one in arguments):
                # EvalPlus writes the floats beside them as text too.
                self._numbers.setdefault(_text([str(one) for one in arguments]), number)

    def located(self, verdict: SuiteVerdict, inputs: Sequence[list[Any]]) -> SuiteVerdict:
        """The verdict with the numbers of the tests that have these inputs; as it is where one is of no test."""
        numbers = sorted({self._numbers.get(_text(arguments), -1) for arguments in inputs})
        if not numbers or numbers[0] < 0:
            return verdict
        return replace(verdict, test=numbers[0], failed_tests=tuple(numbers) if len(numbers) > 1 else None)


def _text(arguments: Any) -> str:
    """As JSON has it, so that a tuple is a list, as in a file; empty for what it cannot hold."""
    try:
        with long_integers():
            return json.dumps(arguments, default=plain)
    except (ValueError, RecursionError):
        return ""
