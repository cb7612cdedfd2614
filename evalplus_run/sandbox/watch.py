"""Following one child: its frames, its clocks, its end."""

from __future__ import annotations

import contextlib
import fcntl
import os
import select
import time
from collections.abc import Callable, Mapping
from typing import Protocol

from evalplus_run.sandbox import memory, scratch
from evalplus_run.sandbox.clocks import ProcessClocks
from evalplus_run.sandbox.execution import Ending, SuiteLimits
from evalplus_run.sandbox.frames import ALLOWANCE, Course, Flood, FrameReader, OnFrame
from evalplus_run.sandbox.guest import protocol

_READ_SIZE = 1 << 20
_SHORTEST_WAIT, _LONGEST_WAIT = 0.005, 0.05
"""Seconds between two looks at the clocks."""
_SLOW_SECONDS = 0.05
_MARKED_LATE = 0.02
"""Seconds: a test begins a moment before the end of the one before it is seen here."""
_QUEUE_UNSEEN = 10.0
"""Where waiting for a core cannot be told from sleeping, that may take this many times the limit."""
_MOST_THREADS = 1024
"""That a program may start: far more than any needs, and few enough for a container's limit on processes."""
_FILLED_A_SECOND = 8 << 30
"""Bytes of memory that a program can fill in a second: how soon the next look must come."""
_SMALL = 256 << 20
"""Bytes: a program that has less is not what fills a machine."""


class Orders(Protocol):
    """Where someone who sees the frames late says which suites are still wanted."""

    def fileno(self) -> int:
        """A descriptor that can be read when an order is there."""

    def read(self) -> int:
        """The order: the number of the first suite that is still wanted."""


class NotBegun(Exception):
    """The child did not get as far as the program: the host's fault."""


