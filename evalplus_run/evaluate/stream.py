"""The bytes that a program sends which returns what is expected of it, test after test.

To compare with them spares a look at each of hundreds of values. What differs in its bytes is looked at all the same.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Container, Sequence
from itertools import accumulate

from evalplus_run.sandbox.guest import protocol


class ExpectedStream:
    """All results of one suite as frames."""

    def __init__(self, expected: Sequence[bytes], digests: Container[int], distrusted: Sequence[int]) -> None:
        """`distrusted` are the tests, in their order, whose expected bytes may be sent and do not pass for sure."""
        pack, value, digest = protocol.FRAME.pack, protocol.VALUE, protocol.DIGEST
        frames = [
            pack(digest if test in digests else value, len(payload)) + payload for test, payload in enumerate(expected)
        ]
        self._bytes = b"".join(frames)
        self._ends = [*accumulate(map(len, frames))]
        self._looked_at = [*distrusted, len(expected)]
        """The tests at which no bytes match: a program may send any, so no frame of ours could stand for that."""

    def match(self, test: int, data: bytearray, place: int) -> tuple[int, int]:
        """How many tests from `test` on have their expected frames at this place, and how many bytes these take."""
        start = self._ends[test - 1] if test else 0
        stop = self._looked_at[bisect_left(self._looked_at, test)]
        least, most = 0, min(stop, bisect_right(self._ends, start + len(data) - place)) - test
        tries = most  # mostly all are as expected; else the last before the first that differs is searched for
        while least < most:
            if data.startswith(self._bytes[start : self._ends[test + tries - 1]], place):
                least = tries
            else:
                most = tries - 1
            tries = (least + most + 1) // 2
        return least, self._ends[test + least - 1] - start if least else 0
