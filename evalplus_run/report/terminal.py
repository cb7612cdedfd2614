"""The end of a run on the terminal: plain lines and tables without a frame, at 60 columns too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from evalplus_run.report.summary import RunSummary
from evalplus_run.report.text import percent, visible
from evalplus_run.report.wording import (
    SUITE_TITLES,
    cost_lines,
    coverage_line,
    is_partial,
    moved_lines,
    outcome_rows,
    profiles_shown,
    published_lines,
    sanitizer_lines,
    score_notes,
    title,
)

_NARROW = 60
"""Columns of a terminal that have room for the figures of a line."""

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table


def results_console() -> Console:
    """Standard output. A reader that went away raises BrokenPipeError, as it does for `print`."""
    from rich.console import Console

    class Results(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    return Results(emoji=False)


def print_run(summary: RunSummary, console: Console) -> None:
    """Print scores with their intervals, outcomes, costs, where the files lie, and every warning."""
    from rich.text import Text

    headline = summary.scores["evalplus"]
    console.print(Text(visible(title(summary)), "bold"))
    console.print(Text(visible(f"{summary.sampling}; sanitizer {summary.sanitizer}")))
    console.print()
    console.print(_score_table(summary, console))
    for line in published_lines(summary):
        console.print(Text(visible(line)))
    for line in (*score_notes(summary), *moved_lines(summary), *sanitizer_lines(summary)):
        console.print(Text(visible(line)), style="dim")
    console.print(Text(coverage_line(headline), "yellow" if is_partial(headline) else "dim"))
    console.print()
    console.print(_outcome_table(summary, console))
    console.print()
    for line in cost_lines(summary):
        console.print(Text(visible(line)))
    for warning in summary.warnings:
        console.print(Text(visible(f"Warning: {warning}"), "yellow"))
    # Never broken: a path is there to be copied.
    console.print(Text(visible(f"Files: {summary.run_dir}")), soft_wrap=True)


def _score_table(summary: RunSummary, console: Console) -> Table:
    table = table_of_figures(console, "score in %", *(SUITE_TITLES[suite] for suite in summary.suites))
    for k in summary.scores["evalplus"].base:
        for profile in profiles_shown(summary):
            cells = [percent(summary.scores[profile].of(suite)[k]) for suite in summary.suites]
            table.add_row(
                f"pass@{k} {summary.judge_of(profile)}", *cells, style="bold" if profile == "evalplus" else None
            )
    return table


def _outcome_table(summary: RunSummary, console: Console) -> Table:
    table = table_of_figures(console, "samples", *(SUITE_TITLES[suite] for suite in summary.suites))
    for outcome, counts in outcome_rows(summary):
        table.add_row(outcome, *(f"{count:,}" for count in counts))
    return table


def table_of_figures(console: Console, label: str, *columns: str) -> Table:
    """A table without a frame: a label, then figures.

    They stay on one line, and break where they would else be cut off.
    """
    from rich.table import Table

    one_line = console.width >= _NARROW
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column(label, no_wrap=one_line, overflow="fold")
    for column in columns:
        table.add_column(column, justify="right", no_wrap=one_line, overflow="fold")
    return table


def row_of_figures(console: Console, cells: Sequence[str], widths: Sequence[int], style: str = "") -> Table:
    """One row of such a table, with columns of these widths, so that lines of text can stand between rows."""
    from rich.table import Table

    one_line = console.width >= _NARROW
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=False)
    for number, width in enumerate(widths):
        justify: Literal["left", "right"] = "right" if number else "left"
        table.add_column(width=width if one_line else None, justify=justify, no_wrap=one_line, overflow="fold")
    table.add_row(*cells, style=style)
    return table
