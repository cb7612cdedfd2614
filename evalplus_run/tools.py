"""The command that needs no run: the sanitizer on files."""

from __future__ import annotations

from pathlib import Path

from evalplus_run import datasets
from evalplus_run.config import section


def sanitize_samples(source: Path, target: Path, dataset: str, sanitizer: str) -> None:
    """Clean a file or folder of samples into another."""
    from evalplus_run.sanitize import SanitizerSettings
    from evalplus_run.sanitize.files import sanitize_file

    tasks = datasets.named(dataset).tasks
    chosen = section("sanitizer", SanitizerSettings, {"name": sanitizer})
    print(sanitize_file(source, target, {task.task_id: task for task in tasks}, chosen))  # noqa: T201
