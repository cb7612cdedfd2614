"""Which of the inputs that were found become tests: first what showed something new, then a bit of everything."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evalplus_run.testgen.search import Found
from evalplus_run.testgen.values import key

_SHORT = 12
"""Characters of a value by which values of one kind are told apart."""


def select(found: Sequence[Found], n: int) -> list[Found]:
    """At most `n`, in the order in which they were found.

    Inputs are grouped by which outcomes they reach and what comes out; the groups take turns, so that no kind of
    answer, such as an empty list, fills the suite.
    """
    chosen = {place for place, each in enumerate(found) if each.news}
    groups: dict[tuple[Any, ...], list[int]] = {}
    for place, each in enumerate(found):
        if place not in chosen:
            seen = each.observation
            groups.setdefault((seen.outcomes, _class(seen.value)), []).append(place)
    queues = [list(reversed(group)) for group in groups.values()]
    while queues and len(chosen) < n:
        for queue in queues[: n - len(chosen)]:
            chosen.add(queue.pop())
        queues = [queue for queue in queues if queue]
    return [found[place] for place in sorted(chosen)[:n]]


def _class(value: Any) -> str:
    """Values of one class are much alike: a type, a length, a beginning."""
    if isinstance(value, (list, tuple, set, frozenset, dict, str)):
        return f"{type(value).__name__} {min(len(value), 4)}"
    return key(value)[:_SHORT]
