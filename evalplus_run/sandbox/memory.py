"""How much memory is left, how much a program may have, and how much a process has: read from outside, in bytes.

A limit on address space would count what is reserved and never touched. So residence is watched instead, and the
address space is only kept from growing without bounds. Sources: `proc(5)`, and those of `machine`.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from evalplus_run.machine import container_limits, number_in, total_memory
from evalplus_run.sandbox.proc import read_small

_PAGE = os.sysconf("SC_PAGE_SIZE")
_SHARE = 0.75
"""Of what the machine or the container has, that one program may take."""
_RESERVE = 0.05
"""Of it, that is kept free whatever a program was promised."""
_LEAST_RESERVE = 256 << 20


def resident(pid: int) -> int | None:
    """Bytes of memory that a process really has; None where the system does not tell, 0 once it is gone."""
    try:
        # A first thread that has ended has nothing any more; those that are left have all that the process has.
        return _resident(f"/proc/{pid}/statm") or _of_threads(f"/proc/{pid}/task")
    except (FileNotFoundError, ProcessLookupError):
        return 0 if Path("/proc/self/statm").exists() else None
    except (OSError, IndexError, ValueError):
        return None


def _of_threads(folder: str) -> int:
    """What the threads share; each may end at any moment."""
    most = 0
    for thread in os.listdir(folder):  # noqa: PTH208 - read many times a second
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            most = max(most, _resident(f"{folder}/{thread}/statm"))
    return most


def _resident(path: str) -> int:
    return int(read_small(path).split()[1]) * _PAGE


def at_most(wanted: int) -> int:
    """Bytes that one program may take: what is wanted, but never near all that this machine or container has."""
    return min(wanted, int(total_memory() * _SHARE))


def is_short() -> bool:
    """Whether so little is left that the system would soon begin to kill."""
    left = _left()
    return left is not None and left < min(max(_LEAST_RESERVE, total_memory() * _RESERVE), total_memory() / 4)


def _left() -> int | None:
    left = [limit - used for folder, limit in container_limits() if (used := _used(folder)) is not None]
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
        left += [int(line.split()[1]) << 10 for line in lines if line.startswith("MemAvailable:")]
    except (OSError, ValueError, IndexError):
        pass
    return min(left, default=None)


def _used(folder: Path) -> int | None:
    """Without what is cached of files and can be dropped."""
    used = number_in(folder / "memory.current") or number_in(folder / "memory.usage_in_bytes")
    if used is None:
        return None
    try:
        lines = (folder / "memory.stat").read_text().splitlines()
    except OSError:
        return used
    names = ("inactive_file", "total_inactive_file")
    fields = dict(line.split()[:2] for line in lines if line.startswith(names))
    return used - int(fields.get("total_inactive_file", fields.get("inactive_file", 0)))
