"""Simpler inputs: what a value can be made smaller to, the large steps first.

An input is simpler where its text is shorter, or as long and earlier in an order in which small letters and digits come
first. No chain of ever simpler inputs is endless.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from evalplus_run.records import Arguments
from evalplus_run.testgen.values import key

_EARLY = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_RANKS = {character: place for place, character in enumerate(_EARLY)}
_LETTERS = 5
"""Characters that others are replaced by."""
_DECIMALS = 20
"""Digits of the numbers whose digits may mean something one by one."""
_STEPS = 24
"""Towards a number, each half of the one before."""

Rank = tuple[int, tuple[int, ...]]


def rank(arguments: Arguments) -> Rank:
    """How simple an input is: less is simpler."""
    text = key(arguments)
    return len(text), tuple(_RANKS.get(character, len(_EARLY) + ord(character)) for character in text)


def simplest_characters(characters: str) -> str:
    """Those that others may be replaced by, the simplest first."""
    return "".join(sorted(set(characters), key=lambda each: _RANKS.get(each, len(_EARLY) + ord(each)))[:_LETTERS])


def simpler(arguments: Arguments, letters: str) -> Iterator[Arguments]:
    """Inputs that are mostly simpler, each one step away; some may be of other kinds, or come twice.

    `letters` are what characters of texts may become.
    """
    yield from _cut_together(arguments)
    yield from _all_numbers(arguments)
    for place, value in enumerate(arguments):
        for each in _values(value, letters):
            yield (*arguments[:place], each, *arguments[place + 1 :])


def _cut_together(arguments: Arguments) -> Iterator[Arguments]:
    """Arguments of one length without the same places."""
    lengths = [len(each) if isinstance(each, (list, tuple, str)) else -1 for each in arguments]
    for length in sorted({each for each in lengths if each > 0 and lengths.count(each) > 1}, reverse=True):
        for start, end in _chunks(length):
            yield tuple(
                each[:start] + each[end:] if lengths[place] == length else each for place, each in enumerate(arguments)
            )


def _all_numbers(arguments: Arguments) -> Iterator[Arguments]:
    """All numbers of the input nearer to 0 by the same."""
    found = [abs(each) for each in _ints(arguments)]
    if len(found) < 2:
        return
    yield _mapped(arguments, lambda number: number // 2 if number > 0 else -(-number // 2))
    for least in sorted({min(found), min(found) - 1, 1} - {0, -1}, reverse=True):
        yield _mapped(arguments, lambda number, less=least: number - less)  # type: ignore[misc]


def _values(value: Any, letters: str) -> Iterator[Any]:  # noqa: PLR0911 - one type each
    kind = type(value)
    if kind is int:
        return _of_int(value)
    if kind is float:
        return _of_float(value)
    if kind is complex:
        return _of_complex(value)
    if kind is str:
        return _of_text(value, letters)
    if kind is bytes:
        return (each.encode("latin-1") for each in _of_text(value.decode("latin-1"), "a0"))
    if kind in (list, tuple):
        return _of_sequence(value, letters)
    if kind in (set, frozenset):
        items = sorted(value, key=key)
        return (kind(each) for each in _of_sequence(items, letters) if _can_be_hashed(each))
    return _of_dictionary(value, letters) if kind is dict else iter(())


def _of_int(value: int) -> Iterator[int]:
    yield from (0, 1, abs(value))
    sign, size = (1, value) if value > 0 else (-1, -value)
    yield from (sign * (size - (size >> power)) for power in range(1, min(size.bit_length(), _STEPS)))
    yield sign * (size - 1)
    if size < 10**_DECIMALS:
        yield from (sign * int(digits or "0") for digits in _of_text(str(size), "01"))


def _of_float(value: float) -> Iterator[float]:
    yield from (0.0, 1.0, abs(value))
    if not math.isfinite(value):
        return
    for decimals in range(4):
        yield round(value, decimals)
    yield from map(float, _of_int(int(value)))


def _of_complex(value: complex) -> Iterator[complex]:
    yield from (complex(each, value.imag) for each in _of_float(value.real))
    yield from (complex(value.real, each) for each in _of_float(value.imag))


def _of_text(value: str, letters: str) -> Iterator[str]:
    for start, end in _chunks(len(value)):
        yield value[:start] + value[end:]
        yield value[start:end]
    for start, end in _chunks(len(value)):
        for letter in letters:
            yield value[:start] + letter * (end - start) + value[end:]


def _of_sequence(value: Any, letters: str) -> Iterator[Any]:
    for start, end in _chunks(len(value)):
        yield value[:start] + value[end:]
        yield value[start:end]
    kind = type(value)
    for start, end in _chunks(len(value)):
        yield value[:start] + kind(map(_zero, value[start:end])) + value[end:]
    yield from map(kind, _rows_cut(value))
    for place, item in enumerate(value):
        for each in _values(item, letters):
            yield value[:place] + kind((each,)) + value[place + 1 :]


def _rows_cut(rows: Sequence[Any]) -> Iterator[list[Any]]:
    """Rows of one length without the same columns."""
    lengths = {len(row) if isinstance(row, (list, tuple, str)) else 0 for row in rows}
    if len(rows) > 1 and len(lengths) == 1:
        for start, end in _chunks(lengths.pop()):
            yield [row[:start] + row[end:] for row in rows]


def _of_dictionary(value: dict[Any, Any], letters: str) -> Iterator[dict[Any, Any]]:
    for pairs in _of_sequence(list(value.items()), letters):
        if all(len(pair) == 2 for pair in pairs) and _can_be_hashed([pair[0] for pair in pairs]):
            yield dict(pairs)


def _chunks(length: int) -> Iterator[tuple[int, int]]:
    """(start, end) of the whole, its halves, and so on down to single places."""
    size = length
    while size:
        yield from ((start, min(start + size, length)) for start in range(0, length, size))
        size //= 2


_ZEROS: dict[type, Any] = {int: 0, float: 0.0, complex: 0j, str: "", bytes: b"", list: [], dict: {}, tuple: ()}


def _zero(value: Any) -> Any:
    """The simplest of its type."""
    return _ZEROS.get(type(value), value)


def _can_be_hashed(items: Sequence[Any]) -> bool:
    try:
        return len(set(items)) >= 0
    except TypeError:
        return False


def _ints(value: Any) -> Iterator[int]:
    if isinstance(value, (list, tuple)):
        for item in value:
            yield from _ints(item)
    elif type(value) is int:
        yield value


def _mapped(value: Any, change: Callable[[int], int]) -> Any:
    if isinstance(value, (list, tuple)):
        return type(value)(_mapped(item, change) for item in value)
    return change(value) if type(value) is int else value
