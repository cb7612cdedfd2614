"""Another process's clocks, read from outside, so that no program can forge them.

CPU time does not stretch when the machine is loaded. For programs that sleep or block, time is counted in
which the process neither ran nor waited for a core: elapsed time less CPU time less the time in the run
queue (`/proc/PID/task/*/schedstat`), so that load does not count there either. The kernel writes down a wait for a
core only when it is over; so while a thread is runnable (its state in `stat`) nothing is said yet, and the next look
covers that time too. Where there is no `schedstat` (gVisor), such a time counts as no sleep.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable
from dataclasses import dataclass

from evalplus_run.sandbox.proc import read_small

_CPU_CLOCK = 2
"""CPUCLOCK_SCHED of the kernel's `posix-timers.h`."""


@dataclass(frozen=True, slots=True)
class _Look:
    """What was seen at one moment."""

    at: float
    cpu: float
    queued: float
    """Seconds that all threads, those that have ended too, waited for a core, as far as that was written down."""
    threads: frozenset[str]
    runnable: bool
    """Whether one of them ran or waited for a core."""


class ProcessClocks:
    """CPU and idle seconds of one running process."""

    def __init__(self, pid: int) -> None:
        self._clock = (~pid << 3) | _CPU_CLOCK
        self._folder = f"/proc/{pid}/task"
        self._queued: dict[str, float] = {}
        """By thread; those that have ended keep their last value."""
        self._last_cpu = 0.0
        self._sees_queue = _can_be_read(_queued_seconds, f"{self._folder}/{pid}/schedstat")
        self.tells_sleep = _can_be_read(_state, f"{self._folder}/{pid}/stat")
        """Whether sleeping and waiting for a core can be told apart."""
        self._looked = _Look(time.monotonic(), 0.0, 0.0, frozenset(), runnable=True)
        self._last_runnable = self._looked

    def threads(self) -> int:
        """How many it has at this moment."""
        with contextlib.suppress(OSError):
            return len(os.listdir(self._folder))  # noqa: PTH208 - read many times a second
        return 0

    def cpu(self) -> float:
        """User and system seconds of all its threads; the last value seen once it is gone."""
        with contextlib.suppress(OSError):
            self._last_cpu = time.clock_gettime(self._clock)
        return self._last_cpu

    def idle_since_last_look(self, *, anew: bool = False) -> float:
        """Seconds since the last call in which it slept or was blocked, as far as that can be said yet.

        With `anew`, what cannot be said yet is never counted. Never below zero: what many threads computed or waited
        at once is no credit that could be slept on later.
        """
        look = self._look()
        if look.runnable:
            self._last_runnable = look
            if anew:
                self._looked = look
            return 0.0
        since = self._looked
        if not self._sees_queue or since.threads - look.threads or self._last_runnable.threads - look.threads:
            # How long a thread that has ended waited for a core at last is not told any more.
            since = max(since, self._last_runnable, key=lambda each: each.at)
        self._looked = look
        return max(0.0, (look.at - since.at) - (look.cpu - since.cpu) - (look.queued - since.queued))

    def _look(self) -> _Look:
        threads, runnable = set(), False
        # It may end at any moment.
        with contextlib.suppress(OSError):
            for thread in os.listdir(self._folder):  # noqa: PTH208 - read many times a second
                with contextlib.suppress(OSError, IndexError, ValueError):
                    runnable = _state(f"{self._folder}/{thread}/stat") == b"R" or runnable
                    threads.add(thread)
                    self._queued[thread] = (
                        _queued_seconds(f"{self._folder}/{thread}/schedstat") if self._sees_queue else 0.0
                    )
        return _Look(time.monotonic(), self.cpu(), sum(self._queued.values()), frozenset(threads), runnable)


def _can_be_read(read: Callable[[str], object], path: str) -> bool:
    try:
        read(path)
    except (OSError, IndexError, ValueError):
        return False
    return True


def _state(path: str) -> bytes:
    return read_small(path).rpartition(b") ")[2][:1]


def _queued_seconds(path: str) -> float:
    return int(read_small(path).split()[1]) / 1e9
