"""A benchmark's own file with other inputs in it, as `inputs` and `reduce` write it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from evalplus_run import json_text
from evalplus_run.benchmarks.fetch import fetch
from evalplus_run.config import Config
from evalplus_run.files import write_whole
from evalplus_run.records import Dataset

Row = dict[str, Any]


def write(config: Config, dataset: Dataset, folder: Path, change: Callable[[Row], Row]) -> str:
    """The rows of the tasks that were asked for, each as `change` gives it; where they are and how to judge with them.

    All else in a row stays as the benchmark's file has it.
    """
    target = folder / f"{dataset.name}.jsonl"
    asked = {task.task_id for task in dataset.tasks}
    rows = (json_text.decode(line) for line in fetch(config.dataset).data.splitlines() if line.strip())
    write_whole(target, b"".join(json_text.encode(change(row)) + b"\n" for row in rows if row.get("task_id") in asked))
    name = dataset.name if dataset.name == "mbpp_plus" else "custom"
    return f"written to {target}: judge with dataset={name} dataset.path={target}"
