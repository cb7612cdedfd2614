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

from evalplus_run import remade
from evalplus_run.benchmarks import load
from evalplus_run.config import Config
from evalplus_run.engines import Engines
from evalplus_run.evaluate.judging import Rules
from evalplus_run.evaluate.settings import EvaluateSettings
from evalplus_run.files import user_path
from evalplus_run.guidance import Guidance
from evalplus_run.progress import Progress
from evalplus_run.records import Dataset, Task
from evalplus_run.sandbox import memory, tiers
from evalplus_run.sandbox.any_worker import AnyWorker
from evalplus_run.task_processes import all_done
from evalplus_run.task_rows import TaskRows, held
from evalplus_run.testgen.form import Form
from evalplus_run.testgen.guides import Guides
from evalplus_run.testgen.making import MadeInputs, make_inputs
from evalplus_run.testgen.settings import TestgenSettings

_VERSION = "2"
"""Raised whenever the same settings make other inputs."""
_TASKS = "tasks.jsonl"


def run(config: Config) -> None:
    """Make inputs for the tasks of the benchmark that have none in the folder yet. Raises UserError and RunFailed."""
    progress = Progress()
    dataset = load(config.dataset)
    rules = Rules(
        memory=memory.at_most(config.sandbox.memory << 20),
        evaluate=EvaluateSettings(),
        tier=tiers.choose_tier(config.sandbox),
        wrapper=config.sandbox.wrapper,
        image=config.sandbox.image,
    )
    with Engines() as engines:
        guidance = Guidance(config, dataset, engines)
        identity = _identity(config, dataset, guidance)
        _make_all(config, dataset, guidance, identity, rules, progress)


def _make_all(
    config: Config, dataset: Dataset, guidance: Guidance, identity: str, rules: Rules, progress: Progress
) -> None:
    folder = _folder(config, dataset, identity)
    with held(folder):
        rows = TaskRows(folder / _TASKS, MadeInputs, identity)
        left = [task for task in dataset.tasks if task.task_id not in rows.made]
        with progress.shown():
            guides = guidance.of(left, folder, _beside(config, folder), rules, progress)
            stage = progress.stage("inputs", len(dataset.tasks), len(dataset.tasks) - len(left))
            work = functools.partial(_made, form=Form(dataset.name), settings=config.testgen, rules=rules)
            jobs = [(task.task_id, (task, guides[task.task_id])) for task in left]
            for made in all_done(work, jobs, rules, config.executor.workers):
                rows.add(made)
                stage.advance()
        written = remade.write(config, dataset, folder, lambda row: _with_inputs(row, rows.made[row["task_id"]]))
    _tell([rows.made[task.task_id] for task in dataset.tasks], config.testgen.n)
    print(written)  # noqa: T201


def _with_inputs(row: remade.Row, made: MadeInputs) -> remade.Row:
    return {**row, "base_input": list(made.base), "plus_input": [each.arguments for each in made.inputs]}


def _made(
    worker: AnyWorker, job: tuple[Task, Guides], *, form: Form, settings: TestgenSettings, rules: Rules
) -> MadeInputs:
    task, guides = job
    return make_inputs(worker, task, form, settings, rules, guides)


def _identity(config: Config, dataset: Dataset, guidance: Guidance) -> str:
    """A hash of what the inputs hang on."""
    parts = (_VERSION, dataset.name, dataset.sha256, dataclasses.astuple(config.testgen), *guidance.identity)
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:12]


def _folder(config: Config, dataset: Dataset, identity: str) -> Path:
    if config.run_dir:
        return user_path(config.run_dir)
    return user_path(config.sweep.dir) / dataset.name / f"inputs-{identity}"


def _beside(config: Config, folder: Path) -> list[Path]:
    """Folders of inputs that were made by other settings: a model's answers are good for these too."""
    return [] if config.run_dir else [path for path in sorted(folder.parent.glob("inputs-*")) if path != folder]


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
    _tell_of_guides(made)


def _tell_of_guides(made: Sequence[MadeInputs]) -> None:
    """What a model, and programs under test, came to; nothing where there were none."""
    own = sum(input_.by[:1] == ("model",) for each in made for input_ in each.inputs)
    if own:
        print(f"inputs that a model wrote: {own}")  # noqa: T201
    told = [each.programs for each in made if each.programs]
    if told:
        left_out: Counter[str] = Counter()
        for one in told:
            left_out.update(one.left_out)
        ran = sum(one.programs for one in told) - left_out.total()
        print(  # noqa: T201
            f"of {ran} programs under test that are right on the base inputs they tell "
            f"{sum(one.wrong for one in told)} from their references, into "
            f"{sum(one.classes - 1 for one in told)} kinds; stopped: {sum(one.stopped for one in told)}"
            f"{''.join(f'; {reason}: {count}' for reason, count in left_out.most_common())}"
        )
