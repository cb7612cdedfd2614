"""`evalplus-run audit`: what is wrong with a benchmark's own tests, and what may be."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from evalplus_run import config, datasets, given_programs, json_text
from evalplus_run.audit import ability, told
from evalplus_run.audit.benchmark import Depth, Looked, look_at
from evalplus_run.audit.findings import Finding, Kind, errata_of
from evalplus_run.audit.models import Judged, judge_all, pass_rates
from evalplus_run.audit.other_inputs import other_inputs
from evalplus_run.audit.running import Runner
from evalplus_run.audit.samples import find_other_answers, find_undecided
from evalplus_run.benchmarks.fetch import fetch
from evalplus_run.evaluate.judging import Rules
from evalplus_run.evaluate.settings import EvaluateSettings
from evalplus_run.files import write_whole
from evalplus_run.machine import usable_cores
from evalplus_run.progress import Progress
from evalplus_run.records import Dataset, Program, Task, UserError
from evalplus_run.report.text import visible
from evalplus_run.sandbox import memory, tiers
from evalplus_run.sandbox.settings import SandboxSettings
from evalplus_run.testgen.form import Form

Item = TypeVar("Item")
Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is looked at."""

    dataset: str
    """A benchmark's name, or its JSONL file."""
    tasks: Sequence[str] = ()
    """Ids; empty for all."""
    samples: Sequence[str] = ()
    """A file or folder for each model."""
    depth: Depth
    workers: int | None = None
    """Programs at once; None for one a core."""


def run(wanted: Wanted, errata: Path | None = None, findings: Path | None = None) -> None:
    """Audit a benchmark, print what was found, write the errata and all findings. Raises UserError and RunFailed."""
    dataset = _chosen(datasets.named(wanted.dataset), wanted.tasks)
    settings = config.parse({"dataset": {"name": dataset.name}})
    programs = given_programs.by_model(settings, dataset, wanted.samples)
    sandbox = SandboxSettings()
    rules = Rules(memory.at_most(sandbox.memory << 20), EvaluateSettings(), tiers.choose_tier(sandbox))
    progress = Progress()
    with Runner(rules, wanted.workers or usable_cores()) as runner, progress.shown():
        looked = _of_tasks(runner, wanted, dataset, progress)
        found = [finding for each in looked for finding in each.findings]
        if programs:
            found += _of_samples(runner, looked, programs, dataset.name, progress)
    place = {task.task_id: number for number, task in enumerate(dataset.tasks)}
    found.sort(key=lambda each: (place[each.task_id], each.suite or "", each.test or 0, each.kind))
    _write(errata, [each for each in found if each.is_fault])
    _write(findings, found)
    strengths = [each.strength for each in looked if each.strength]
    for line in told.lines(found, strengths, len(dataset.tasks)):
        print(visible(line))  # noqa: T201
    if not wanted.depth.runs_references:
        print("No reference was run: whether one fails, or is not deterministic, is not known.")  # noqa: T201


def _write(path: Path | None, findings: Sequence[Finding]) -> None:
    if path:
        write_whole(path, b"".join(json_text.encode(row) + b"\n" for row in told.rows(findings)))


def _chosen(dataset: Dataset, tasks: Sequence[str]) -> Dataset:
    known = {task.task_id for task in dataset.tasks}
    for each in tasks:
        if each not in known:
            raise UserError(
                f"There is no task {each} in {dataset.name}: give whole ids, as {dataset.tasks[0].task_id}."
            )
    return replace(dataset, tasks=tuple(task for task in dataset.tasks if not tasks or task.task_id in tasks))


def _own_tests(name: str) -> dict[str, str]:
    """By task, the tests that a benchmark gives as program text beside inputs: HumanEval+'s and MBPP+'s do."""
    found = {}
    for line in fetch(datasets.settings_of(name)).data.splitlines():
        row = json_text.decode(line) if line.strip() else {}
        test, assertion = row.get("test"), row.get("assertion")
        if isinstance(test, str) and "def check(" in test:
            found[row["task_id"]] = f"{test}\ncheck({row['entry_point']})\n"
        elif isinstance(assertion, str):
            found[row["task_id"]] = assertion
    return found


def _of_tasks(runner: Runner, wanted: Wanted, dataset: Dataset, progress: Progress) -> list[Looked]:
    """What the benchmark alone tells."""
    own_tests = _own_tests(wanted.dataset)
    stage = progress.stage("tasks", len(dataset.tasks))

    def look(task: Task) -> Looked:
        return look_at(runner, task, own_tests.get(task.task_id, ""), wanted.depth)

    looked = []
    for each in _side_by_side(runner.number, look, dataset.tasks):
        looked.append(each)
        stage.advance()
    return looked


def _of_samples(
    runner: Runner,
    looked: Sequence[Looked],
    programs: Mapping[str, Sequence[Program]],
    name: str,
    progress: Progress,
) -> list[Finding]:
    """What the programs of models tell of the tasks whose references work."""
    faults = [finding for each in looked for finding in each.findings if finding.is_fault]
    broken = {each.task_id for each in faults if each.kind in (Kind.REFERENCE, Kind.UNSTEADY)}
    tasks = [each.task for each in looked if each.task.task_id not in broken and each.task.base_inputs]
    if len(tasks) < len(looked):
        progress.say(f"Tasks whose reference fails, of which programs tell nothing: {len(looked) - len(tasks)}.")
    stage = progress.stage("judged", sum(map(len, programs.values())))
    judged = judge_all(runner, tasks, programs, errata_of(faults), stage.advance)
    found = _against_ability(judged, list(programs), progress)
    form = Form(name)

    def look(task: Task) -> list[Finding]:
        others = other_inputs(runner, task, form) if any(each.verdict.passed for each in judged[task.task_id]) else []
        return [
            *find_other_answers(runner, task, judged[task.task_id]),
            *find_undecided(runner, task, judged[task.task_id], others),
        ]

    stage = progress.stage("answers", len(tasks))
    for each in _side_by_side(runner.number, look, tasks):
        found += each
        stage.advance()
    return found


def _against_ability(
    judged: Mapping[str, Sequence[Judged]], models: Sequence[str], progress: Progress
) -> list[Finding]:
    tried = ability.discriminations(pass_rates(judged, models))
    if not ability.can_tell(tried):
        progress.say(
            f"Whether verdicts go against ability cannot be told from {len(models)} models and {len(tried)} tasks."
        )
    return ability.against_ability(tried)


def _side_by_side(workers: int, work: Callable[[Item], Answer], items: Iterable[Item]) -> Iterator[Answer]:
    """As they are finished."""
    with ThreadPoolExecutor(workers) as threads:
        waiting = [threads.submit(work, item) for item in items]
        try:
            for each in as_completed(waiting):
                yield each.result()
        except BaseException:
            threads.shutdown(wait=False, cancel_futures=True)
            raise
