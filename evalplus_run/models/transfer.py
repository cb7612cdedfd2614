"""A file on its way here: shown on the terminal, and stopped at the next step when asked to."""

from __future__ import annotations

import threading
from collections.abc import Callable
from types import TracebackType
from typing import IO, Self

CHUNK = 1 << 20
"""Bytes read at a time."""
_LINES = 10
"""Lines told where there is no terminal."""


class SourceFailed(Exception):
    """One source does not have the file, or not the right one; the next may."""


class Stopped(Exception):
    """The transfer was asked to stop."""


class Transfer:
    """Shows a progress bar, or plain lines where stderr is no terminal. Sizes are in bytes."""

    def __init__(self, label: str, total: int, stop: threading.Event | None = None) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeElapsedColumn

        self._label, self._total, self._stop = label, total, stop
        self._console = Console(stderr=True, emoji=False)
        columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeElapsedColumn())
        self._bar = Progress(*columns, console=self._console, disable=not self._console.is_terminal)
        self._row = self._bar.add_task(label, total=total)
        self._told = 0

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def say(self, words: str) -> None:
        """One line above the bar."""
        self._console.print(words, markup=False, highlight=False, soft_wrap=True)

    def at(self, done: int) -> None:
        """Tell how much is here; raises Stopped when asked to stop."""
        if self._stop is not None and self._stop.is_set():
            raise Stopped
        self._bar.update(self._row, completed=done)
        step = done * _LINES // self._total
        if not self._console.is_terminal and step > self._told:
            self.say(f"{self._label}: {100 * done // self._total} %")
            self._told = step


def copy(source: IO[bytes], sink: IO[bytes], at: Callable[[int], None], done: int = 0) -> int:
    """Copy to the end, telling how much is done; how much it was, with the `done` before."""
    while chunk := source.read(CHUNK):
        sink.write(chunk)
        done += len(chunk)
        at(done)
    return done
