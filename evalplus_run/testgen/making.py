"""One task's new inputs, as they are stored: made in a process of its own, so that tasks go side by side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from evalplus_run.evaluate.judging import Rules
from evalplus_run.evaluate.references import prepare
from evalplus_run.records import Task
from evalplus_run.sandbox.any_worker import AnyWorker
from evalplus_run.testgen.form import Form
from evalplus_run.testgen.guides import Guides
from evalplus_run.testgen.programs import Told
from evalplus_run.testgen.search import search
from evalplus_run.testgen.selection import select
from evalplus_run.testgen.settings import TestgenSettings
from evalplus_run.testgen.specifications import specified


@dataclass(frozen=True, slots=True)
class MadeInput:
    """One new input."""

    arguments: Any
    """As the benchmark's file holds them."""
    by: tuple[str, ...]
    """The operators that made it from an earlier one; empty for an example in the prompt. `model`, and what it was
    asked for with the number of its answer, for one of a model's own."""
    shows: tuple[str, ...] = ()
    """The outcomes of the reference's branches that no earlier input reached, the mutants that none killed, and the
    programs that none told from the reference or split from each other."""


class MadeInputs(msgspec.Struct, frozen=True, omit_defaults=True):
    """All of one task."""

    task_id: str
    base: tuple[Any, ...]
    """The task's own inputs, as the benchmark's file holds them."""
    inputs: tuple[MadeInput, ...]
    candidates: int
    """That were made in all."""
    rejected: Mapping[str, int]
    """How many of them were refused, by reason; an exception's name where the reference raised it."""
    used_up: bool
    """Whether no more new inputs were to be found."""
    mutants: int
    killed: int
    """Of the mutants, by the base inputs and the new ones together."""
    outcomes: int
    outcomes_seen: int
    """Of the reference's branches."""
    programs: Told | None = None
    """What became of the programs under test, where there are any."""


def make_inputs(
    worker: AnyWorker, task: Task, form: Form, settings: TestgenSettings, rules: Rules, beside: Guides
) -> MadeInputs:
    """Raises RunFailed where the task's reference fails on its own inputs."""
    prepared = prepare(worker, replace(task, plus_inputs=()), rules).task
    base = tuple(form.read_again(task.task_id, each) for each in prepared.base_inputs)
    asked = specified(replace(prepared, base_inputs=base))
    found, summary = search(worker, asked, settings, form, memory=rules.memory, beside=beside)
    return MadeInputs(
        task_id=task.task_id,
        base=tuple(map(form.written, base)),
        inputs=tuple(
            MadeInput(form.written(each.arguments), each.operators, each.news) for each in select(found, settings.n)
        ),
        candidates=summary.candidates,
        rejected=dict(sorted(summary.rejected.items())),
        used_up=summary.used_up,
        mutants=summary.mutants,
        killed=summary.killed,
        outcomes=summary.outcomes,
        outcomes_seen=summary.outcomes_seen,
        programs=summary.programs,
    )