class Watch:
    """Reads frames until the child is through, dead, or over a limit. It does not kill: its caller does."""

    def __init__(
        self,
        pid: int,
        pipe: int,
        limits: Mapping[int, SuiteLimits],
        load_limit: float,
        on_frame: OnFrame,
        want_suite: Callable[[int], None],
        max_bytes: int,
        in_full: bool,
        most_memory: int,
        folder: str,
        orders: Orders | None = None,
    ) -> None:
        """`most_memory` in bytes; `folder` is where the program may write, or empty."""
        self.course = Course({suite: len(limit.tests) for suite, limit in limits.items()}, on_frame, self._left)
        self._has_begun = False
        self._pid = pid
        self._most_memory = most_memory
        self._folder = folder
        self._pipe = pipe
        self._limits = limits
        self._load_limit = load_limit
        self._want_suite = want_suite
        self._orders = orders
        self._clocks = ProcessClocks(pid)
        self._frames = FrameReader(max_bytes, in_full=in_full)
        self._marked = time.monotonic()
        self._watched = self._marked + _LONGEST_WAIT
        self._cpu_mark = 0.0
        self._idle = 0.0
        """Since the mark."""
        self._looked_since_mark = True
        self.slow: list[tuple[int, int, float]] = []
        self.suite_cpu: dict[int, float] = {}
        self._suite_cpu_mark = 0.0
        self._suite_idle = 0.0

    def follow(self) -> tuple[Ending, str]:
        """The ending, and which limit was met. Raises NotBegun with the reason."""
        _widen(self._pipe)
        os.set_blocking(self._pipe, False)
        poller = select.poll()
        poller.register(self._pipe, select.POLLIN)
        if self._orders is not None:
            poller.register(self._orders, select.POLLIN)
        wait = _LONGEST_WAIT
        while not self.course.finished:
            ready = [descriptor for descriptor, _ in poller.poll(wait * 1000)]
            if self._orders is not None and self._orders.fileno() in ready:
                self.course.want_from(self._orders.read())
            if self._pipe in ready and not self.course.finished:
                # Before what came is taken: a test that ended just past its limit is past it.
                _, met = self._check_clocks()
                if met:
                    return Ending.TIMEOUT, met
                data = self._read()
                if data == b"":
                    return self._died()
                try:
                    self._take(data or b"")
                except Flood:
                    return Ending.FLOOD, "it wrote to the result channel what no value can be"
            wait, met = self._check_clocks()
            if met and not self.course.finished:
                return Ending.TIMEOUT, met
            soon, ending, met = self._check_memory()
            if met and not self.course.finished:
                return ending, met
            wait = min(wait, soon)
        return Ending.FINISHED, ""

    def _died(self) -> tuple[Ending, str]:
        if not self._has_begun:
            raise NotBegun("it ended before the program began")
        return Ending.DIED, ""

    def _read(self) -> bytes | None:
        try:
            return os.read(self._pipe, _READ_SIZE)
        except BlockingIOError:
            return None

    def _take(self, data: bytes) -> None:
        """Frames out of what has come; raises Flood when the child cannot be telling values."""
        position = (self.course.suite, self.course.test)
        for kind, payload in self._frames.feed(data):
            self._frame(kind, payload)
            if self.course.finished:
                break
        if (self.course.suite, self.course.test) != position:
            self._mark(position)
        elif len(data) >= ALLOWANCE and not self.course.suite_done:
            # A large value is on its way: the child waits for us, which is not its sleeping. The limit of the
            # whole suite counts on.
            self._idle = 0.0

    def _frame(self, kind: int, payload: bytes) -> None:
        """The first frame tells that the program begins; raises NotBegun where it cannot, Flood where it lies."""
        if self._has_begun:
            self.course.take(kind, payload)
        elif kind == protocol.NOT_BEGUN:
            raise NotBegun(": ".join(protocol.parse_error(payload)[:2]))
        elif kind != protocol.BEGUN:
            raise Flood
        self._has_begun = True

    def _left(self, wanted: int) -> None:
        """A suite is done with: the time counts for the next one, the child is told unless it is to be killed."""
        cpu = self._clocks.cpu()
        self.suite_cpu[self.course.suite] = cpu - self._suite_cpu_mark
        self._suite_cpu_mark = cpu
        self._suite_idle = 0.0
        if not self.course.finished:
            self._want_suite(wanted)

    def _mark(self, since: tuple[int, int | None]) -> None:
        """Progress: the limits count from here."""
        cpu = self._clocks.cpu()
        if cpu - self._cpu_mark > _SLOW_SECONDS:
            self._note_slow(since, cpu - self._cpu_mark)
        self._marked = time.monotonic()
        self._cpu_mark = cpu
        self._idle = 0.0
        self._looked_since_mark = False

    def _note_slow(self, since: tuple[int, int | None], seconds: float) -> None:
        # Which of the tests read at once took the time is not known: each gets all of it.
        suite, test = since
        if suite != self.course.suite:
            self.slow += [(suite, i, seconds) for i in range(test or 0, len(self._limits[suite].tests))]
            test = 0
        self.slow += [(self.course.suite, i, seconds) for i in range(test or 0, self.course.test or 0)]

    def _check_clocks(self) -> tuple[float, str]:
        """Seconds until the next look, and the limit that is met, if one is."""
        now = time.monotonic()
        if now - self._marked < _LONGEST_WAIT:
            # Too early for any limit; the idle clock, which costs some reading, is not asked.
            return _LONGEST_WAIT, ""
        limit = self._limit()
        self._count_idle(now)
        # Where waiting for a core cannot be told from sleeping, load would count as sleep: it weighs less there.
        weight = 1.0 if self._clocks.tells_sleep else 1 / _QUEUE_UNSEEN
        cpu, slept = self._clocks.cpu() - self._cpu_mark, self._idle * weight
        left = limit - _MARKED_LATE - cpu - slept
        total = self._load_limit if self.course.suite_done else self._limits[self.course.suite].total
        left_in_all = total - (self._clocks.cpu() - self._suite_cpu_mark) - self._suite_idle * weight
        if self._clocks.threads > _MOST_THREADS:
            return 0.0, f"over {_MOST_THREADS} threads"
        if left <= 0:
            return 0.0, f"over {limit:.1f} s of CPU time" if cpu > slept else f"slept over {limit:.1f} s"
        if left_in_all <= 0:
            return 0.0, f"over {total:.1f} s in all tests together"
        return min(max(left / 2, _SHORTEST_WAIT), _LONGEST_WAIT), ""

    def _check_memory(self) -> tuple[float, Ending, str]:
        """Seconds until the next look, and the limit that is met, if one is, as an ending."""
        now = time.monotonic()
        if now < self._watched:
            return self._watched - now, Ending.MEMORY, ""
        resident = memory.resident(self._pid) or 0
        if resident > self._most_memory:
            return 0.0, Ending.MEMORY, f"over {self._most_memory >> 20} MiB of memory"
        if resident > _SMALL and memory.is_short():
            return 0.0, Ending.SHORT, "killed when the machine had no memory left"
        if self._folder and scratch.is_full(self._folder):
            return 0.0, Ending.MEMORY, "it wrote more temporary files than there is room for"
        soon = min(max((self._most_memory - resident) / _FILLED_A_SECOND, _SHORTEST_WAIT), _LONGEST_WAIT)
        self._watched = now + soon
        return soon, Ending.MEMORY, ""

    def _count_idle(self, now: float) -> None:
        idle = self._clocks.idle_since_last_look()
        self._suite_idle += idle
        # The first look after the mark also covers time before it.
        self._idle += idle if self._looked_since_mark else min(idle, now - self._marked)
        self._looked_since_mark = True

    def _limit(self) -> float:
        if self.course.test is None or self.course.suite_done:
            return self._load_limit
        return self._limits[self.course.suite].tests[self.course.test]


def _widen(pipe: int) -> None:
    if hasattr(fcntl, "F_SETPIPE_SZ"):
        # Where the user's allowance for pipes is used up, the smaller pipe works too.
        with contextlib.suppress(OSError):
            fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _READ_SIZE)
