"""Benchmarks as commands name them, with what this machine knows of their tasks."""

from __future__ import annotations

import functools
from collections.abc import Mapping

from evalplus_run.benchmarks import DatasetSettings, load
from evalplus_run.benchmarks.content import read_content
from evalplus_run.benchmarks.registry import RELEASES, Release, identify
from evalplus_run.config import section
from evalplus_run.evaluate.references import with_recorded_inputs
from evalplus_run.files import user_path
from evalplus_run.records import Dataset, Task, UserError


def named(name: str) -> Dataset:
    """A benchmark by its name, or by its JSONL file. Raises UserError where it is neither."""
    return loaded(settings_of(name))


def settings_of(name: str) -> DatasetSettings:
    """Those of a benchmark by its name, or by its JSONL file; raises UserError as `named`."""
    known = {release.name for release in RELEASES}
    if name in known:
        return section("dataset", DatasetSettings, {"name": name})  # type: ignore[no-any-return]
    path = user_path(name)
    if not path.exists():
        raise UserError(f"--dataset {name} is neither a file nor one of {', '.join(sorted(known))}.")
    release = identify(read_content(path).sha256)
    official = {"name": release.name, "version": release.version, "variant": release.variant} if release else {}
    return section("dataset", DatasetSettings, {"name": "custom", **official, "path": name})  # type: ignore[no-any-return]


def of_release(release: Release) -> Dataset:
    """An official one. Raises UserError where it cannot be had."""
    chosen = {"name": release.name, "version": release.version, "variant": release.variant}
    return loaded(section("dataset", DatasetSettings, chosen))


@functools.lru_cache(maxsize=4)
def loaded(settings: DatasetSettings) -> Dataset:
    """A benchmark, read once for all the runs of a report."""
    return load(settings)


def tasks_of(dataset: Dataset) -> Mapping[str, Task]:
    """Its tasks by their ids, with the inputs that were recorded of those that came with a check."""
    return {task.task_id: with_recorded_inputs(task) for task in dataset.tasks}
