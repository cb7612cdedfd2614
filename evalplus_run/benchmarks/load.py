"""From settings to a benchmark's tasks."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from evalplus_run.benchmarks import mbpp
from evalplus_run.benchmarks.fetch import fetch
from evalplus_run.benchmarks.reader import as_read, read_tasks
from evalplus_run.benchmarks.registry import identify, stop_strings
from evalplus_run.benchmarks.settings import DatasetSettings
from evalplus_run.records import Dataset, Task, UserError


def load(settings: DatasetSettings) -> Dataset:
    """The benchmark that the settings name, with the tasks that they choose.

    The version is the official release's that the content is; `unofficial` for other content under an official name;
    for `custom` what the settings say. Raises UserError where the file cannot be had or read, or a task is unknown.
    """
    content = fetch(settings)
    release = identify(content.sha256)
    tasks = read_tasks(content, mbpp.restore if settings.name == "mbpp_plus" else as_read)
    return Dataset(
        name=settings.name,
        version=release.version if release else settings.version or "unofficial",
        variant=release.variant if release else settings.variant,
        sha256=content.sha256,
        md5=content.md5,
        tasks=_chosen(tasks, settings),
        size=len(tasks),
        source=content.source,
        stop=stop_strings(tasks),
    )


def _chosen(tasks: Sequence[Task], settings: DatasetSettings) -> tuple[Task, ...]:
    known = [task.task_id for task in tasks]
    for task_id in settings.tasks:
        if task_id not in known:
            raise UserError(_unknown(task_id, known))
    chosen = [task for task in tasks if not settings.tasks or task.task_id in settings.tasks]
    return tuple(chosen[: settings.limit])


def _unknown(task_id: str, known: Sequence[str]) -> str:
    nearest = get_close_matches(task_id, known, n=1, cutoff=0)[0]
    return f"There is no task {task_id} in this benchmark: use whole ids in dataset.tasks, the nearest is {nearest}."
