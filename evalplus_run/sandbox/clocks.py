"""Another process's clocks, read from outside, so that no program can forge them.

CPU time does not stretch when the machine is loaded. For programs that sleep or block, time is counted in
which the process neither ran nor waited for a core: elapsed time less CPU time less the time in the run
queue (`/proc/PID/task/*/schedstat`), so that load does not count there either. Where there is no such file
(gVisor), the threads' states are looked at: while one is runnable, the process does not sleep.
"""

from __future__ import annotations

import contextlib
import os
import time

_CPU_CLOCK = 2
"""CPUCLOCK_SCHED of the kernel's `posix-timers.h`."""


class ProcessClocks:
    """CPU and idle seconds of one running process."""

    def __init__(self, pid: int) -> None:
        self._clock = (~pid << 3) | _CPU_CLOCK
        self._threads = f"/proc/{pid}/task"
        self._queued: dict[str, float] = {}
        """By thread; those that have ended keep their last value."""
        self._last_cpu = 0.0
        self._looked = (time.monotonic(), 0.0, 0.0)
        self._sees_queue = self._queue_seconds() is not None
        self.tells_sleep = self._sees_queue or self._is_runnable() is not None
        """Whether sleeping and waiting for a core can be told apart."""

    @property
    def threads(self) -> int:
        """How many it has started, as far as was seen."""
        return len(self._queued)

    def cpu(self) -> float:
        """User and system seconds of all its threads; the last value seen once it is gone."""
        with contextlib.suppress(OSError):
            self._last_cpu = time.clock_gettime(self._clock)
        return self._last_cpu

    def idle_since_last_look(self) -> float:
        """Seconds since the last call in which it slept or was blocked.

        Counted look by look and never below zero: what many threads computed or waited at once is no credit
        that could be slept on later.
        """
        then, cpu_then, queued_then = self._looked
        now, cpu, queued = time.monotonic(), self.cpu(), self._queue_seconds() or 0.0
        self._looked = (now, cpu, queued)
        if not self._sees_queue and self._is_runnable():
            return 0.0
        return max(0.0, (now - then) - (cpu - cpu_then) - (queued - queued_then))

    def _is_runnable(self) -> bool | None:
        """Whether a thread runs or waits for a core at this moment; None where the system does not tell."""
        states = set()
        try:
            for thread in os.listdir(self._threads):  # noqa: PTH208 - read many times a second
                self._queued.setdefault(thread, 0.0)
                with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                    states.add(_state(f"{self._threads}/{thread}/stat"))
        except OSError:
            return None
        return "R" in states

    def _queue_seconds(self) -> float | None:
        try:
            for thread in os.listdir(self._threads):  # noqa: PTH208 - read many times a second
                with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                    self._queued[thread] = _queued_seconds(f"{self._threads}/{thread}/schedstat")
        except (OSError, IndexError, ValueError):
            return sum(self._queued.values()) if self._queued else None
        return sum(self._queued.values()) if self._queued else None


def _state(path: str) -> str:
    with open(path, encoding="utf-8", errors="replace") as file:  # noqa: PTH123 - read many times a second
        return file.read().rpartition(") ")[2][:1]


def _queued_seconds(path: str) -> float:
    with open(path, "rb") as file:  # noqa: PTH123 - read many times a second
        return int(file.read().split()[1]) / 1e9
