"""The rows of a table of runs: each run's pass@k under each judge profile, with all figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isnan

from evalplus_run.records import Estimate, ProfileName, Score, SuiteName
from evalplus_run.report.summary import RunSummary, samples_a_task
from evalplus_run.report.wording import consistent, profiles_shown

_NAN = float("nan")
_NOTHING = Estimate(_NAN, _NAN, _NAN, "undefined")


@dataclass(frozen=True, slots=True)
class Row:
    """One run's pass@k under one judge profile; scores between 0 and 1."""

    dataset: str
    """As `RunSummary.benchmark`."""
    model: str
    """What the run is called."""
    sampling: str
    n: float
    """Samples a task, on average."""
    temperature: float
    """NaN where it is not told."""
    sanitizer: str
    judge: str
    """`RunSummary.judge`, or `strict`."""
    k: int
    base: float
    base_low: float
    base_high: float
    plus: float
    """NaN, with its ends, where the benchmark has no plus tests."""
    plus_low: float
    plus_high: float
    interval: str
    """The kind of both intervals."""
    base_published: float
    """What others published of the model; NaN where it is not told, and for k above 1."""
    plus_published: float
    consistent: str
    """In words, whether ours go together with them; empty where nothing is published."""
    drop: float
    """What the plus tests take of base, with an interval of its own; NaN as plus is."""
    drop_low: float
    drop_high: float
    base_sampling_error: float
    """The standard error from drawing samples alone, as the other from the choice of tasks alone; NaN where n is too
    small to tell the two apart."""
    base_tasks_error: float
    plus_sampling_error: float
    plus_tasks_error: float
    tasks: int
    tasks_in_dataset: int
    samples: int
    comparable: bool
    run_dir: str


def rows(summaries: Sequence[RunSummary]) -> list[Row]:
    """By benchmark, k and judge, the best whole run first; the strict profile where it says something else."""
    found = [
        row
        for summary in summaries
        for profile in profiles_shown(summary)
        for row in _of_run(summary, profile, summary.scores[profile].base)
    ]
    return sorted(found, key=_place)


def _of_run(summary: RunSummary, profile: ProfileName, ks: Mapping[int, Estimate]) -> Iterator[Row]:
    score = summary.scores[profile]
    for k in ks:
        base, (plus, drop) = score.base[k], _of_plus(summary, score, k)
        yield Row(
            dataset=summary.benchmark,
            model=summary.label,
            sampling=summary.sampling,
            n=samples_a_task(summary),
            temperature=_told(summary.temperature),
            sanitizer=summary.sanitizer,
            judge=summary.judge_of(profile),
            k=k,
            base=base.value,
            base_low=base.low,
            base_high=base.high,
            plus=plus.value,
            plus_low=plus.low,
            plus_high=plus.high,
            interval=base.method,
            base_published=_published(summary, "base", k),
            plus_published=_published(summary, "plus", k),
            consistent=consistent(summary) if profile == "evalplus" and k == 1 else "",
            drop=drop.value,
            drop_low=drop.low,
            drop_high=drop.high,
            base_sampling_error=_told(base.sampling_error),
            base_tasks_error=_told(base.tasks_error),
            plus_sampling_error=_told(plus.sampling_error),
            plus_tasks_error=_told(plus.tasks_error),
            tasks=score.tasks,
            tasks_in_dataset=score.tasks_in_dataset,
            samples=score.samples,
            comparable=summary.comparable,
            run_dir=summary.run_dir,
        )


def _of_plus(summary: RunSummary, score: Score, k: int) -> tuple[Estimate, Estimate]:
    """The score on base and plus, and what plus takes."""
    return (score.plus[k], score.drop.get(k, _NOTHING)) if "plus" in summary.suites else (_NOTHING, _NOTHING)


def _published(summary: RunSummary, suite: SuiteName, k: int) -> float:
    return _told(summary.published.of(suite) if summary.published and k == 1 else None)


def _told(value: float | None) -> float:
    return _NAN if value is None else value


def _place(row: Row) -> tuple[str, int, bool, bool, bool, float]:
    """What is compared stands together; runs on a part of the tasks, or without plus, come last, whatever they scored
    there."""
    has_plus = not isnan(row.plus)
    value = row.plus if has_plus else row.base
    is_partial = row.tasks < row.tasks_in_dataset
    return row.dataset, row.k, row.judge == "strict", is_partial, not has_plus, 1.0 if isnan(value) else -value
