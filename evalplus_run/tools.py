"""The commands that need no run: the sanitizer on files, and what is wrong with a benchmark's own tests."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

from evalplus_run import datasets, json_text
from evalplus_run.config import section
from evalplus_run.evaluate import errata
from evalplus_run.files import write_whole


def sanitize_samples(source: Path, target: Path, dataset: str, sanitizer: str) -> None:
    """Clean a file or folder of samples into another."""
    from evalplus_run.sanitize import SanitizerSettings
    from evalplus_run.sanitize.files import sanitize_file

    tasks = datasets.named(dataset).tasks
    chosen = section("sanitizer", SanitizerSettings, {"name": sanitizer})
    print(sanitize_file(source, target, {task.task_id: task for task in tasks}, chosen))  # noqa: T201


def audit(dataset: str, target: Path | None) -> None:
    """Print which tests of a benchmark are wrong themselves; with `target`, write them as a file of errata."""
    found = list(errata.find(datasets.named(dataset).tasks))
    for (task_id, suite), rows in groupby(found, lambda row: (row.task_id, row.suite)):
        tests = list(rows)
        first = ", ".join(str(row.test) for row in tests[:5]) + ", …" * (len(tests) > 5)
        print(f"{task_id} {suite}: {len(tests)} (tests {first}): {tests[0].reason}")  # noqa: T201
    print(f"{len(found)} tests have inputs of other types than their task declares.")  # noqa: T201
    if target:
        write_whole(target, b"".join(json_text.encode(row) + b"\n" for row in found))
