"""Many runs on the terminal: one table of them, and what became of the jobs that have no result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from evalplus_run.records import UserError
from evalplus_run.report.leaderboard import print_leaderboard
from evalplus_run.report.summary import RunSummary, read_scores
from evalplus_run.report.text import visible
from evalplus_run.runs import RunFolder
from evalplus_run.sweeps.jobs import Job, path_of

if TYPE_CHECKING:
    from rich.console import Console

_UNFINISHED = {
    "begun": "did not end: it is still at work, or was killed",
    "ended": "was ended by a signal",
}
_WAITING_SHOWN = 5


def results_of(jobs: Sequence[Job]) -> list[RunSummary]:
    """Of the runs of those that are finished, each once; without those that are gone."""
    found = (_result(run_dir) for run_dir in dict.fromkeys(job.run_dir for job in jobs if job.state == "finished"))
    return [summary for summary in found if summary]


def print_runs(summaries: Sequence[RunSummary], console: Console) -> None:
    """The leaderboard, and each warning once."""
    if summaries:
        print_leaderboard(summaries, console)
    for warning, often in Counter(each for summary in summaries for each in summary.warnings).items():
        _print(console, f"Warning ({often} of {len(summaries)} runs): {warning}", "yellow")


def print_jobs(jobs: Sequence[Job], console: Console) -> None:
    """A line for each job of one command that has no result of its own, and one for those that did not begin."""
    for job in _replaced(jobs):
        words = f"{job.words} has its run in {job.run_dir} too, where another job's result stands now"
        _print(console, words, "yellow")
    for job in jobs:
        if what := _no_result(job):
            _print(console, f"{job.words} {what}", "red")
    waiting = [job.words for job in jobs if job.state == "waiting"]
    if waiting:
        more = f"; and {len(waiting) - _WAITING_SHOWN} more" if len(waiting) > _WAITING_SHOWN else ""
        named = "; ".join(waiting[:_WAITING_SHOWN])
        _print(console, f"not begun, {len(waiting)} of {len(jobs)} jobs: {named}{more}", "yellow")


def print_earlier(jobs: Sequence[Job], folder: Path, console: Console) -> None:
    """A line for each job that has no result, and that the folder's latest command has not any more."""
    for job in jobs:
        if job.state != "finished":
            drop = f"to drop this line: rm {path_of(folder, job.name)}"
            when = f"{job.begun[:16].replace('T', ' ')} UTC"
            _print(console, f"earlier, by another command ({when}; {drop}): {job.words} {_no_result(job)}", "dim")


def _print(console: Console, text: str, style: str) -> None:
    from rich.text import Text

    console.print(Text(visible(text), style), soft_wrap=True)


def _no_result(job: Job) -> str:
    """Why it has none; empty where it has one, or did not begin."""
    if job.state in ("failed", "unreadable"):
        return f"{'failed' if job.state == 'failed' else 'is not known of'}: {job.error}"
    if job.state == "finished" and _result(job.run_dir) is None:
        return f"finished, but its result is gone from {job.run_dir}: the same command again makes it"
    return _UNFINISHED.get(job.state, "")


def _replaced(jobs: Sequence[Job]) -> Iterator[Job]:
    """Finished jobs whose folder another one used after them: settings that share answers, such as n."""
    finished = [job for job in jobs if job.state == "finished"]
    latest = {job.run_dir: job for job in sorted(finished, key=lambda job: job.ended)}
    return (job for job in finished if latest[job.run_dir] != job)


def _result(run_dir: str) -> RunSummary | None:
    try:
        return read_scores(RunFolder(Path(run_dir)).scores)
    except UserError:  # removed since
        return None
