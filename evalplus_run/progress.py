"""Progress of the stages: bars on a terminal, plain lines elsewhere."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress as Bars

_LINE_EVERY_SECONDS = 10.0
_LINES_LOOKED_BACK = 6
"""What is left is told from the last minute: a run's first tasks may be slow, and what is known already goes fast."""
_LONG_SECONDS = 1.0
"""Of waiting, from which on it is told how long it was."""


class Stage(Protocol):
    """One stage under way."""

    def advance(self, steps: int = 1, note: str = "") -> None:
        """So many steps more are done; `note` is shown beside."""


class Progress:
    """Shows the stages of a run on standard error, so that standard output holds results only."""

    def __init__(self) -> None:
        from rich.console import Console

        self._console = Console(stderr=True, emoji=False)
        self._bars = None
        if self._console.is_terminal:
            self._bars = _bars_on(self._console)

    @contextmanager
    def shown(self) -> Iterator[None]:
        """While the stages run."""
        if self._bars is None:
            yield
            return
        with self._bars:
            yield

    def say(self, text: str) -> None:
        """One line of plain text."""
        self._console.print(text, markup=False, highlight=False, soft_wrap=True)

    @contextmanager
    def waiting(self, what: str) -> Iterator[None]:
        """While something goes on whose end nobody knows: a bar tells the seconds so far, and a line at the end all."""
        begun = time.monotonic()
        self.say(what)
        task = self._bars.add_task("loading", total=None, note="") if self._bars else None
        try:
            yield
        finally:
            if self._bars and task is not None:
                self._bars.remove_task(task)
        seconds = time.monotonic() - begun
        if seconds >= _LONG_SECONDS:
            self.say(f"{what}: done in {seconds:,.0f} s")

    def stage(self, name: str, total: int, done: int = 0) -> Stage:
        """A stage of `total` steps, of which `done` were done by an earlier run."""
        if self._bars is None:
            return _Lines(self, name, total, done)
        return _Bar(self._bars, name, total, done)


def _bars_on(console: Console) -> Bars:
    """Bars of stages, and of what has no known end, with the seconds so far in place of a count and of those left."""
    from rich.progress import BarColumn, MofNCompleteColumn, Task, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars
    from rich.text import Text

    class Count(MofNCompleteColumn):
        def render(self, task: Task) -> Text:
            return super().render(task) if task.total is not None else Text("")

    class Time(TimeRemainingColumn):
        def render(self, task: Task) -> Text:
            return super().render(task) if task.total is not None else Text(f"{task.elapsed or 0:,.0f} s")

    note = TextColumn("{task.fields[note]}")
    return Bars(TextColumn("{task.description}"), BarColumn(), Count(), Time(), note, console=console)


class _Bar:
    def __init__(self, bars: object, name: str, total: int, done: int) -> None:
        self._bars: object = bars
        self._task = bars.add_task(name, total=total, completed=done, note="")  # type: ignore[attr-defined]

    def advance(self, steps: int = 1, note: str = "") -> None:
        self._bars.update(self._task, advance=steps, note=note)  # type: ignore[attr-defined]


class _Lines:
    """A line at the start and the end, and now and then between."""

    def __init__(self, progress: Progress, name: str, total: int, done: int) -> None:
        self._progress = progress
        self._name = name
        self._total = total
        self._done = done
        self._told = deque([(time.monotonic(), done)], _LINES_LOOKED_BACK)
        """When a line was said last, and the steps that were done then."""
        if done < total:
            progress.say(f"{name}: {done} of {total}")

    def advance(self, steps: int = 1, note: str = "") -> None:
        self._done += steps
        now = time.monotonic()
        if self._done < self._total and now - self._told[-1][0] < _LINE_EVERY_SECONDS:
            return
        rest = self._rest(now) if self._done < self._total else ""
        self._told.append((now, self._done))
        self._progress.say(f"{self._name}: {self._done} of {self._total}{rest}{f', {note}' if note else ''}")

    def _rest(self, now: float) -> str:
        since, before = self._told[0]
        if self._done == before:
            return ""
        seconds = (now - since) / (self._done - before) * (self._total - self._done)
        for unit, of_it in (("h", 3600), ("min", 60)):
            if seconds > 1.5 * of_it:
                return f", about {seconds / of_it:.{unit == 'h':d}f} {unit} left"
        return f", about {seconds:.0f} s left"
