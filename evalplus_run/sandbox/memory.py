"""How much memory there is, how much is left, and how much a process has: read from outside, in bytes.

A limit on address space would count what is reserved and never touched. So residence is watched instead, and the
address space is only kept from growing without bounds. Sources: `proc(5)`, the kernel's `cgroup-v2.rst` and
`cgroup-v1/memory.rst`.
"""

from __future__ import annotations

import contextlib
import functools
import os
import resource
from collections.abc import Iterator
from pathlib import Path

from evalplus_run.sandbox.proc import read_small

_PAGE = os.sysconf("SC_PAGE_SIZE")
_GROUPS = Path("/sys/fs/cgroup")
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
    return min(wanted, int(_total() * _SHARE))


def is_short() -> bool:
    """Whether so little is left that the system would soon begin to kill."""
    left = _left()
    return left is not None and left < min(max(_LEAST_RESERVE, _total() * _RESERVE), _total() / 4)


@functools.cache
def _total() -> int:
    limits = [limit for _, limit in _container_limits()]
    return min([os.sysconf("SC_PHYS_PAGES") * _PAGE, *limits, *_inherited_limits()])


def _inherited_limits() -> list[int]:
    """What the user's shell allows each process (`ulimit -v`, `ulimit -d`)."""
    limits = [resource.getrlimit(which)[0] for which in (resource.RLIMIT_AS, resource.RLIMIT_DATA)]
    return [limit for limit in limits if limit != resource.RLIM_INFINITY]


def _left() -> int | None:
    left = [limit - used for folder, limit in _container_limits() if (used := _used(folder)) is not None]
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
        left += [int(line.split()[1]) << 10 for line in lines if line.startswith("MemAvailable:")]
    except (OSError, ValueError, IndexError):
        pass
    return min(left, default=None)


@functools.cache
def _container_limits() -> list[tuple[Path, int]]:
    """The groups that this process is in and that have a limit, with the limit."""
    return [(folder, limit) for folder, name in _groups() if (limit := _number(folder / name)) is not None]


def _groups() -> Iterator[tuple[Path, str]]:
    """Folders of control groups, from this process's own upwards, and the file of the limit in them."""
    for line in _own_groups():
        _, controllers, path = line.split(":", 2)
        if controllers and "memory" not in controllers.split(","):
            continue
        root, name = (_GROUPS / "memory", "memory.limit_in_bytes") if controllers else (_GROUPS, "memory.max")
        inside = root / path.lstrip("/")
        for folder in (inside, *inside.parents):
            yield folder, name
            if folder == root:
                break


def _own_groups() -> list[str]:
    try:
        return Path("/proc/self/cgroup").read_text().splitlines()
    except OSError:
        return []


def _used(folder: Path) -> int | None:
    """Without what is cached of files and can be dropped."""
    used = _number(folder / "memory.current") or _number(folder / "memory.usage_in_bytes")
    if used is None:
        return None
    try:
        lines = (folder / "memory.stat").read_text().splitlines()
    except OSError:
        return used
    names = ("inactive_file", "total_inactive_file")
    fields = dict(line.split()[:2] for line in lines if line.startswith(names))
    return used - int(fields.get("total_inactive_file", fields.get("inactive_file", 0)))


def _number(path: Path) -> int | None:
    """The number in a file; None where there is none, or it says `max`."""
    try:
        return int(path.read_text())
    except (OSError, ValueError):
        return None
