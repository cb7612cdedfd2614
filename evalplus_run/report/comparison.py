"""Runs of the same benchmark against the first of them: task by task, on the tasks that all have."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from typing import TYPE_CHECKING

from evalplus_run.metrics.flips import LEVEL
from evalplus_run.metrics.score import Tally
from evalplus_run.records import ProfileName, SuiteName, UserError
from evalplus_run.report.summary import VERSION_NOT_TOLD, RunSummary, samples_a_task
from evalplus_run.words import counted

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from evalplus_run.metrics.paired import Comparison

_FAR = 10
"""Times as many tasks as there are: a number beyond hangs on a difference too small to be sure of."""

_CONDITIONS: Mapping[str, Callable[[RunSummary], str]] = {
    "sampling": lambda run: "" if run.told_by else run.sampling,
    "samples a task": lambda run: f"{samples_a_task(run):g}",
    "sanitizer": lambda run: "" if run.told_by else run.sanitizer,
    "what judged them": lambda run: run.told_by or "this program",
}
"""Each in words; empty where it is not known, as of other tools' files."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A run as a comparison takes it."""

    summary: RunSummary
    tally: Tally
    """Of its verdicts under one judge profile, the same for all runs of a comparison."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """One run against the first on one suite."""

    run: int
    """The run's place in `Compared.runs`, from 1."""
    suite: SuiteName
    result: Comparison
    p_adjusted: float
    """By Holm over all the runs that are compared on this suite."""
    is_at_most: bool
    """Whether that is only known to be no more, since this p or another that it hangs on is."""
    samples_needed: int | None
    """As in `Comparison`, at the level that p alone must reach by the same rule."""
    tasks_needed: int | None
    smallest_shown: float
    first_ahead: tuple[str, ...]
    """The tasks on which the first run's pass@k is the higher, those of the largest difference first."""
    run_ahead: tuple[str, ...]

    @property
    def is_found(self) -> bool:
        """Whether the two are told apart."""
        return self.p_adjusted < LEVEL

    @property
    def disagreement(self) -> str:
        """Why the interval says another thing about zero than the finding; empty where both say the same."""
        difference, is_alone = self.result.difference, self.result.p_value < LEVEL
        leaves_out = not isnan(difference.value) and not difference.low <= 0 <= difference.high
        if leaves_out == self.is_found:
            return ""
        if is_alone and not self.is_found:
            return "the interval leaves zero out, as it is of this comparison alone, where p is adjusted for all"
        way = "leaves zero out" if leaves_out else "has zero in it"
        return f"the interval ({difference.method}, approximate) {way}; the finding is that of the test"

    @property
    def remedy(self) -> str:
        """What would tell the two apart, in words; empty where that is not known, or is no more than there is."""
        samples, tasks = self.samples_needed or 0, self.tasks_needed or 0
        ways = []
        if samples > self.result.samples:
            ways.append(f"about {_about(samples, 'sample')} for each of these tasks")
        if self.result.tasks < tasks <= _FAR * self.result.tasks:
            ways.append(f"about {_about(tasks, 'task')} like these")
        return " or ".join(ways)

    @property
    def shown(self) -> str:
        """What difference these tasks would have told, in words; empty where it is not known or was seen."""
        is_sensible = abs(self.result.difference.value) < self.smallest_shown < 1
        return f"{100 * self.smallest_shown:.1f} points" if is_sensible else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """All that `compare` tells."""

    runs: tuple[RunSummary, ...]
    profile: ProfileName
    k: int
    tasks: int
    """Those that every run has."""
    tasks_left_out: int
    """Those that some runs have and others not."""
    pairs: tuple[Pair, ...]
    """Suite by suite, in the order of the runs."""

    @property
    def unlike(self) -> str:
        """In what else than the model the runs differ, in a sentence; empty where in nothing that is known."""
        names = [name for name, of in _CONDITIONS.items() if len({*map(of, self.runs)} - {""}) > 1]
        return f"Not the models alone are compared: the runs differ in {', '.join(names)}." if names else ""

    @property
    def methods(self) -> str:
        """By what tests, and with what kinds of intervals."""
        used = dict.fromkeys((pair.result.test, pair.result.difference.method) for pair in self.pairs)
        return "; ".join(test if test == interval else f"{test}, interval {interval}" for test, interval in used)


