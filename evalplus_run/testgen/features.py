"""What is notable about an input, so that few inputs can be chosen that have a bit of everything."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterator, Sequence
from typing import Any

_ITEMS = 200
"""Of a container or text that are looked at."""
_DEPTH = 3
_LENGTHS = (0, 1, 2, 5, 19, 99)
"""Up to which lengths are of one class."""
_SMALL = 2
"""Up to it each number is a class of its own."""
_MOST_BITS = 64


def features(arguments: Sequence[Any]) -> frozenset[Hashable]:
    """Of all arguments, each told with its place."""
    return frozenset((place, each) for place, argument in enumerate(arguments) for each in _of(argument, _DEPTH))


def _of(value: Any, depth: int) -> Iterator[Hashable]:
    kind = type(value).__name__
    yield kind
    if isinstance(value, (bool, complex, type(None))):
        yield kind, value
    elif isinstance(value, (int, float)):
        yield from _of_number(kind, value)
    elif isinstance(value, (str, bytes)):
        yield kind, _length(len(value))
        yield from ((kind, _character(each)) for each in str(value[:_ITEMS]))
    elif isinstance(value, (list, tuple, set, frozenset, dict)):
        yield kind, _length(len(value))
        items = list(itertools.islice(value, _ITEMS))
        yield from ((kind, each) for each in _of_order(items))
        for item in items if depth else ():
            yield from ((kind, each) for each in _of(item, depth - 1))


def _of_number(kind: str, value: float) -> Iterator[Hashable]:
    sign = (value > 0) - (value < 0)
    bits = min(int(abs(value)).bit_length(), _MOST_BITS) if abs(value) < float("inf") else _MOST_BITS
    yield kind, sign
    yield kind, sign, (bits + 1) // 2
    if abs(value) <= _SMALL:
        yield kind, "itself", value


def _of_order(items: Sequence[Any]) -> Iterator[str]:
    shown = [repr(item) for item in items]
    if len(set(shown)) < len(shown):
        yield "a duplicate"
    if len(items) < 2:
        return
    try:
        ordered = sorted(items)
    except TypeError:
        return
    if items == ordered:
        yield "in order"
    if items == ordered[::-1]:
        yield "in reverse order"


def _length(length: int) -> int:
    return sum(length > most for most in _LENGTHS)


def _character(each: str) -> str:
    if not each.isascii():
        return "beyond ASCII"
    for name, holds in (("upper", str.isupper), ("lower", str.islower), ("digit", str.isdigit)):
        if holds(each):
            return name
    return each
