"""Several runs in one table: as lines for the terminal, Markdown, CSV or LaTeX."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, fields
from math import isnan
from typing import TYPE_CHECKING

from evalplus_run.records import PROFILES, Estimate, ProfileName
from evalplus_run.report.summary import RunSummary
from evalplus_run.report.terminal import table_of_figures
from evalplus_run.report.text import percent, visible
from evalplus_run.report.wording import intervals, profiles_shown

if TYPE_CHECKING:
    from rich.console import Console

_WORDS = 4
"""Columns that hold words: the first ones."""
_FORMULAS = ("=", "+", "-", "@", "\t")
"""How a cell begins that a spreadsheet evaluates."""
_NAN = float("nan")
_NOTHING = Estimate(_NAN, _NAN, _NAN, "undefined")


@dataclass(frozen=True, slots=True)
class Row:
    """One run's pass@k under one judge profile; scores between 0 and 1."""

    dataset: str
    """As `RunSummary.benchmark`."""
    model: str
    sampling: str
    sanitizer: str
    profile: ProfileName
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
    tasks: int
    tasks_in_dataset: int
    samples: int
    comparable: bool
    run_dir: str


def rows(summaries: Sequence[RunSummary]) -> list[Row]:
    """By benchmark, k and profile, the best whole run first; the strict profile where it says something else."""
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
        plus = score.plus[k] if "plus" in summary.suites else _NOTHING
        yield Row(
            dataset=summary.benchmark,
            model=summary.model,
            sampling=summary.sampling,
            sanitizer=summary.sanitizer,
            profile=profile,
            k=k,
            base=score.base[k].value,
            base_low=score.base[k].low,
            base_high=score.base[k].high,
            plus=plus.value,
            plus_low=plus.low,
            plus_high=plus.high,
            interval=score.base[k].method,
            tasks=score.tasks,
            tasks_in_dataset=score.tasks_in_dataset,
            samples=score.samples,
            comparable=summary.comparable,
            run_dir=summary.run_dir,
        )


def _place(row: Row) -> tuple[str, int, int, bool, bool, float]:
    """What is compared stands together; runs on a part of the tasks, or without plus, come last, whatever they scored
    there."""
    has_plus = not isnan(row.plus)
    value = row.plus if has_plus else row.base
    is_partial = row.tasks < row.tasks_in_dataset
    return row.dataset, row.k, PROFILES.index(row.profile), is_partial, not has_plus, 1.0 if isnan(value) else -value


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
    """The same tables on the terminal."""
    from rich.text import Text

    for caption, (head, *lines) in _tables(summaries):
        table = table_of_figures(console, "run", *head[_WORDS:], is_long=True)
        for model, ways, judge, k, *figures in lines:
            name = Text.assemble(visible(model), "\n", (visible(f"{k} {judge}, {ways}"), "dim"))
            table.add_row(name, *figures)
        console.print(Text(visible(caption), "bold"))
        console.print(table)


def _tables(summaries: Sequence[RunSummary]) -> Iterator[tuple[str, list[list[str]]]]:
    """A caption and the lines of cells, the header first, benchmark by benchmark."""
    found = rows(summaries)
    for dataset in dict.fromkeys(row.dataset for row in found):
        own = [row for row in found if row.dataset == dataset]
        has_plus = any(not isnan(row.plus) for row in own)
        lines = [["model", "sampling, sanitizer", "judge", "pass@k", "base", *["base + plus"] * has_plus, "tasks"]]
        for row in own:
            plus = [percent(_estimate(row.plus, row.plus_low, row.plus_high))] * has_plus
            base = percent(_estimate(row.base, row.base_low, row.base_high))
            tasks = f"{row.tasks} of {row.tasks_in_dataset}" if row.tasks < row.tasks_in_dataset else str(row.tasks)
            ways = f"{row.sampling}, {row.sanitizer}"
            lines.append([row.model, ways, row.profile, f"pass@{row.k}", base, *plus, tasks])
        kinds = intervals(summary for summary in summaries if summary.benchmark == dataset)
        yield f"{dataset}, scores in % with {kinds}", lines


def _estimate(value: float, low: float, high: float) -> Estimate:
    return Estimate(value, low, high, "")


def _escaping(pattern: str, replacement: Callable[[str], str]) -> Callable[[str], str]:
    compiled = re.compile(pattern)
    return lambda text: compiled.sub(lambda found: replacement(found[0]), visible(text).replace("\n", " "))


_markdown = _escaping(r"[\\`*_<>|~]|\](?=[(\[])", lambda sign: f"\\{sign}")
_LATEX = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "[": "{[}", "*": "{*}"}
"""At the beginning of a row, a bracket or a star would be read as an argument of the line before."""
_latex = _escaping(r"[\\~^&%$#_{}]|^[\[*]", lambda sign: _LATEX.get(sign, f"\\{sign}"))
