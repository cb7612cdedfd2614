"""Following one child: its frames, its clocks, its end."""

from __future__ import annotations

import contextlib
import fcntl
import os
import select
import time
from typing import Protocol

from evalplus_run.sandbox.execution import Ending
from evalplus_run.sandbox.frames import ALLOWANCE, Course, Flood, FrameReader
from evalplus_run.sandbox.guest import protocol
from evalplus_run.sandbox.limits import LONGEST_WAIT, MemoryLimits, TimeLimits

_READ_SIZE = 1 << 16
"""Bytes: for more, memory would be asked of the system each time."""
_PIPE_SIZE = 1 << 20
_SHORTEST_GATHER, _LONGEST_GATHER = 0.0001, 0.02
"""Seconds in which results gather between two reads: to wake up for each would cost more than most tests do. A
sixteenth of the time that the program has run already, so that nobody waits much longer for it."""


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
        pipe: int,
        course: Course,
        frames: FrameReader,
        times: TimeLimits,
        memory: MemoryLimits,
        orders: Orders | None = None,
    ) -> None:
        """`pipe` is the result channel's reading end."""
        self._pipe = pipe
        self._course = course
        self._frames = frames
        self._time = times
        self._memory = memory
        self._orders = orders
        self._has_begun = False

    def follow(self) -> tuple[Ending, str]:
        """The ending, and which limit was met. Raises NotBegun with the reason."""
        _widen(self._pipe)
        os.set_blocking(self._pipe, False)
        poller = select.poll()
        poller.register(self._pipe, select.POLLIN)
        if self._orders is not None:
            poller.register(self._orders, select.POLLIN)
        wait, begun = LONGEST_WAIT, time.monotonic()
        while not self._course.finished:
            ready = dict(poller.poll(wait * 1000))
            if self._orders is not None and self._orders.fileno() in ready:
                self._course.want_from(self._orders.read())
            if self._pipe in ready and not self._course.finished:
                # Before what came is taken: a test that ended just past its limit is past it.
                _, met = self._time.check()
                if met:
                    return Ending.TIMEOUT, met
                data = self._read()
                if data == b"":
                    return self._died()
                try:
                    self._take(data or b"")
                except Flood:
                    return Ending.FLOOD, "it wrote to the result channel what no value can be"
                if not self._course.finished and len(data or b"") < _READ_SIZE // 2:
                    time.sleep(min(max(_SHORTEST_GATHER, (time.monotonic() - begun) / 16), _LONGEST_GATHER))
            wait, met = self._time.check()
            if met and not self._course.finished:
                return Ending.TIMEOUT, met
            if ready.get(self._pipe, 0) & select.POLLHUP:
                continue  # it has ended, and may have nothing any more, while its last results are read
            soon, ending, met = self._memory.check()
            if met and not self._course.finished:
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
        position = (self._course.suite, self._course.test)
        for kind, payload in self._frames.feed(data, self._course.skip):
            if self._course.finished:
                break
            self._frame(kind, payload)
        if (self._course.suite, self._course.test) != position:
            self._time.mark(position)
        elif len(data) >= ALLOWANCE and not self._course.suite_done:
            # A large value is on its way, and the pipe holds little of it.
            self._time.forgive_waiting()

    def _frame(self, kind: int, payload: bytes) -> None:
        """The first frame tells that the program begins; raises NotBegun where it cannot, Flood where it lies."""
        if self._has_begun:
            self._course.take(kind, payload)
        elif kind == protocol.NOT_BEGUN:
            raise NotBegun(": ".join(protocol.parse_error(payload)[:2]))
        elif kind != protocol.BEGUN:
            raise Flood
        self._has_begun = True


def _widen(pipe: int) -> None:
    if hasattr(fcntl, "F_SETPIPE_SZ"):
        # Where the user's allowance for pipes is used up, the smaller pipe works too.
        with contextlib.suppress(OSError):
            fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _PIPE_SIZE)
