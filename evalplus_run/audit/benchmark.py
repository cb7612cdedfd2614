"""What a benchmark alone tells of one of its tasks."""

from __future__ import annotations

from dataclasses import dataclass

from evalplus_run.audit.contract import find_refused
from evalplus_run.audit.duplicates import find_duplicates
from evalplus_run.audit.findings import Finding, Kind
from evalplus_run.audit.mutants import Strength, strength
from evalplus_run.audit.reference import find_contradicted, find_failing
from evalplus_run.audit.running import Runner
from evalplus_run.audit.types import find_ill_typed
from evalplus_run.evaluate.references import prepare
from evalplus_run.records import RunFailed, Task


@dataclass(frozen=True, slots=True)
class Depth:
    """How far to go."""

    mutants: int
    """Of each reference, at most."""
    runs_references: bool = True
    """Else only what takes no time is looked at."""


@dataclass(frozen=True, slots=True)
class Looked:
    """What was found of one task."""

    task: Task
    """With the inputs that were recorded, where it came with a check in place of inputs."""
    findings: tuple[Finding, ...]
    strength: Strength | None = None
    """None where no mutants were run."""


def look_at(runner: Runner, task: Task, own_tests: str, depth: Depth) -> Looked:
    """`own_tests` is the program text that the benchmark gives beside inputs, where it does."""
    if task.check and not task.base_inputs:
        try:
            task = runner.call(prepare, task, runner.rules).task
        except RunFailed as error:
            return Looked(task, (Finding(Kind.OWN_TESTS, task.task_id, str(error)),))
    found = [*find_ill_typed(task), *find_duplicates(task), *find_refused(runner, task)]
    if not depth.runs_references:
        return Looked(task, tuple(found))
    failing = list(find_failing(runner, task))
    found += [*find_contradicted(runner, task, own_tests), *failing]
    strong = strength(runner, task, depth.mutants) if depth.mutants and not failing else None
    return Looked(task, (*found, *(strong.findings() if strong else ())), strong)
