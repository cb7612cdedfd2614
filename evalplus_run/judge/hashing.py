"""Sets and dicts of values that a program chose, without the time that colliding hashes can cost.

Python's hashes of numbers and tuples are known, so a program can send a million values that share one; a set of them
would take hours to make. Where members are sets themselves, comparing two of them tries all pairs, level by level.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from evalplus_run.judge.values import Foreign, Malformed

_BUCKET = 32
"""Unequal members with one hash. Those of -1 and -2 are equal in Python, so honest ones in a grid can be many."""
_COLLIDING_SETS = 1024
"""Members with sets in them that collide, in all of one value."""


class Distinct:
    """Tells the distinct members of collections apart, as long as few of them collide."""

    def __init__(self) -> None:
        self._left = _COLLIDING_SETS

    def of(self, members: Iterable[Any]) -> list[Any]:
        """The first of each group of equal members, in order. Raises Malformed; TypeError if one is unhashable."""
        buckets: dict[int, list[Any]] = {}
        distinct: list[Any] = []
        for member in members:
            bucket = buckets.setdefault(hash(member), [])
            if member in bucket:
                continue
            if bucket:
                self._collide(member, len(bucket))
            bucket.append(member)
            distinct.append(member)
        return distinct

    def _collide(self, member: Any, others: int) -> None:
        self._left -= _holds_set(member)
        if self._left < 0 or others >= _BUCKET:
            raise Malformed("its members have colliding hashes")


def _holds_set(member: Any) -> bool:
    if isinstance(member, Foreign):
        return _holds_set(member.value)
    return isinstance(member, frozenset) or (isinstance(member, tuple) and any(map(_holds_set, member)))
