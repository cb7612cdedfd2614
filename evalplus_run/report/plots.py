"""Plots as SVG files, for papers and slides."""

from __future__ import annotations

import io
import re
import textwrap
from collections.abc import Iterator, Sequence
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evalplus_run.files import write_whole
from evalplus_run.metrics.curve import curve
from evalplus_run.records import Estimate, Outcome, SuiteName, UserError
from evalplus_run.report.comparison import Judged
from evalplus_run.report.summary import RunSummary
from evalplus_run.report.text import visible
from evalplus_run.report.wording import SUITE_TITLES, intervals

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_SUITES: tuple[tuple[SuiteName, str, str], ...] = (("base", "#4477aa", "o"), ("plus", "#cc6677", "s"))
"""With their colour and mark, which differ in lightness and shape too (Tol's scheme for the colour-blind)."""
_LONGEST_NAME = 40
_LINE = 80
"""Characters of a line of text below a plot."""
_UNFIT = re.compile(r"[^\w.]+", re.ASCII)
"""For a file's name: a benchmark's may be any text of a file."""
_STYLE: dict[Any, Any] = {
    "svg.hashsalt": "evalplus-run",
    "svg.fonttype": "none",
    "font.size": 9,
    "text.parse_math": False,
}


def write_plots(folder: Path, runs: Sequence[Judged]) -> list[Path]:
    """Write the scores, the outcomes and, where there are several samples a task, pass@k by k; the files' paths.

    One plot for each benchmark among the runs. Raises UserError without matplotlib, and OSError.
    """
    try:
        import matplotlib
    except ModuleNotFoundError:
        raise UserError("matplotlib is not installed: pip install 'evalplus-run[plots]'") from None
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    with matplotlib.rc_context(_STYLE):
        for name, figure in _figures(runs):
            written.append(folder / f"{_UNFIT.sub('-', name).strip('-.')}.svg")
            write_whole(written[-1], _svg(figure))
    return written


def _figures(judged: Sequence[Judged]) -> Iterator[tuple[str, Figure]]:
    for benchmark in dict.fromkeys(one.summary.benchmark for one in judged):
        found = [one for one in judged if one.summary.benchmark == benchmark]
        suite: SuiteName = "plus" if any("plus" in one.summary.suites for one in found) else "base"
        k = min(min(one.summary.scores["evalplus"].base) for one in found)
        ordered = sorted(found, key=lambda one: _value(one.summary, suite, k))
        runs = [one.summary for one in ordered]
        yield f"{benchmark}-scores", _scores(runs, k)
        yield f"{benchmark}-outcomes", _outcomes(runs, suite)
        curves = [(one.summary, list(curve(one.tally, [suite]))) for one in ordered if suite in one.summary.suites]
        if any(points for _, points in curves):
            yield f"{benchmark}-pass-at-k", _curves(curves, suite)


def _estimates(run: RunSummary, suite: SuiteName) -> dict[int, Estimate]:
    """Those that there are, by k; none where the run does not have the suite."""
    by_k = run.scores["evalplus"].of(suite) if suite in run.suites else {}
    return {k: one for k, one in by_k.items() if not isnan(one.value)}


def _value(run: RunSummary, suite: SuiteName, k: int) -> float:
    found = _estimates(run, suite).get(k)
    return found.value if found else -1


def _scores(runs: Sequence[RunSummary], k: int) -> Figure:
    """pass@k of each run with its interval, the best at the top."""
    figure, axes = _figure(len(runs))
    for offset, (suite, colour, mark) in zip((0.12, -0.12), _SUITES, strict=True):
        found = [(place + offset, _estimates(run, suite).get(k)) for place, run in enumerate(runs)]
        points = [(y, one) for y, one in found if one]
        if not points:
            continue
        axes.errorbar(
            [100 * one.value for _, one in points],
            [y for y, _ in points],
            xerr=[
                [100 * (one.value - one.low) for _, one in points],
                [100 * (one.high - one.value) for _, one in points],
            ],
            fmt=mark,
            color=colour,
            capsize=2,
            markersize=4,
            label=SUITE_TITLES[suite],
        )
    _name_rows(axes, runs)
    axes.set_xlim(0, 100)
    axes.set_xlabel(_in_lines(f"pass@{k} in %, with {intervals(runs)}"))
    figure.legend(frameon=False, ncols=2, loc="outside upper right")
    return figure


