"""Tests that are there twice: they do no harm, but show nothing either."""

from __future__ import annotations

from collections.abc import Iterator

from evalplus_run.audit.findings import Finding, Kind
from evalplus_run.records import SUITES, Task
from evalplus_run.testgen.values import key


def find_duplicates(task: Task) -> Iterator[Finding]:
    """A finding for each test whose input an earlier one has, with the same types; plus tests come after base tests."""
    first: dict[str, str] = {}
    for suite in SUITES:
        for test, arguments in enumerate(task.inputs(suite)):
            name = key(arguments)
            if name in first:
                yield Finding(Kind.DUPLICATE, task.task_id, f"the same input as {first[name]}", suite, test)
            else:
                first[name] = f"{suite} test {test}"
