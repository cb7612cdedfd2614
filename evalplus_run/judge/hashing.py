"""Sets and dicts of values that a program chose, without the time that colliding hashes can cost.

Python's hashes of numbers and tuples are known, so a program can send a million values that share one; each
`set(...)` of them, and each comparison of such sets, would take hours.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from evalplus_run.judge.values import Malformed

_COLLISIONS = 4096
"""Unequal members with equal hashes, in all sets of one value together; -1 and -2 share theirs in Python."""
_BUCKET = 32


class Distinct:
    """Tells the distinct members of collections apart, as long as few of them collide."""

    def __init__(self) -> None:
        self._left = _COLLISIONS

    def of(self, members: Iterable[Any]) -> list[Any]:
        """The first of each group of equal members, in order. Raises Malformed; TypeError if one is unhashable."""
        buckets: dict[int, list[Any]] = {}
        distinct: list[Any] = []
        for member in members:
            bucket = buckets.setdefault(hash(member), [])
            if member in bucket:
                continue
            if bucket:
                self._collide(bucket)
            bucket.append(member)
            distinct.append(member)
        return distinct

    def _collide(self, bucket: list[Any]) -> None:
        self._left -= 1
        if self._left < 0 or len(bucket) >= _BUCKET:
            raise Malformed("its members have colliding hashes")
