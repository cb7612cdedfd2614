"""The end of a sweep on the terminal: one table of its runs, and what became of the jobs that have none."""

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
from evalplus_run.sweeps.jobs import Job

if TYPE_CHECKING:
    from rich.console import Console

_UNFINISHED = {
    "begun": "did not end: it is still at work, or was killed",
    "ended": "was ended by a signal",
}


def print_sweep(jobs: Sequence[Job], console: Console) -> None:
    """The leaderboard of the runs, each once; their warnings; a line for each job that has no result of its own."""
    from rich.text import Text

    summaries = list(_summaries(jobs))
    if summaries:
        print_leaderboard(summaries, console)
    for warning, often in Counter(each for summary in summaries for each in summary.warnings).items():
        console.print(Text(visible(f"Warning ({often} of {len(summaries)} runs): {warning}"), "yellow"))
    for job in _replaced(jobs):
        words = f"{' '.join(job.overrides)} has its run in {job.run_dir} too, where another job's result stands now"
        console.print(Text(visible(words), "yellow"), soft_wrap=True)
    print_unfinished(jobs, console)


def print_unfinished(jobs: Sequence[Job], console: Console) -> None:
    """A line for each job that has no result."""
    from rich.text import Text

    for job in jobs:
        if job.state != "finished":
            what = f"failed: {job.error}" if job.state == "failed" else _UNFINISHED[job.state]
            console.print(Text(visible(f"{' '.join(job.overrides)} {what}"), "red"), soft_wrap=True)


def _replaced(jobs: Sequence[Job]) -> Iterator[Job]:
    """Finished jobs whose folder another one used after them: settings that share answers, such as n."""
    finished = [job for job in jobs if job.state == "finished"]
    latest = {job.run_dir: job for job in sorted(finished, key=lambda job: job.ended)}
    return (job for job in finished if latest[job.run_dir] != job)


def _summaries(jobs: Sequence[Job]) -> Iterator[RunSummary]:
    for run_dir in dict.fromkeys(job.run_dir for job in jobs if job.state == "finished"):
        try:
            yield read_scores(RunFolder(Path(run_dir)).scores)
        except UserError:  # removed since
            continue
