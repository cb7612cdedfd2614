"""The samples of a file of verdicts, with what it and its benchmark tell of each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import groupby
from typing import Any

from evalplus_run import datasets
from evalplus_run.evaluate.references import expected_texts
from evalplus_run.interchange.failing import KnownInputs
from evalplus_run.interchange.form import Form, Given, Recorded
from evalplus_run.recorded.benchmark import Benchmark
from evalplus_run.records import (
    Outcome,
    ProfileVerdict,
    Program,
    SuiteName,
    SuiteVerdict,
    Task,
    UserError,
)
from evalplus_run.report.comparison import by_number
from evalplus_run.report.sample import Sample


def samples_of(form: Form, recorded: Recorded, benchmark: Benchmark) -> list[Sample]:
    """One for each verdict, in the benchmark's order. Raises UserError where a known benchmark cannot be had."""
    tasks = _tasks(benchmark)
    place = {task_id: number for number, task_id in enumerate(tasks)}

    def order(sample: Sample) -> tuple[int, tuple[str, int, str], int]:
        task_id = sample.program.task_id
        return place.get(task_id, len(place)), by_number(task_id), sample.program.index

    found = sorted(_samples(form, recorded, tasks), key=order)
    return list(_with_tests(found)) if benchmark.is_exact else found


def _tasks(benchmark: Benchmark) -> Mapping[str, Task]:
    """Those that are known; without their tests where the file's may be others."""
    dataset = benchmark.dataset
    if dataset is None and benchmark.release:
        try:
            dataset = datasets.of_release(benchmark.release)
        except UserError:
            if benchmark.is_known:
                raise
    tasks = datasets.tasks_of(dataset) if dataset else {}
    if benchmark.is_exact:
        return tasks
    return {task_id: replace(task, base_inputs=(), plus_inputs=()) for task_id, task in tasks.items()}


def _samples(form: Form, recorded: Recorded, tasks: Mapping[str, Task]) -> Iterator[Sample]:
    for place, verdict in enumerate(recorded.verdicts):
        task = tasks.get(verdict.task_id) or Task(
            verdict.task_id, recorded.prompts.get(verdict.task_id, ""), "", "", (), ()
        )
        answer = recorded.answers[place] if recorded.answers else None
        if recorded.programs:
            program = recorded.programs[place]
        else:
            program = Program(verdict.task_id, verdict.index, "" if form.raw or not answer else _program(task, answer))
        yield Sample(
            task,
            program,
            verdict,
            answer.as_answer(verdict.task_id, verdict.index) if form.raw and answer else None,
            suites=recorded.suites,
            failing_inputs=recorded.failing_inputs[place] if recorded.failing_inputs else {},
        )


def _program(task: Task, answer: Given) -> str:
    return (task.prompt if answer.continues_prompt else "") + answer.text


def _with_tests(samples: Iterable[Sample]) -> Iterator[Sample]:
    """The same with the numbers of their failing tests, and what was expected where that is kept here."""
    for _, own in groupby(samples, key=lambda sample: sample.task.task_id):
        found: _TaskTests | None = None
        for sample in own:
            if sample.verdict is None or sample.verdict.evalplus.passed:
                yield sample
                continue
            found = found or _TaskTests(sample.task)
            evalplus, inputs = sample.verdict.evalplus, sample.failing_inputs
            judged = ProfileVerdict(
                found.of("base", evalplus.base, inputs.get("base", ())),
                found.of("plus", evalplus.plus, inputs.get("plus", ())),
            )
            yield replace(sample, verdict=replace(sample.verdict, evalplus=judged, strict=judged))


class _TaskTests:
    """The tests of one task, looked up once for all its samples."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self._expected = expected_texts(task)
        self._suites: dict[SuiteName, KnownInputs] = {}

    def of(self, suite: SuiteName, verdict: SuiteVerdict, failing_inputs: tuple[list[Any], ...]) -> SuiteVerdict:
        """A verdict with what is known of its failing test."""
        if verdict.outcome is Outcome.PASS:
            return verdict
        if failing_inputs:
            if suite not in self._suites:
                self._suites[suite] = KnownInputs(self._task.inputs(suite))
            verdict = self._suites[suite].located(verdict, failing_inputs)
        return verdict if verdict.test is None else replace(verdict, expected=self._expected(suite, verdict.test))
