"""The command as a process: its standard streams, and the signals that end it."""

from __future__ import annotations

import contextlib
import io
import os
import resource
import signal
import sys
from types import FrameType
from typing import NoReturn

_SIGNALLED = 128
_ended_by = signal.SIGINT


def prepare() -> None:
    """To be called first: all three standard streams are there and take any text; SIGTERM ends as Ctrl-C does.

    As many files as this user may open can be open: each program that is judged needs some.
    """
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(ValueError, OSError):  # macOS has a lower limit of its own
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    for number in range(3):
        _open_missing(number)
    sys.stdout = sys.stdout or os.fdopen(1, "w", closefd=False)
    if isinstance(sys.stdout, io.TextIOWrapper):
        # The name of a file need not be text in the terminal's encoding.
        sys.stdout.reconfigure(errors="backslashreplace")
    encoding = sys.stderr.encoding if sys.stderr else "utf-8"
    sys.stderr = _Told(os.fdopen(2, "wb", 0, closefd=False), encoding, "backslashreplace", write_through=True)
    signal.signal(signal.SIGTERM, _interrupt)


def signal_behind(error: BaseException) -> signal.Signals | None:
    """The signal that an error comes of; None where it comes of none."""
    chain: BaseException | None = error
    while chain is not None:
        if isinstance(chain, KeyboardInterrupt):
            return _ended_by
        # Python puts a RuntimeError in the place of what is raised while a class is made.
        chain = chain.__cause__
    return None


def finish() -> None:
    """To be called at the end: the exit status stands, and Python complains of nothing more."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    try:
        sys.stdout.flush()
    except OSError:
        _redirect(1)


def leave(status: int) -> NoReturn:
    """End the process."""
    if status > _SIGNALLED:
        # Python would wait for its threads, and die of SIGINT itself where the signal met an import.
        os._exit(status)
    sys.exit(status)


class _Told(io.TextIOWrapper):
    """Standard error: what is told there may be lost, but ends no run."""

    def write(self, text: str) -> int:
        with contextlib.suppress(OSError):
            return super().write(text)
        return len(text)

    def flush(self) -> None:
        with contextlib.suppress(OSError):
            super().flush()


def _open_missing(number: int) -> None:
    try:
        os.fstat(number)
    except OSError:
        # A descriptor that is opened later must not be taken for a standard stream.
        _redirect(number)


def _redirect(number: int) -> None:
    """To the null device."""
    null = os.open(os.devnull, os.O_RDWR)
    if null != number:
        os.dup2(null, number)
        os.close(null)


def _interrupt(number: int, frame: FrameType | None) -> None:
    global _ended_by  # noqa: PLW0603 - a process has one end
    _ended_by = signal.Signals(number)
    # What stands there is asyncio's handler while a run is under way: it lets the run close in order.
    handler = signal.getsignal(signal.SIGINT)
    (handler if callable(handler) else signal.default_int_handler)(number, frame)
