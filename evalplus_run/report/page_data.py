"""What a page is made from: runs, grouped by the benchmark that they are of, as plain records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isnan
from pathlib import PurePath
from typing import Any

from evalplus_run.benchmarks.registry import TITLES
from evalplus_run.metrics.score import Tally
from evalplus_run.records import Estimate, Outcome, ProfileName, SuiteName, Task
from evalplus_run.report.provenance import FileDigest
from evalplus_run.report.sample import Sample
from evalplus_run.report.summary import RunSummary

_NAMED = 3
"""Runs that are named before a warning, at most."""


@dataclass(frozen=True, slots=True)
class RunPage:
    """What the page is given of one run."""

    summary: RunSummary
    samples: Sequence[Sample]
    """In the order in which they are shown: those of a task follow each other."""
    manifest: Mapping[str, Any]
    files: Sequence[FileDigest] = ()
    """The files that the run's result stands on."""


@dataclass(frozen=True)
class PageRun:
    """A run with its name on this page."""

    number: int
    """From 1, over all runs of the page: what links call it."""
    label: str
    page: RunPage

    @property
    def summary(self) -> RunSummary:
        """What it came to."""
        return self.page.summary

    @property
    def tasks(self) -> int:
        """Those with a judged sample."""
        return self.summary.scores["evalplus"].tasks

    @cached_property
    def tally(self) -> Tally:
        """That of its samples under the headline's profile."""
        return Tally.of((sample.verdict for sample in self.page.samples if sample.verdict), "evalplus")

    @property
    def fewest(self) -> int:
        """Judged samples of the task that has the fewest of them, of those that have any; 0 without any."""
        return min(filter(None, self.tally.samples.values()), default=0)

    def estimate(self, suite: SuiteName, k: int, profile: ProfileName = "evalplus") -> Estimate | None:
        """pass@k, or None where the run has no such k."""
        return self.summary.scores[profile].of(suite).get(k)

    def outcomes(self, suite: SuiteName) -> Mapping[Outcome, int]:
        """How many samples came to each; nothing where the run does not have the suite."""
        return self.summary.scores["evalplus"].outcomes[suite] if suite in self.summary.suites else {}

    @property
    def moved(self) -> int | None:
        """How many samples the strict profile moves; None where it was not asked."""
        if self.summary.told_by:
            return None
        return len({(one.task_id, one.index) for one in self.summary.moved if one.suite in self.summary.suites})

    def published(self, suite: SuiteName, k: int) -> float | None:
        """What was published of the model, between 0 and 1; None where nothing is known, or of pass@1 alone."""
        return self.summary.published.of(suite) if self.summary.published and k == 1 else None

    def strict(self, suite: SuiteName, k: int) -> Estimate | None:
        """The strict profile's pass@k where it says something else than the headline."""
        told, strict = self.estimate(suite, k), self.estimate(suite, k, "strict")
        return strict if strict and told and strict.value != told.value and not isnan(strict.value) else None


@dataclass(frozen=True)
class Group:
    """The runs of one benchmark, in one version and variant."""

    number: int
    """From 1."""
    title: str
    runs: Sequence[PageRun]
    """The best first, by the last suite at the smallest k; those of fewer tasks than others after all others, as are
    those without a suite that others have."""

    @property
    def suites(self) -> tuple[SuiteName, ...]:
        """Those that any of the runs has."""
        return max((run.summary.suites for run in self.runs), key=len)

    @property
    def ks(self) -> list[int]:
        """All k that any of the runs has, upwards."""
        return sorted({k for run in self.runs for k in run.summary.scores["evalplus"].base})

    @property
    def has_published(self) -> bool:
        """Whether a published score is drawn on any bar."""
        return any(run.published(suite, 1) is not None for run in self.runs for suite in self.suites)

    @property
    def judges(self) -> str:
        """Whose verdicts the headlines' are."""
        return " and ".join(dict.fromkeys(run.summary.judge for run in self.runs))

    @property
    def outcomes(self) -> list[str]:
        """Those that any of the runs has on the last suite."""
        counted = [run.outcomes(self.suites[-1]) for run in self.runs]
        return [outcome.value for outcome in Outcome if any(counts.get(outcome) for counts in counted)]

    @property
    def stages(self) -> list[str]:
        """The stages whose seconds any of the runs tells."""
        return list(dict.fromkeys(stage for run in self.runs for stage in run.summary.seconds))

    @cached_property
    def tasks(self) -> Mapping[str, Task]:
        """All tasks that any of the runs has a sample of, in the order of the first run that has them."""
        return {sample.task.task_id: sample.task for run in self.runs for sample in run.page.samples}


