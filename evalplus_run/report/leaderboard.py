"""Several runs in one table: as lines for the terminal, Markdown, CSV or LaTeX."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import astuple, fields
from math import isnan
from typing import TYPE_CHECKING

from evalplus_run.records import Estimate
from evalplus_run.report.leaderboard_rows import Row, rows
from evalplus_run.report.summary import RunSummary
from evalplus_run.report.terminal import row_of_figures
from evalplus_run.report.text import percent, visible
from evalplus_run.report.wording import drawn, intervals

if TYPE_CHECKING:
    from rich.console import Console

_FORMULAS = ("=", "+", "-", "@", "\t")
"""How a cell begins that a spreadsheet evaluates."""
_NOT_TOLD = "n/a"


def as_csv(summaries: Sequence[RunSummary]) -> str:
    """Every figure of every row with a header; what is not a number stays empty.

    A text that a spreadsheet would take for a formula gets an apostrophe in front, as spreadsheets have it.
    """
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([one.name for one in fields(Row)])
    for row in rows(summaries):
        writer.writerow([_csv(value) for value in astuple(row)])
    return stream.getvalue()


def _csv(value: str | float) -> str | float:
    if isinstance(value, str):
        text = visible(value)
        return f"'{text}" if text.startswith(_FORMULAS) else text
    return "" if isnan(value) else value


def as_markdown(summaries: Sequence[RunSummary]) -> str:
    """A table for each benchmark, with intervals."""
    lines = []
    for caption, cells in _tables(summaries):
        marks = ["---"] * _WORDS + ["---:"] * (len(cells[0]) - _WORDS)
        lines += [f"**{_markdown(caption)}**", ""]
        lines += [f"| {' | '.join(map(_markdown, line))} |" for line in cells[:1]]
        lines += [f"|{'|'.join(marks)}|"]
        lines += [f"| {' | '.join(map(_markdown, line))} |" for line in cells[1:]]
        lines += [""]
    return "\n".join(lines)


def as_latex(summaries: Sequence[RunSummary]) -> str:
    """A `tabular` with the rules of booktabs for each benchmark, with intervals."""
    lines = []
    for caption, cells in _tables(summaries):
        head, *body = ([_latex(cell) for cell in line] for line in cells)
        lines += [
            f"% {_latex(caption)}; needs \\usepackage{{booktabs}}",
            f"\\begin{{tabular}}{{{'l' * _WORDS}{'r' * (len(head) - _WORDS)}}}",
            "\\toprule",
        ]
        lines += [f"{' & '.join(head)} \\\\", "\\midrule"]
        lines += [f"{' & '.join(line)} \\\\" for line in body]
        lines += ["\\bottomrule", "\\end{tabular}", ""]
    return "\n".join(lines)


def print_leaderboard(summaries: Sequence[RunSummary], console: Console) -> None:
    """The same tables on the terminal, without what has no room there and stands in each run's own lines.

    A name has a line of its own above the figures, however long it is.
    """
    from rich.text import Text

    for caption, (head, *lines) in _tables(summaries, is_narrow=True):
        console.print(Text(visible(caption), "bold"))
        figures = [place for place, name in enumerate(head) if place >= _WORDS and name != _PUBLISHED]
        cells = [["", *map(head.__getitem__, figures)]]
        cells += [[f"  {k} {judge}", *map(line.__getitem__, figures)] for line in lines for judge, k in [line[2:4]]]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        console.print(row_of_figures(console, cells[0], widths, style="dim"))
        for line, row in zip(lines, cells[1:], strict=True):
            console.print(Text.assemble(visible(line[0]), (visible(f": {line[1]}"), "dim")))
            console.print(row_of_figures(console, row, widths))
            if _PUBLISHED in head and (published := line[head.index(_PUBLISHED)]) != _NOT_TOLD:
                console.print(Text(visible(f"  published: {published}"), "dim"))


def _tables(summaries: Sequence[RunSummary], *, is_narrow: bool = False) -> Iterator[tuple[str, list[list[str]]]]:
    """A caption and the lines of cells, the header first, benchmark by benchmark."""
    found = rows(summaries)
    for dataset in dict.fromkeys(row.dataset for row in found):
        own = [row for row in found if row.dataset == dataset]
        wanted = {name: cell for name, cell in _COLUMNS.items() if not (is_narrow and name in _WIDE)}
        all_columns = [[name, *map(cell, own)] for name, cell in wanted.items()]
        columns = [one for one in all_columns if one[0] not in _WHERE_TOLD or {*one[1:]} != {_NOT_TOLD}]
        kinds = intervals(summary for summary in summaries if summary.benchmark == dataset)
        errors = f"; {_ERRORS} of the last score" if any(one[0] == _ERRORS for one in columns) else ""
        yield f"{dataset}, scores in % with {kinds}{errors}", [list(line) for line in zip(*columns, strict=True)]


def _percent(value: float, low: float, high: float) -> str:
    return percent(Estimate(value, low, high, ""))


def _errors(row: Row) -> str:
    """Of the last suite."""
    sampling, tasks = row.plus_sampling_error, row.plus_tasks_error
    if isnan(row.plus):
        sampling, tasks = row.base_sampling_error, row.base_tasks_error
    return _NOT_TOLD if isnan(sampling) else f"{100 * sampling:.1f}, {100 * tasks:.1f}"


def _tasks(row: Row) -> str:
    return f"{row.tasks} of {row.tasks_in_dataset}" if row.tasks < row.tasks_in_dataset else str(row.tasks)


def _published(row: Row) -> str:
    both = (row.base_published, row.plus_published)
    if all(map(isnan, both)):
        return _NOT_TOLD
    figures = ", ".join("-" if isnan(one) else f"{100 * one:.1f}" for one in both)
    return f"{figures}: {row.consistent}" if row.consistent else figures


_DROP, _ERRORS, _COMPARABLE = "drop", "standard errors (sampling, tasks)", "comparable with published"
_PUBLISHED = "published (base, plus)"
_COLUMNS: Mapping[str, Callable[[Row], str]] = {
    "model": lambda row: row.model,
    "sampling, sanitizer": lambda row: f"{drawn(row.sampling, row.n)}, {row.sanitizer}",
    "judge": lambda row: row.judge,
    "pass@k": lambda row: f"pass@{row.k}",
    "base": lambda row: _percent(row.base, row.base_low, row.base_high),
    "base + plus": lambda row: _percent(row.plus, row.plus_low, row.plus_high),
    _PUBLISHED: _published,
    _DROP: lambda row: _percent(row.drop, row.drop_low, row.drop_high),
    _ERRORS: _errors,
    "tasks": _tasks,
    _COMPARABLE: lambda row: "yes" if row.comparable else "no",
}
_WORDS = 4
"""Columns that hold words: the first ones."""
_WHERE_TOLD = {"base + plus", _PUBLISHED, _DROP, _ERRORS}
"""Columns that are left out where no run of the benchmark has anything in them."""
_WIDE = {_DROP, _ERRORS, _COMPARABLE}
"""Columns that a terminal has no room for."""


def _escaping(pattern: str, replacement: Callable[[str], str]) -> Callable[[str], str]:
    compiled = re.compile(pattern)
    return lambda text: compiled.sub(lambda found: replacement(found[0]), visible(text).replace("\n", " "))


_markdown = _escaping(r"[\\`*_<>|~]|\](?=[(\[])", lambda sign: f"\\{sign}")
_LATEX = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "[": "{[}", "*": "{*}"}
"""At the beginning of a row, a bracket or a star would be read as an argument of the line before."""
_latex = _escaping(r"[\\~^&%$#_{}]|^[\[*]", lambda sign: _LATEX.get(sign, f"\\{sign}"))
