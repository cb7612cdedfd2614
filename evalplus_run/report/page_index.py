"""What the page's script knows from the start: of each run its samples' outcomes, in a few characters each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isnan
from typing import Any

from evalplus_run.metrics.curve import curve
from evalplus_run.metrics.score import judged_by, outcomes_that_count
from evalplus_run.records import Estimate, Outcome, ProfileName, SuiteName
from evalplus_run.report import wording
from evalplus_run.report.page_data import Group, PageRun
from evalplus_run.report.prompt import prompt_form
from evalplus_run.report.sample import Sample

_NOT_JUDGED = "-"
_LETTERS: Mapping[Outcome, str] = {outcome: chr(ord("a") + place) for place, outcome in enumerate(Outcome)}
"""An outcome as one character, so that those of a run make one short text."""


def index(benchmarks: Sequence[Group], chunks: Mapping[tuple[int, str], int]) -> dict[str, Any]:
    """What the page's script knows from the start; texts it unpacks when they are asked for.

    `chunks` tells of each group's number and task which chunk has its texts.
    """
    runs = sorted((run for group in benchmarks for run in group.runs), key=lambda run: run.number)
    place = {group.number: {task: at for at, task in enumerate(group.tasks)} for group in benchmarks}
    group_of = {run.number: group.number for group in benchmarks for run in group.runs}
    return {
        "outcomes": [outcome.value for outcome in Outcome],
        "groups": [
            {
                "title": group.title,
                "suites": group.suites,
                "tasks": list(group.tasks),
                "chunks": [chunks[group.number, task] for task in group.tasks],
                "runs": [run.number for run in group.runs],
            }
            for group in benchmarks
        ],
        "runs": [_run(run, group_of[run.number], place[group_of[run.number]]) for run in runs],
    }


def _run(run: PageRun, group: int, place: Mapping[str, int]) -> dict[str, Any]:
    samples = run.page.samples
    form = prompt_form(run.page.manifest)
    return {
        "label": run.label,
        "prompt": [form.before, form.after] if form else None,
        "group": group,
        "tasks": [place[sample.program.task_id] for sample in samples],
        "indices": [sample.program.index for sample in samples],
        "milliseconds": [_milliseconds(sample) for sample in samples],
        "outcomes": {
            profile: {suite: _letters(samples, profile, suite) for suite in run.summary.suites}
            for profile in wording.profiles_shown(run.summary)
        },
        "curve": [[k, *(round(value, 4) for value in values)] for k, values in curve(run.tally, run.summary.suites)],
        "intervals": wording.intervals([run.summary]),
        "marks": [
            {suite: _numbers(run.estimate(suite, k)) for suite in run.summary.suites} | {"k": k}
            for k in run.summary.scores["evalplus"].base
        ],
    }


def _letters(samples: Sequence[Sample], profile: ProfileName, suite: SuiteName) -> str:
    return "".join(
        _NOT_JUDGED
        if sample.verdict is None
        else _LETTERS[outcomes_that_count(judged_by(sample.verdict, profile))[suite]]
        for sample in samples
    )


def _milliseconds(sample: Sample) -> int:
    judged = sample.verdict.evalplus if sample.verdict else None
    return round(1000 * (judged.base.cpu_seconds + judged.plus.cpu_seconds)) if judged else 0


def _numbers(estimate: Estimate | None) -> list[float] | None:
    if estimate is None or isnan(estimate.value):
        return None
    return [round(number, 4) for number in (estimate.value, estimate.low, estimate.high)]