def groups(runs: Sequence[RunPage]) -> list[Group]:
    """The runs by their benchmark, in the order given; of each benchmark the best run first."""
    named = [
        PageRun(number, label, run) for number, (label, run) in enumerate(zip(_labels(runs), runs, strict=True), 1)
    ]
    by_benchmark: dict[str, list[PageRun]] = {}
    for run in named:
        by_benchmark.setdefault(run.summary.benchmark, []).append(run)
    return [
        Group(number, benchmark_title(own[0].summary), sorted(own, key=_rank(own)))
        for number, own in enumerate(by_benchmark.values(), 1)
    ]


def warnings(runs: Sequence[PageRun]) -> list[tuple[str, str]]:
    """Each warning once, with the runs that it is of; these are left out where there is one run alone."""
    by_text: dict[str, list[str]] = {}
    for run in runs:
        for text in dict.fromkeys(run.summary.warnings):
            by_text.setdefault(text, []).append(run.label)
    return [("" if len(runs) == 1 else _who(labels, len(runs)), text) for text, labels in by_text.items()]


def _who(labels: Sequence[str], of: int) -> str:
    if len(labels) <= _NAMED:
        return ", ".join(labels)
    return "all runs" if len(labels) == of else f"{len(labels)} of {of} runs"


def benchmark_title(summary: RunSummary) -> str:
    """`HumanEval+ v0.1.10`, with the variant where it is not the whole benchmark."""
    variant = "" if summary.variant == "full" else f"({summary.variant})"
    return " ".join(filter(None, [TITLES.get(summary.dataset, summary.dataset), summary.version, variant]))


def _rank(runs: Sequence[PageRun]) -> Callable[[PageRun], tuple[bool, bool, float]]:
    most = max(run.tasks for run in runs)
    suites = max(len(run.summary.suites) for run in runs)

    def rank(run: PageRun) -> tuple[bool, bool, float]:
        by_k = run.summary.scores["evalplus"].of(run.summary.suites[-1])
        value = by_k[min(by_k)].value if by_k else float("nan")
        return run.tasks < most, len(run.summary.suites) < suites, 1.0 if isnan(value) else -value

    return rank


def _labels(runs: Sequence[RunPage]) -> list[str]:
    """The runs' names, with as much behind them as tells the runs of a benchmark apart."""
    summaries = [run.summary for run in runs]
    labels = [summary.label for summary in summaries]
    for more in (lambda summary: summary.sampling, _folder_of):
        times = Counter((label, summary.benchmark) for label, summary in zip(labels, summaries, strict=True))
        labels = [
            label if times[label, summary.benchmark] == 1 else f"{label}, {more(summary)}"
            for label, summary in zip(labels, summaries, strict=True)
        ]
    named = [(label, summary.benchmark) for label, summary in zip(labels, summaries, strict=True)]
    return [_numbered(label, named[:place].count(named[place])) for place, label in enumerate(labels)]


def _folder_of(summary: RunSummary) -> str:
    return PurePath(summary.run_dir).name or summary.run_dir


def _numbered(label: str, before: int) -> str:
    """A name that other runs have too, as the same run on two machines does."""
    return f"{label} ({before + 1})" if before else label
