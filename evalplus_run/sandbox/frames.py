"""Frames that come from a program under test, and which test of which suite they tell to be under way.

Whoever wrote them may be hostile: what cannot be the frames of a program's values is a `Flood`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from evalplus_run.sandbox.guest import protocol

OnFrame = Callable[[int, int, int, bytes], bool]
"""(suite, test, kind, payload) -> whether to go on with this suite. `test` is -1 for LOAD_FAILED,
NO_ENTRY_POINT and STARTED."""

OnBytes = Callable[[int, int, bytearray, int], tuple[int, int]]
"""(suite, test, bytes, place) -> how many results from this test on, whole frames at this place, need no look, and how
many bytes they take."""

ALLOWANCE = 1 << 16
"""Bytes that a frame may take beside the longest value."""
_LARGEST = 64 << 20
"""Bytes of any honest frame: longer values come as digests, but for those asked for in full."""
_RESULTS = (protocol.VALUE, protocol.DIGEST, protocol.RAISED, protocol.TOO_LARGE)
_BEGINNINGS = (protocol.STARTED, protocol.LOAD_FAILED, protocol.NO_ENTRY_POINT)


class Flood(Exception):
    """Something else than a program's values, or more than they can need."""


class FrameReader:
    """Cuts a stream of bytes into frames."""

    def __init__(self, max_bytes: int, *, in_full: bool) -> None:
        """`max_bytes` is the longest encoding of a value; `in_full` tells that long ones were asked for."""
        self._largest = (max_bytes if in_full else min(max_bytes, _LARGEST)) + ALLOWANCE
        self._buffer = bytearray()

    def feed(self, data: bytes, skip: Callable[[bytearray, int], int]) -> Iterator[tuple[int, bytes]]:
        """The frames, (kind, payload), that are whole with these bytes, but for those that `skip` takes.

        It tells how many bytes at a place of the buffer are taken already. Raises Flood.
        """
        self._buffer += data
        start = 0
        header = protocol.FRAME
        try:
            while len(self._buffer) - (start := start + skip(self._buffer, start)) >= header.size:
                kind, size = header.unpack_from(self._buffer, start)
                if size > self._largest:
                    raise Flood
                end = start + header.size + size
                if len(self._buffer) < end:
                    return
                yield kind, bytes(self._buffer[start + header.size : end])
                start = end
        finally:
            del self._buffer[:start]


class Course:
    """How far a program has got."""

    def __init__(
        self,
        tests: Mapping[int, int],
        on_frame: OnFrame,
        on_left: Callable[[int], None],
        on_bytes: OnBytes | None = None,
    ) -> None:
        """`tests` has the number of tests of each suite, in their order.

        `on_left` is called when a suite is done with, whether to its end or not, with the number of the first
        suite that is still wanted: one higher than all where that was the last.
        """
        self._tests = tests
        self._order = list(tests)
        self._on_frame = on_frame
        self._on_left = on_left
        self._on_bytes = on_bytes
        self.suite = self._order[0]
        self.test: int | None = None
        """The next to come; None until the program is loaded for this suite."""
        self.suite_done = False
        self.finished = False

    def take(self, kind: int, payload: bytes) -> None:
        """The next frame; raises Flood where it cannot be."""
        if kind in _RESULTS:
            self._result(kind, payload)
        elif kind in _BEGINNINGS:
            self._beginning(kind, payload)
        else:
            raise Flood

    def skip(self, data: bytearray, place: int) -> int:
        """How many bytes at this place are results that nobody needs to look at one by one: they count as taken."""
        if self._on_bytes is None or self.test is None or self.suite_done:
            return 0
        tests, size = self._on_bytes(self.suite, self.test, data, place)
        self.test += tests
        if self.test >= self._tests[self.suite]:
            self._leave()
        return size

    def want_from(self, suite: int) -> None:
        """Whoever takes the frames wants nothing more of the suites below this number."""
        if self.suite < suite and not self.suite_done:
            self._leave()
        self.finished = self.finished or suite > self._order[-1]

    def _result(self, kind: int, payload: bytes) -> None:
        if self.suite_done:
            return  # the program had not yet seen that this suite is left
        if self.test is None or (kind == protocol.DIGEST and len(payload) < protocol.DIGEST_HEAD.size):
            raise Flood
        wanted = self._on_frame(self.suite, self.test, kind, payload)
        self.test += 1
        if not wanted or self.test >= self._tests[self.suite]:
            self._leave()

    def _beginning(self, kind: int, payload: bytes) -> None:
        """A suite begins only where the one before is done with."""
        if self.suite_done:
            self.suite = self._order[self._order.index(self.suite) + 1]
            self.suite_done = False
        elif self.test is not None:
            raise Flood
        self._on_frame(self.suite, -1, kind, payload)
        self.test = 0
        if kind != protocol.STARTED or not self._tests[self.suite]:
            self._leave()

    def _leave(self) -> None:
        self.suite_done = True
        following = self._order.index(self.suite) + 1
        self.finished = following == len(self._order)
        self._on_left(self._order[-1] + 1 if self.finished else self._order[following])
