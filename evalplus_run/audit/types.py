"""Inputs of other types than their task declares."""

from __future__ import annotations

from collections.abc import Iterator

from evalplus_run.audit.findings import Finding, Kind
from evalplus_run.benchmarks.declared import ill_typed
from evalplus_run.records import SUITES, Task


def find_ill_typed(task: Task) -> Iterator[Finding]:
    """A finding for each test."""
    for suite in SUITES:
        for test, why in ill_typed(task, task.inputs(suite)):
            yield Finding(Kind.ILL_TYPED, task.task_id, why, suite, test)
