"""How many tokens a server says that an answer took: believed as far as it is a number that can be."""

from __future__ import annotations

_MOST = 1_000_000_000
"""More than any model takes in or gives at once."""


def counted(usage: object, *names: str) -> int | None:
    """What a server counted under these names, together; those that it left out are none.

    None where it told nothing that can be a count: an answer is no worse for that, and not to be paid for again.
    """
    told = [usage[name] for name in names if usage.get(name) is not None] if isinstance(usage, dict) else []
    return sum(told) if told and all(map(_can_be, told)) else None


def _can_be(number: object) -> bool:
    return isinstance(number, int) and not isinstance(number, bool) and 0 <= number <= _MOST
