"""Whether a running program has met a limit: of its time, test by test, and of its memory."""

from __future__ import annotations

import time

from evalplus_run.sandbox import memory, scratch
from evalplus_run.sandbox.clocks import ProcessClocks
from evalplus_run.sandbox.execution import Ending, Job
from evalplus_run.sandbox.frames import Course

SHORTEST_WAIT, LONGEST_WAIT = 0.005, 0.05
"""Seconds between two looks."""
_SLOW_SECONDS = 0.05
_MARKED_LATE = 0.02
"""Seconds: a test begins a moment before the end of the one before it is seen here."""
_QUEUE_UNSEEN = 10.0
"""Where waiting for a core cannot be told from sleeping, that may take this many times the limit."""
_MOST_THREADS = 1024
"""That a program may have at once: far more than any needs, and few enough for a container's limit on processes."""
_FILLED_A_SECOND = 8 << 30
"""Bytes of memory that a program can fill in a second: how soon the next look must come."""
_SMALL = 256 << 20
"""Bytes: a program that has less is not what fills a machine."""


class TimeLimits:
    """CPU time and sleep together, of each test, of loading the program, and of each suite."""

    def __init__(self, pid: int, job: Job, course: Course) -> None:
        self._limits = job.limits
        self._load_limit = job.load_limit
        self._leaving_limit = min(job.leaving_limit, job.load_limit)
        self._course = course
        self._clocks = ProcessClocks(pid)
        self._marked = time.monotonic()
        self._next = self._marked + LONGEST_WAIT
        """The next look: the clocks cost some reading, and no limit is shorter."""
        self._cpu_mark = 0.0
        self._idle = 0.0
        """Since the mark."""
        self._looked_since_mark = True
        self._counted, self._cpu_counted = self._marked, 0.0
        """When idle time was counted last, and the CPU time then."""
        self._suite_cpu_mark = 0.0
        self._suite_idle = 0.0
        self.slow: list[tuple[int, int, float]] = []
        """(suite, test, CPU seconds) of the tests that took long."""
        self.suite_cpu: dict[int, float] = {}

    def mark(self, since: tuple[int, int | None]) -> None:
        """The program has got further than `since`, a suite and a test: the limits of tests count from here."""
        cpu = self._clocks.cpu()
        if cpu - self._cpu_mark > _SLOW_SECONDS:
            self._note_slow(since, cpu - self._cpu_mark)
        self._marked = time.monotonic()
        self._cpu_mark = cpu
        self._idle = 0.0
        self._looked_since_mark = False

    def leave_suite(self) -> None:
        """The course's suite is done with: the limit of a suite counts from here."""
        cpu = self._clocks.cpu()
        self.suite_cpu[self._course.suite] = cpu - self._suite_cpu_mark
        self._suite_cpu_mark = cpu
        self._suite_idle = 0.0

    def forgive_waiting(self) -> None:
        """The program waited for us, which is not its sleeping. The limit of the whole suite counts on."""
        self._idle = 0.0

    def check(self) -> tuple[float, str]:
        """Seconds until the next look, and the limit that is met, if one is."""
        now = time.monotonic()
        if now < self._next:
            return self._next - now, ""
        course, limit = self._course, self._limit()
        self._count_idle(now)
        # Where waiting for a core cannot be told from sleeping, load would count as sleep: it weighs less there.
        weight = 1.0 if self._clocks.tells_sleep else 1 / _QUEUE_UNSEEN
        cpu, slept = self._clocks.cpu() - self._cpu_mark, self._idle * weight
        left = limit - _MARKED_LATE - cpu - slept
        total = limit if course.suite_done else self._limits[course.suite].total
        left_in_all = total - (self._clocks.cpu() - self._suite_cpu_mark) - self._suite_idle * weight
        if self._clocks.threads() > _MOST_THREADS:
            return 0.0, f"over {_MOST_THREADS} threads"
        if left <= 0:
            return 0.0, f"over {limit:.1f} s of CPU time" if cpu > slept else f"slept over {limit:.1f} s"
        if left_in_all <= 0:
            return 0.0, f"over {total:.1f} s in all tests together"
        wait = min(max(min(left, left_in_all) / 2, SHORTEST_WAIT), LONGEST_WAIT)
        self._next = now + wait
        return wait, ""

    def _note_slow(self, since: tuple[int, int | None], seconds: float) -> None:
        # Which of the tests read at once took the time is not known: each gets all of it.
        suite, test = since
        if suite != self._course.suite:
            self.slow += [(suite, i, seconds) for i in range(test or 0, len(self._limits[suite].tests))]
            test = 0
        self.slow += [(self._course.suite, i, seconds) for i in range(test or 0, self._course.test or 0)]

    def _count_idle(self, now: float) -> None:
        # A program that computes all the time cannot have slept: its threads, which cost some reading, are not asked.
        cpu = self._clocks.cpu()
        unaccounted = now - self._counted - (cpu - self._cpu_counted)
        if 0 < unaccounted < LONGEST_WAIT:
            return
        self._counted, self._cpu_counted = now, cpu
        if unaccounted <= 0:
            return
        # The first look after the mark also covers time before it.
        idle = self._clocks.idle_since_last_look(anew=not self._looked_since_mark)
        self._suite_idle += idle
        self._idle += idle if self._looked_since_mark else min(idle, now - self._marked)
        self._looked_since_mark = True

    def _limit(self) -> float:
        if self._course.suite_done:
            return self._leaving_limit
        if self._course.test is None:
            return self._load_limit
        return self._limits[self._course.suite].tests[self._course.test]


class MemoryLimits:
    """What the program really has, what it wrote to its folder, and whether the machine has any left."""

    def __init__(self, pid: int, most: int, folder: str) -> None:
        """`most` in bytes; `folder` is where the program may write, or empty."""
        self._pid = pid
        self._most = most
        self._folder = folder
        self._next = time.monotonic() + LONGEST_WAIT

    def check(self) -> tuple[float, Ending, str]:
        """Seconds until the next look, and the limit that is met, if one is, with the ending that it means."""
        now = time.monotonic()
        if now < self._next:
            return self._next - now, Ending.MEMORY, ""
        resident = memory.resident(self._pid) or 0  # where the system does not tell, the address space is limited
        if resident > self._most:
            return 0.0, Ending.MEMORY, f"over {self._most >> 20} MiB of memory"
        if resident > _SMALL and memory.is_short():
            return 0.0, Ending.SHORT, "killed when the machine had no memory left"
        if self._folder and scratch.is_full(self._folder, self._pid):
            return 0.0, Ending.MEMORY, "it wrote more temporary files than there is room for"
        soon = min(max((self._most - resident) / _FILLED_A_SECOND, SHORTEST_WAIT), LONGEST_WAIT)
        self._next = now + soon
        return soon, Ending.MEMORY, ""