def _in_lines(text: str) -> str:
    return "\n".join(textwrap.wrap(text, _LINE))


def _outcomes(runs: Sequence[RunSummary], suite: SuiteName) -> Figure:
    """The share of each outcome on one suite, run by run."""
    figure, axes = _figure(len(runs))
    left = [0.0] * len(runs)
    present = [one for one in Outcome if any(_share(run, suite, one) for run in runs)]
    shades = [0.9 - 0.75 * place / max(1, len(present) - 1) for place in range(len(present))]
    for place, (outcome, shade) in enumerate(zip(present, shades, strict=True)):
        widths = [_share(run, suite, outcome) for run in runs]
        axes.barh(
            range(len(runs)),
            widths,
            left=left,
            label=outcome.value,
            color=_SUITES[0][1] if outcome is Outcome.PASS else str(shade),
            edgecolor="white",
            hatch=None if outcome is Outcome.PASS else ("", "///", "\\\\\\", "...", "xx")[place % 5],
        )
        left = [before + width for before, width in zip(left, widths, strict=True)]
    _name_rows(axes, runs)
    axes.set_xlim(0, 100)
    axes.set_xlabel(f"outcomes on {SUITE_TITLES[suite]} in % of samples")
    figure.legend(frameon=False, ncols=5, loc="outside upper right")
    return figure


def _share(run: RunSummary, suite: SuiteName, outcome: Outcome) -> float:
    counts = run.scores["evalplus"].outcomes[suite] if suite in run.suites else {}
    return 100 * counts.get(outcome, 0) / max(1, sum(counts.values()))


def _curves(runs: Sequence[tuple[RunSummary, Sequence[tuple[int, list[float]]]]], suite: SuiteName) -> Figure:
    """pass@k by k on one suite, with the intervals of the k that the scores tell; a run of one sample is a point."""
    figure, axes = _figure(6)
    for place, (run, points) in enumerate(runs):
        axes.plot([k for k, _ in points], [100 * value for _, (value,) in points], color=f"C{place}")
        told = _estimates(run, suite)
        axes.errorbar(
            list(told),
            [100 * one.value for one in told.values()],
            yerr=[
                [100 * (one.value - one.low) for one in told.values()],
                [100 * (one.high - one.value) for one in told.values()],
            ],
            fmt="osD^v"[place % 5],
            color=f"C{place}",
            capsize=2,
            markersize=4,
            label=_name(run),
        )
    most = max(k for _, points in runs for k, _ in points)
    ks = sorted({1, most} | {k for run, _ in runs for k in run.scores["evalplus"].base if k <= most})
    axes.set_xscale("log")
    axes.set_xticks(ks, [str(k) for k in ks])
    axes.set_xticks([], minor=True)
    axes.set_ylim(0, 100)
    axes.set_xlabel("k")
    axes.set_ylabel(f"pass@k on {SUITE_TITLES[suite]} in %")
    axes.spines[["top", "right"]].set_visible(False)
    figure.legend(frameon=False, ncols=2, loc="outside upper right")
    return figure


def _figure(rows: int) -> tuple[Figure, Any]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.5, 1.4 + 0.36 * rows), layout="constrained")
    return figure, figure.subplots()


def _name_rows(axes: Any, runs: Sequence[RunSummary]) -> None:
    axes.set_yticks(range(len(runs)), [_name(run) for run in runs])
    axes.set_ylim(-0.6, len(runs) - 0.4)
    axes.spines[["top", "right"]].set_visible(False)


def _name(run: RunSummary) -> str:
    name = visible(f"{run.label}, {run.sampling}")
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"


def _svg(figure: Figure) -> bytes:
    stream = io.BytesIO()
    # No date: the same runs give the same file.
    figure.savefig(stream, format="svg", metadata={"Date": None})
    return stream.getvalue()
