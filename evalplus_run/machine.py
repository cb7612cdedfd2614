"""What this machine lets this process have: cores, and memory in bytes.

Sources: `proc(5)`, the kernel's `cgroup-v2.rst` and `cgroup-v1/memory.rst`.
"""

from __future__ import annotations

import functools
import os
import resource
from collections.abc import Iterator
from pathlib import Path

_GROUPS = Path("/sys/fs/cgroup")


def usable_cores() -> int:
    """Cores that this process may use: its affinity, not the machine's size."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@functools.cache
def total_memory() -> int:
    """What this machine has, or this container or shell allows."""
    limits = [limit for _, limit in container_limits()]
    return min([os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"), *limits, *_inherited_limits()])


def _inherited_limits() -> list[int]:
    """What the user's shell allows each process (`ulimit -v`, `ulimit -d`)."""
    limits = [resource.getrlimit(which)[0] for which in (resource.RLIMIT_AS, resource.RLIMIT_DATA)]
    return [limit for limit in limits if limit != resource.RLIM_INFINITY]


@functools.cache
def container_limits() -> list[tuple[Path, int]]:
    """The groups that this process is in and that have a limit, with the limit."""
    return [(folder, limit) for folder, name in _groups() if (limit := number_in(folder / name)) is not None]


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


def number_in(path: Path) -> int | None:
    """The number in a file; None where there is none, or it says `max`."""
    try:
        return int(path.read_text())
    except (OSError, ValueError):
        return None
