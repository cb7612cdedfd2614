"""`evalplus-run inputs`: plus inputs for a benchmark, task by task, each stored as soon as it is made.

The folder has `tasks.jsonl`, one row for each finished task with where its inputs come from, and at the end the
benchmark itself with the new inputs in place of its plus inputs.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from evalplus_run import json_text
from evalplus_run.benchmarks import load
from evalplus_run.benchmarks.fetch import fetch
from evalplus_run.config import Config
from evalplus_run.evaluate.judging import Rules
from evalplus_run.evaluate.settings import EvaluateSettings
from evalplus_run.files import user_path, write_whole
from evalplus_run.progress import Progress
from evalplus_run.records import Dataset, UserError
from evalplus_run.sandbox import memory, tiers
from evalplus_run.task_processes import all_done
from evalplus_run.task_rows import TaskRows, held
from evalplus_run.testgen.form import Form
from evalplus_run.testgen.making import MadeInputs, make_inputs

_VERSION = "1"
"""Raised whenever the same settings make other inputs."""
_TASKS = "tasks.jsonl"


def run(config: Config) -> None:
    """Make inputs for the tasks of the benchmark that have none in the folder yet. Raises UserError and RunFailed."""
    if config.model is not None or config.samples:
        raise UserError("inputs needs a dataset alone: drop model and samples.")
    progress = Progress()
    dataset = load(config.dataset)
    rules = Rules(
        memory=memory.at_most(config.sandbox.memory << 20),
        evaluate=EvaluateSettings(),
        tier=tiers.choose_tier(config.sandbox),
        wrapper=config.sandbox.wrapper,
        image=config.sandbox.image,
    )
    folder = _folder(config, dataset)
    with held(folder):
        rows = TaskRows(folder / _TASKS, MadeInputs, _identity(config, dataset))
        left = [task for task in dataset.tasks if task.task_id not in rows.made]
        stage = progress.stage("inputs", len(dataset.tasks), len(dataset.tasks) - len(left))
        with progress.shown():
            work = functools.partial(make_inputs, form=Form(dataset.name), settings=config.testgen, rules=rules)
            for made in all_done(work, left, rules, config.executor.workers):
                rows.add(made)
                stage.advance()
        target = folder / f"{dataset.name}.jsonl"
        write_whole(target, _benchmark(config, rows))
    _tell([rows.made[task.task_id] for task in dataset.tasks], config.testgen.n)
    print(f"written to {target}: judge with dataset={_as_typed(dataset)} dataset.path={target}")  # noqa: T201


def _as_typed(dataset: Dataset) -> str:
    return dataset.name if dataset.name == "mbpp_plus" else "custom"


def _identity(config: Config, dataset: Dataset) -> str:
    """A hash of what the inputs hang on."""
    parts = (_VERSION, dataset.name, dataset.sha256, dataclasses.astuple(config.testgen))
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:12]


def _folder(config: Config, dataset: Dataset) -> Path:
    if config.run_dir:
        return user_path(config.run_dir)
    return user_path(config.sweep.dir) / dataset.name / f"inputs-{_identity(config, dataset)}"


def _benchmark(config: Config, rows: TaskRows[MadeInputs]) -> bytes:
    """The benchmark's own rows with the new plus inputs, for the tasks that were asked for."""
    lines = []
    for line in fetch(config.dataset).data.splitlines():
        row = json_text.decode(line) if line.strip() else {}
        made = rows.made.get(row.get("task_id", ""))
        if made:
            row["base_input"] = list(made.base)
            row["plus_input"] = [each.arguments for each in made.inputs]
            lines.append(json_text.encode(row) + b"\n")
    return b"".join(lines)


def _tell(made: Sequence[MadeInputs], wanted: int) -> None:
    """A summary, and the tasks that are short of inputs with why."""
    rejected: Counter[str] = Counter()
    for each in made:
        rejected.update(each.rejected)
        if len(each.inputs) < wanted:
            why = "there are no more" if each.used_up else "the search was given up"
            print(f"{each.task_id}: {len(each.inputs)} of {wanted}, {why}")  # noqa: T201
    total, killed = sum(each.mutants for each in made), sum(each.killed for each in made)
    outcomes, seen = sum(each.outcomes for each in made), sum(each.outcomes_seen for each in made)
    print(  # noqa: T201
        f"{sum(len(each.inputs) for each in made)} inputs for {len(made)} tasks from "
        f"{sum(each.candidates for each in made)} candidates; refused: "
        f"{', '.join(f'{reason} {count}' for reason, count in rejected.most_common())}\n"
        f"with the base inputs they kill {killed} of {total} mutants and reach {seen} of {outcomes} branch outcomes"
    )