def compare_runs(runs: Sequence[Judged], k: int, profile: ProfileName = "evalplus") -> Compared:
    """Compare two runs or more by their tallies under `profile`, the first with each of the others.

    Raises UserError where they are of different benchmarks, have no task in common, or too few samples for k.
    """
    _refuse_others([run.summary for run in runs])
    sets = [set(run.tally.tasks) for run in runs]
    common = sorted(set.intersection(*sets), key=by_number)
    _refuse_few(runs, common, k)
    return Compared(
        runs=tuple(run.summary for run in runs),
        profile=profile,
        k=k,
        tasks=len(common),
        tasks_left_out=len(set().union(*sets)) - len(common),
        pairs=tuple(pair for suite in runs[0].summary.suites for pair in _pairs(runs, common, suite, k)),
    )


def _pairs(runs: Sequence[Judged], tasks: Sequence[str], suite: SuiteName, k: int) -> list[Pair]:
    """Of the first run, which has the suite, with all others that have it."""
    from evalplus_run.metrics.paired import compare, holm, holm_level
    from evalplus_run.metrics.passk import pass_at_k

    counts = [run.tally.counts(suite, tasks) for run in runs]
    others = [place for place, run in enumerate(runs) if place and suite in run.summary.suites]
    results = [compare(counts[0], counts[place], k) for place in others]
    adjusted = holm([result.p_value for result in results])
    level = holm_level(adjusted)
    # What is no more than p may be anything down to zero, and others' places in the order hang on it.
    least = holm([0.0 if result.is_at_most else result.p_value for result in results])
    values = [pass_at_k(samples, correct, k) for samples, correct in counts]
    return [
        Pair(
            run=place,
            suite=suite,
            result=result,
            p_adjusted=p_value,
            is_at_most=lowest < p_value,
            samples_needed=result.samples_needed(level),
            tasks_needed=result.tasks_needed(level),
            smallest_shown=result.smallest_shown(level),
            first_ahead=_ahead(tasks, values[0] - values[place]),
            run_ahead=_ahead(tasks, values[place] - values[0]),
        )
        for place, result, p_value, lowest in zip(others, results, adjusted, least, strict=True)
    ]


def _ahead(tasks: Sequence[str], lead: NDArray[np.float64]) -> tuple[str, ...]:
    return tuple(tasks[place] for place in (-lead).argsort(kind="stable") if lead[place] > 0)


def _about(number: int, noun: str) -> str:
    """In two significant digits, upwards."""
    step = 10 ** max(0, len(str(number)) - 2)
    return counted(-(-number // step) * step, noun)


def by_number(task_id: str) -> tuple[str, int, str]:
    """HumanEval/9 before HumanEval/10; a number of any length, which Python would not read."""
    name, _, number = task_id.rpartition("/")
    digits = number.lstrip("0")
    return (name, len(digits), digits) if number.isdecimal() else (task_id, 0, "")


def _refuse_others(runs: Sequence[RunSummary]) -> None:
    first = runs[0]
    for other in runs[1:]:
        if not _may_be_the_same(first, other):
            is_told = not (other.told_by or first.told_by)
            remedy = "" if is_told else "; that of a file which does not tell its own is named with --dataset"
            raise UserError(
                f"{other.run_dir} is of {other.benchmark}, {first.run_dir} of {first.benchmark}:"
                f" compare runs of one benchmark{remedy}."
            )


def _may_be_the_same(first: RunSummary, other: RunSummary) -> bool:
    """Whether they are of one benchmark, or differ in that one of them does not tell which version it is of."""
    if first.benchmark == other.benchmark:
        return True
    one_untold = VERSION_NOT_TOLD in (first.version, other.version)
    return one_untold and (first.dataset, first.variant) == (other.dataset, other.variant)


def _refuse_few(runs: Sequence[Judged], common: Sequence[str], k: int) -> None:
    if not common:
        raise UserError("The runs have no judged task in common: compare runs of the same tasks.")
    for run in runs:
        if (fewest := min(run.tally.samples[task] for task in common)) < k:
            few = counted(fewest, "judged sample")
            raise UserError(f"{run.summary.run_dir} has only {few} of some tasks: give --k {fewest} or less.")
