"""The commands that read what runs came to: reports, comparisons, one sample in full, other tools' forms."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from evalplus_run import json_text
from evalplus_run.finished import benchmark_of_files, existing, finished, finished_below, samples_of_run
from evalplus_run.interchange.export import FormName, export
from evalplus_run.records import ProfileName, UserError
from evalplus_run.report.comparison import compare_runs
from evalplus_run.report.comparison_table import print_compared
from evalplus_run.report.html import write_html
from evalplus_run.report.leaderboard import as_csv, as_latex, as_markdown, print_leaderboard
from evalplus_run.report.model_card import as_model_card
from evalplus_run.report.plots import write_plots
from evalplus_run.report.prompt import prompt_form
from evalplus_run.report.sample import Sample, failures, one_line_of, render_sample, render_smaller
from evalplus_run.report.summary import RunSummary, as_json
from evalplus_run.report.terminal import print_run, results_console
from evalplus_run.report.text import visible
from evalplus_run.sweeps import plan
from evalplus_run.sweeps.jobs import Job
from evalplus_run.sweeps.names import told_apart
from evalplus_run.sweeps.table import print_earlier, print_jobs, print_runs
from evalplus_run.words import counted

if TYPE_CHECKING:
    from rich.console import Console

Form = Literal["json", "markdown", "csv", "latex", "model-card"]
_FORMS: Mapping[Form, Callable[[Sequence[RunSummary]], str]] = {
    "json": lambda summaries: json_text.printable([*map(as_json, summaries)]) + "\n",
    "markdown": as_markdown,
    "csv": as_csv,
    "latex": as_latex,
    "model-card": as_model_card,
}
_OF_RECORDS = ("json", "model-card")
"""Forms that tell what each run's own record holds."""


def report(
    paths: Sequence[Path],
    page: Path | None,
    form: Form | None = None,
    plots: Path | None = None,
    source: str = "",
    dataset: str = "",
    *,
    is_full: bool = False,
) -> None:
    """Print one table of all runs below `paths`; with `page`, write one page with them.

    What is named itself, a run's folder or a file of results, is printed in full; `is_full` does so with all. A form
    prints one table of all runs in its place, `json` all that the tables are made from; a `model-card` tells `source`
    as the place where they can be seen. `dataset` is the benchmark of files that do not tell theirs.
    """
    summaries: list[RunSummary] = []
    pages = []
    judged = []
    jobs = {folder: _jobs(folder) for folder in paths if folder.is_dir()}
    for run in finished_below(paths, dataset):
        summaries.append(run.summary)
        pages += [run.page()] if page else []
        judged += [run.judged("evalplus")] if plots else []
    if not summaries and (page or plots or form):
        raise UserError("No run of this sweep has ended yet: give the same command later, or see report DIR alone.")
    named = told_apart(summaries, [job for found in jobs.values() for each in found for job in each])
    # The files first: a reader of the tables that goes away ends the command.
    if page:
        write_html(page, [replace(run, summary=summary) for run, summary in zip(pages, named, strict=True)])
    drawn = write_plots(plots, judged) if plots else []
    if form:
        shown = summaries if form in _OF_RECORDS else named
        print(as_model_card(summaries, source) if source else _FORMS[form](shown), end="")  # noqa: T201
    else:
        console = results_console()
        # Each path is one run: it was named itself.
        _print_runs(named, console, is_full=is_full or len(named) <= len(paths))
        for folder, (now, before) in jobs.items():
            print_jobs(now, console)
            print_earlier(before, folder, console)
        if page:
            console.print(visible(f"Page: {page}"), soft_wrap=True, markup=False, highlight=False)
    if drawn:
        print(f"Plots: {', '.join(map(str, drawn))}", file=sys.stderr)  # noqa: T201


def _jobs(folder: Path) -> tuple[list[Job], list[Job]]:
    """Those of the folder's latest sweep, and those of others."""
    now = plan.latest(folder).so_far(folder)
    return now, plan.earlier(folder, now)


def _print_runs(summaries: Sequence[RunSummary], console: Console, *, is_full: bool) -> None:
    """One table of all; where they are told in full, before it each run's own."""
    if not is_full:
        print_runs(summaries, console)
        if summaries:
            console.print("Each run in full: its folder in place of this one, or --full.", style="dim")
        return
    for number, summary in enumerate(summaries):
        if number:
            console.print()
        print_run(summary, console)
    if len(summaries) > 1:
        console.print()
        print_leaderboard(summaries, console)


def compare(paths: Sequence[Path], k: int, profile: ProfileName, *, as_json: bool = False, dataset: str = "") -> None:
    """Print how each run differs from the first, task by task; `paths` and `dataset` as in `report`.

    What is told of other tools' files beside their scores goes to standard error.
    """
    runs = [run.judged(profile) for run in finished_below(paths, dataset)]
    if len(runs) < 2:
        raise UserError("compare needs two runs at least: name their folders.")
    found = compare_runs(runs, k, profile)
    for summary in found.runs:
        for warning in summary.warnings if summary.told_by else ():
            print(visible(f"{summary.run_dir}: {warning}"), file=sys.stderr)  # noqa: T201
    if as_json:
        print(json_text.printable(found))  # noqa: T201
    else:
        print_compared(found, results_console())


def show(path: Path, task_id: str, index: int, dataset: str = "", *, shrinks: bool = False) -> None:
    """Print one sample in full, of a run's folder or a file of results; `dataset` as in `report`.

    Without a task, a line for each sample that does not pass. If it `shrinks`, also a smaller failing input.
    """
    run = finished(path, benchmark_of_files([path], dataset))
    samples = run.samples()
    if not task_id:
        _list_failing(samples)
        return
    found = [sample for sample in samples if sample.program.task_id == task_id]
    for sample in found:
        if sample.program.index == index:
            render_sample(sample, results_console(), prompt_form(run.manifest))
            if shrinks:
                _show_smaller(sample)
            return
    if found:
        has = ", ".join(str(sample.program.index) for sample in found[:10])
        raise UserError(
            f"{path} has no sample {index} of {task_id}, only {has}{'' if len(found) <= 10 else ', …'}: see --index."
        )
    example = samples[0].program.task_id if samples else "HumanEval/3"
    raise UserError(f"{path} has no sample of {task_id}; its task ids are like {example}.")


def _show_smaller(sample: Sample) -> None:
    from evalplus_run.smaller import smaller_input
    from evalplus_run.testgen.failing import NotShrunk

    sys.stdout.flush()  # the search may take a while
    try:
        render_smaller(smaller_input(sample), results_console())
    except NotShrunk as why:
        print(visible(f"No smaller failing input: {why}."))  # noqa: T201


def _list_failing(samples: Sequence[Sample]) -> None:
    failing = [sample for sample in samples if sample.verdict is None or any(failures(sample))]
    for sample in failing:
        print(visible(one_line_of(sample)))  # noqa: T201
    print(f"{len(failing):,} of {counted(len(samples), 'sample')} did not pass; give a TASK to see one in full.")  # noqa: T201


def export_run(folder: Path, target: Path, form: FormName) -> None:
    """Write a run's judged samples as another tool does."""
    written = export(form, samples_of_run(existing(folder)), target)
    print(f"{counted(written, 'sample')} with verdicts in {target}")  # noqa: T201
