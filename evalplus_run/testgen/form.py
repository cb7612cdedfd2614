"""Inputs as a benchmark's file holds them: JSON, and what the benchmark's own rules make of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from evalplus_run import json_text
from evalplus_run.benchmarks import mbpp
from evalplus_run.records import Arguments
from evalplus_run.testgen.values import key

Restore = Callable[[str, Sequence[Any]], Arguments]


class Form:
    """How the inputs of one benchmark are written and read."""

    def __init__(self, dataset: str) -> None:
        self._restore: Restore = mbpp.restore if dataset == "mbpp_plus" else _as_read

    def written(self, arguments: Arguments) -> Any:
        """As JSON can hold them."""
        return mbpp.serialize(list(arguments))

    def read_again(self, task_id: str, arguments: Arguments) -> Arguments:
        """What a reader of the file gets. Raises ValueError, TypeError or AttributeError where it gets nothing."""
        return self._restore(task_id, json_text.decode(json_text.encode(self.written(arguments))))

    def holds(self, task_id: str, arguments: Arguments) -> bool:
        """Whether a reader of the file gets the same."""
        try:
            return key(self.read_again(task_id, arguments)) == key(arguments)
        except (ArithmeticError, AttributeError, TypeError, ValueError):
            return False


def _as_read(_: str, arguments: Sequence[Any]) -> Arguments:
    return tuple(arguments)
