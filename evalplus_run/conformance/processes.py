"""Processes that come from this one, those included whose parents have gone."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import time
from collections.abc import Collection, Iterator
from pathlib import Path

_SET_CHILD_SUBREAPER = 36
_GRACE = 1.0
"""Seconds in which a process that was killed may still be seen."""


@contextlib.contextmanager
def adopting() -> Iterator[None]:
    """While it lasts, orphans below this process become its children and not the machine's."""
    _set_subreaper(1)
    try:
        yield
    finally:
        _set_subreaper(0)


def descendants() -> dict[int, str]:
    """Process id to name, of all that live; none where the system does not tell."""
    parents, names = {}, {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            name, _, rest = entry.read_text(errors="replace").partition("(")[2].rpartition(")")
            state, parent = rest.split()[:2]
            if state not in "ZX":
                parents[int(entry.parent.name)] = int(parent)
                names[int(entry.parent.name)] = name
    return {pid: name for pid, name in names.items() if os.getpid() in _ancestors(pid, parents)}


def end_leftovers(expected: Collection[int]) -> dict[int, str]:
    """The descendants that are not expected and do not go by themselves at once; they are killed."""
    deadline = time.monotonic() + _GRACE
    while (found := _besides(expected)) and time.monotonic() < deadline:
        time.sleep(0.02)
    for pid in found:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):  # another's child: its parent reaps it
            os.waitpid(pid, 0)
    return found


def _besides(expected: Collection[int]) -> dict[int, str]:
    return {pid: name for pid, name in descendants().items() if pid not in expected}


def _ancestors(pid: int, parents: dict[int, int]) -> Iterator[int]:
    while (parent := parents.get(pid)) is not None:
        yield parent
        pid = parent


def _set_subreaper(value: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, ctypes.c_ulong(value), *[ctypes.c_ulong(0)] * 3)
