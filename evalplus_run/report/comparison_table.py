"""A comparison on the terminal: a table, and what it means in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from string import ascii_uppercase
from typing import TYPE_CHECKING

from evalplus_run.report.comparison import Compared, Pair
from evalplus_run.report.terminal import table_of_figures
from evalplus_run.report.text import p_value, points, visible
from evalplus_run.report.wording import SUITE_TITLES, title, ways
from evalplus_run.words import counted

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

_SHOWN = 8


def print_compared(found: Compared, console: Console) -> None:
    """Print who is compared, the differences with their intervals, and what flipped."""
    from rich.text import Text

    for place, summary in enumerate(found.runs):
        console.print(Text(visible(f"{letter(place)}: {title(summary)}, {ways(summary)}"), "bold"))
        console.print(Text(visible(f"   {summary.run_dir}"), "dim"), soft_wrap=True)
    if found.unlike:
        console.print(Text(visible(found.unlike), "yellow"))
    console.print()
    console.print(_table(found, console))
    for line in notes(found):
        console.print(Text(visible(line), "dim"))
    console.print()
    for pair in found.pairs:
        for line in sentences(pair):
            console.print(Text(visible(line)))


def letter(place: int) -> str:
    """What a run is called for short: A, B, … Z, AA, AB, …"""
    before, last = divmod(place, len(ascii_uppercase))
    return (letter(before - 1) if before else "") + ascii_uppercase[last]


def notes(found: Compared) -> Iterator[str]:
    """How the figures were made, and on what."""
    judges = " and ".join(dict.fromkeys(run.judge_of(found.profile) for run in found.runs))
    yield f"Differences in points with 95% intervals; {found.methods}; judged by {judges}."
    if len(found.runs) > 2:
        yield "p is adjusted for all the comparisons on its suite (Holm); the intervals are not."
    left_out = f"; {found.tasks_left_out:,} that not all have are left out" if found.tasks_left_out else ""
    yield f"On the {counted(found.tasks, 'task')} that all have{left_out}."


def sentences(pair: Pair) -> Iterator[str]:
    """Whether the two differ, what would show it, and the tasks on which they do."""
    result, run = pair.result, letter(pair.run)
    apart = abs(100 * result.difference.value)
    where = f"{SUITE_TITLES[pair.suite]}: "
    if not apart:
        yield f"{where}A and {run} are not told apart, with the same pass@{result.k}{_would_tell(pair)}."
    elif pair.is_found:
        more, less = (run, "A") if result.difference.value > 0 else ("A", run)
        yield f"{where}{more} is better than {less} by {apart:.1f} points ({_p_is(pair)})."
    else:
        yield f"{where}{apart:.1f} points do not tell A and {run} apart ({_p_is(pair)}){_would_tell(pair)}."
    if pair.disagreement:
        yield f"  {pair.disagreement[0].upper()}{pair.disagreement[1:]}."
    yield from _tasks("A", pair.first_ahead)
    yield from _tasks(run, pair.run_ahead)


def _would_tell(pair: Pair) -> str:
    if pair.remedy:
        return f"; were they so far apart in truth, {pair.remedy} would show it four times in five"
    return f"; these tasks show {pair.shown} or more four times in five" if pair.shown else ""


def _tasks(run: str, tasks: Sequence[str]) -> Iterator[str]:
    if tasks:
        more = f" and {len(tasks) - _SHOWN:,} more" if len(tasks) > _SHOWN else ""
        yield f"  {run} ahead on {len(tasks):,}: {', '.join(tasks[:_SHOWN])}{more}"


def _table(found: Compared, console: Console) -> Table:
    table = table_of_figures(console, f"pass@{found.k} in %", "A", "", _against_a(found), "p")
    for pair in found.pairs:
        result = pair.result
        table.add_row(
            SUITE_TITLES[pair.suite],
            f"{100 * result.first:.1f}",
            f"{letter(pair.run)} {100 * result.second:.1f}",
            points(result.difference),
            p_value(pair.p_adjusted, is_at_most=pair.is_at_most),
        )
    return table


def _against_a(found: Compared) -> str:
    return f"{letter(1) if len(found.runs) == 2 else 'other'} - A"


def _p_is(pair: Pair) -> str:
    told = p_value(pair.p_adjusted, is_at_most=pair.is_at_most)
    return f"p {told}" if told.startswith(("<", "≤")) else f"p = {told}"
