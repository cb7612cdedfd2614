"""What runs of one table are called, so that no two look alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from evalplus_run.report.summary import RunSummary
from evalplus_run.report.wording import ways
from evalplus_run.sweeps.jobs import Job

_SHOWN = {"dataset", "sanitizer", "sampling.n"}
"""Keys whose values a row of a table shows anyway."""
_TEMPERATURE = "sampling.temperature"


def told_apart(summaries: Sequence[RunSummary], jobs: Sequence[Job]) -> list[RunSummary]:
    """The same runs; those of one benchmark and name get the keys in which their jobs differ into their name.

    Where two look alike after that, as those of no sweep may, they get their folders.
    """
    typed = _typed(jobs)
    named = [_named(summary, _swept(summary, summaries, typed), typed) for summary in summaries]
    often = Counter(map(_looks, named))
    return [replace(each, name=f"{each.label}, {each.run_dir}") if often[_looks(each)] > 1 else each for each in named]


def _typed(jobs: Sequence[Job]) -> Mapping[Path, Mapping[str, str]]:
    """What the latest job with each run's folder was told, by key."""
    finished = sorted((job for job in jobs if job.state == "finished"), key=lambda job: job.ended)
    return {Path(job.run_dir).absolute(): dict(text.partition("=")[::2] for text in job.overrides) for job in finished}


def _swept(summary: RunSummary, summaries: Sequence[RunSummary], typed: Mapping[Path, Mapping[str, str]]) -> list[str]:
    """The keys in which jobs differ that have a run of this benchmark and name."""
    same = [each for each in summaries if (each.benchmark, each.label) == (summary.benchmark, summary.label)]
    told = [typed[path] for each in same if (path := Path(each.run_dir).absolute()) in typed]
    keys = dict.fromkeys(key for each in told for key in each)
    return [key for key in keys if len({each.get(key) for each in told}) > 1]


def _named(summary: RunSummary, swept: Sequence[str], typed: Mapping[Path, Mapping[str, str]]) -> RunSummary:
    own = typed.get(Path(summary.run_dir).absolute(), {})
    shown = _SHOWN if summary.temperature is None else {*_SHOWN, _TEMPERATURE}
    told = [f"{key}={own[key]}" for key in swept if key in own and key not in shown]
    return replace(summary, name=", ".join([summary.label, *told])) if told else summary


def _looks(summary: RunSummary) -> tuple[str, ...]:
    return summary.benchmark, summary.label, ways(summary)
