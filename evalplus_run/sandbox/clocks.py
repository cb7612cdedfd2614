"""Another process's clocks, read from outside, so that no program can forge them.

CPU time does not stretch when the machine is loaded. For programs that sleep or block, time is counted in
which the process neither ran nor waited for a core: elapsed time less CPU time less the time in the run
queue (`/proc/PID/task/*/schedstat`), so that load does not count there either.
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
        self._last_cpu = 0.0
        self.sees_queue = self._queue_seconds() is not None

    def cpu(self) -> float:
        """User and system seconds of all its threads; the last value seen once it is gone."""
        with contextlib.suppress(OSError):
            self._last_cpu = time.clock_gettime(self._clock)
        return self._last_cpu

    def idle(self, elapsed: float) -> float:
        """Of `elapsed` seconds since it began, those in which it slept or was blocked."""
        return elapsed - self.cpu() - (self._queue_seconds() or 0.0)

    def _queue_seconds(self) -> float | None:
        total = 0
        try:
            for thread in os.listdir(self._threads):  # noqa: PTH208 - read many times a second
                with open(f"{self._threads}/{thread}/schedstat", "rb") as file:  # noqa: PTH123
                    total += int(file.read().split()[1])
        except (OSError, IndexError, ValueError):
            return total / 1e9 if total else None
        return total / 1e9
