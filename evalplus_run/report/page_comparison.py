"""Each run of a benchmark against each other one, as the page shows them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isnan

from evalplus_run.records import UserError
from evalplus_run.report.comparison import Compared, Judged, Pair, compare_runs
from evalplus_run.report.page_data import Group, PageRun

_MOST_RESAMPLED = 42
"""Comparisons by resampling, for all k, which take a while each; were there more, all are against the best run only."""


@dataclass(frozen=True, slots=True)
class Against:
    """All other runs of a benchmark against one of them, by pass@k."""

    k: int
    run: PageRun
    found: Compared
    rows: Sequence[tuple[PageRun, Pair]]
    """Suite by suite."""

    @property
    def found_runs(self) -> list[int]:
        """The numbers of the other runs."""
        return list(dict.fromkeys(run.number for run, _ in self.rows))

    @property
    def reach(self) -> float:
        """The largest difference, either way, that lies in any interval: how far a plot of them must go."""
        return max((abs(end) for _, pair in self.rows for end in _ends(pair)), default=0.0) or 1.0


@dataclass(frozen=True, slots=True)
class PageComparison:
    """What the page says of the runs of a benchmark in pairs."""

    against: Sequence[Against] = ()
    """One for each k and each run that all others are compared with, the smallest k and the best run first."""
    left_out: Sequence[PageRun] = ()
    """Runs of fewer tasks than the others: with them, all would be compared on those few."""
    refused: str = ""
    """Why nothing is compared."""


def in_pairs(group: Group) -> PageComparison:
    """Each run of the benchmark against each other one."""
    most = max(run.tasks for run in group.runs)
    runs = [run for run in group.runs if run.tasks == most]
    left_out = [run for run in group.runs if run.tasks < most]
    if len(runs) < 2:
        return PageComparison(left_out=left_out)
    try:
        return PageComparison(list(_against_each(runs, sorted({1, *group.ks}))), left_out)
    except UserError as error:
        return PageComparison(left_out=left_out, refused=str(error))


def _against_each(runs: Sequence[PageRun], ks: Sequence[int]) -> Iterator[Against]:
    # Runs without any sample are refused, with a sentence, by the comparison itself.
    able = {k: _best_first([run for run in runs if run.fewest >= k or k == 1], k) for k in ks}
    resampled = sum(len(own) * (len(own) - 1) for k, own in able.items() if not _are_quick(own, k))
    for k, own in able.items():
        references = own if _are_quick(own, k) or resampled <= _MOST_RESAMPLED else own[:1]
        yield from (_against(run, own, k) for run in references if len(own) > 1)


def _best_first(runs: Sequence[PageRun], k: int) -> Sequence[PageRun]:
    """By pass@k on the last suite; runs that do not tell it, or do not have it, stay behind."""
    suites = max((len(run.summary.suites) for run in runs), default=0)

    def rank(run: PageRun) -> tuple[bool, float]:
        one = run.estimate(run.summary.suites[-1], k)
        return len(run.summary.suites) < suites, 1.0 if one is None or isnan(one.value) else -one.value

    return sorted(runs, key=rank)


def _are_quick(runs: Sequence[PageRun], k: int) -> bool:
    """Whether they are compared by an exact test: k samples a task each."""
    return all(run.fewest == k and run.tally.samples.total() == k * run.tasks for run in runs)


def _against(run: PageRun, runs: Sequence[PageRun], k: int) -> Against:
    ordered = [run, *(other for other in runs if other is not run)]
    found = compare_runs([Judged(one.summary, one.tally) for one in ordered], k)
    return Against(k, run, found, [(ordered[pair.run], pair) for pair in found.pairs])


def _ends(pair: Pair) -> tuple[float, float]:
    difference = pair.result.difference
    return (0.0, 0.0) if isnan(difference.value) else (difference.low, difference.high)


def finding(pair: Pair) -> str:
    """What a comparison comes to, in a few words."""
    value = pair.result.difference.value
    if pair.is_found:
        told = "better" if value > 0 else "worse"
    elif pair.remedy:
        told = f"not told apart; {pair.remedy} would"
    else:
        told = f"not told apart; these tasks show {pair.shown}" if pair.shown else "not told apart"
    return f"{told} ({pair.disagreement})" if pair.disagreement else told
