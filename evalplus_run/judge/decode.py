"""From the bytes that a sandboxed program sent to a value: the other half of `sandbox/guest/encode.py`.

The bytes may be anything, since a hostile program can write to the pipe what it likes. Nothing is evaluated, every
size is checked before it is used, and time and memory stay in proportion to the length of the payload.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import gcd
from struct import Struct
from typing import Any

from evalplus_run.judge.hashing import Distinct
from evalplus_run.judge.values import Foreign, ForeignKind, Malformed, Opaque

MARK = b"!\xf5\xc0\xfe\xd7\xf9\xc1\xfd"
"""Stands before what Python holds unequal to its own copy: NaN, arrays, opaque values."""
MAX_LENGTH = 256 << 20
"""Bytes; longer values are compared as bytes only."""

_MAX_NODES = 8_000_000
_MAX_DEPTH = 160
_MAX_INT_DIGITS = (1 << 23) // 15 + 1
_MAX_RATIO_BITS = 1 << 13
_CONTAINER = 4
"""An empty container takes the memory of about so many small values."""

_size = Struct("<I")
_int32 = Struct("<i")
_double = Struct("<d")
_complex = Struct("<dd")


def decode(payload: bytes) -> Any:
    """The value, its Decimals and Fractions as Fractions; what is no plain builtin as Foreign or Opaque.

    Raises Malformed for whatever `encode` does not write, and for values of more than some million parts.
    """
    if len(payload) > MAX_LENGTH:
        raise Malformed("it is too long to be compared by value")
    reader = Reader(payload)
    try:
        value = reader.value(_MAX_DEPTH)
    except RecursionError:
        raise Malformed("it is too deep") from None
    if reader.at != len(payload):
        raise Malformed("bytes are left over")
    return value


class Reader:
    """A position in a payload."""

    __slots__ = ("_distinct", "_nodes", "at", "data")

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0
        self._nodes = _MAX_NODES
        self._distinct = Distinct()

    def value(self, depth: int) -> Any:
        """The value that begins here."""
        self._spend(1)
        if depth <= 0 or self.at >= len(self.data):
            raise Malformed("it ends too soon, or is too deep")
        read = _READ.get(self.data[self.at])
        if read is None:
            raise Malformed("an unknown tag")
        self.at += 1
        return read(self, depth - 1)

    def take(self, size: int) -> bytes:
        """So many bytes."""
        start, self.at = self.at, self.at + size
        if self.at > len(self.data):
            raise Malformed("it ends too soon")
        return self.data[start : self.at]

    def size(self) -> int:
        """A size in bytes, or a count of items, of which each takes a byte or more."""
        size: int = _size.unpack(self.take(4))[0]
        if size > len(self.data) - self.at:
            raise Malformed("a size beyond the end")
        return size

    def name(self) -> str:
        """The name of a type."""
        return self.take(self.take(1)[0]).decode("ascii", "replace")

    def text(self) -> str:
        """A size, then UTF-8 with surrogates."""
        try:
            return self.take(self.size()).decode("utf-8", "surrogatepass")
        except UnicodeDecodeError:
            raise Malformed("text that is no UTF-8") from None

    def texts(self) -> list[str]:
        """Texts with NUL between them."""
        joined = self.text()
        self._spend(joined.count("\0"))
        return joined.split("\0")

    def items(self, depth: int) -> list[Any]:
        """A count, then as many values."""
        self._spend(_CONTAINER)
        items = []
        for _ in range(self.size()):  # no comprehension: its frame would count towards the recursion limit
            items.append(self.value(depth))  # noqa: PERF401
        return items

    def members(self, depth: int) -> list[Any]:
        """As `items`, all hashable and distinct."""
        self._spend(_CONTAINER)
        return self._all_distinct(self.items(depth))

    def mapping(self, depth: int) -> dict[Any, Any]:
        """A count, then as many keys, each with its value."""
        self._spend(2 * _CONTAINER)
        pairs = [(self.value(depth), self.value(depth)) for _ in range(self.size())]
        self._all_distinct([key for key, _ in pairs])
        return dict(pairs)

    def integer(self) -> int:
        """A signed count of digits of 15 bits, then the digits."""
        count = _int32.unpack(self.take(4))[0]
        if abs(count) > _MAX_INT_DIGITS:
            raise Malformed("an int that is too large")
        digits = [low | high << 8 for low, high in zip(*[iter(self.take(2 * abs(count)))] * 2, strict=True)]
        if any(digit >> 15 for digit in digits):
            raise Malformed("a digit that is too large")
        magnitude = _join_digits(digits)
        return magnitude if count >= 0 else -magnitude

    def ratio(self, depth: int) -> Fraction | float:
        """An empty name, then (numerator, denominator) or a float that is not finite."""
        self.name()
        parts = self.value(depth)
        if type(parts) is float:
            return parts
        if type(parts) is not tuple or len(parts) != 2 or any(type(part) is not int for part in parts):
            raise Malformed("a ratio of other than ints")
        if parts[1] <= 0 or max(map(int.bit_length, parts)) > _MAX_RATIO_BITS or gcd(*parts) != 1:
            raise Malformed("a ratio not in lowest terms")
        return Fraction(*parts)

    def foreign(self, kind: ForeignKind, depth: int, *types: type) -> Foreign:
        """A name, then a value of one of the types; of any, if none is given."""
        self._spend(_CONTAINER)
        name, value = self.name(), self.value(depth)
        if types and type(value) not in types:
            raise Malformed(f"no content for a {kind}")
        return Foreign(kind, name, value)

    def marked(self, depth: int) -> Any:
        """The rest of the mark, then the value that it marks."""
        if self.take(len(MARK) - 1) != MARK[1:] or self.data.startswith(b"!", self.at):
            raise Malformed("an unknown mark")
        return self.value(depth)

    def opaque(self) -> Opaque:
        """A name."""
        self._spend(_CONTAINER)
        return Opaque(self.name())

    def _all_distinct(self, members: list[Any]) -> list[Any]:
        try:
            distinct = self._distinct.of(members)
        except TypeError:
            raise Malformed("an unhashable member") from None
        if len(distinct) != len(members):
            raise Malformed("equal members")
        return distinct

    def _spend(self, nodes: int) -> None:
        self._nodes -= nodes
        if self._nodes < 0:
            raise Malformed("it has too many parts to be compared by value")


def _join_digits(digits: list[int], bits: int = 15) -> int:
    """The int of these digits, the least first, in time that hardly grows faster than their number."""
    while len(digits) > 1:
        if len(digits) % 2:
            digits.append(0)
        digits = [low | high << bits for low, high in zip(digits[::2], digits[1::2], strict=True)]
        bits *= 2
    return digits[0] if digits else 0


_SCALARS = (int, float, complex, bool, str, bytes)
_BASES = (int, float, complex, str, bytes, list, tuple, set, frozenset, dict)
_READ: dict[int, Callable[[Reader, int], Any]] = {
    ord("N"): lambda reader, _: None,
    ord("T"): lambda reader, _: True,
    ord("F"): lambda reader, _: False,
    ord("i"): lambda reader, _: _int32.unpack(reader.take(4))[0],
    ord("l"): lambda reader, _: reader.integer(),
    ord("g"): lambda reader, _: _double.unpack(reader.take(8))[0],
    ord("y"): lambda reader, _: complex(*_complex.unpack(reader.take(16))),
    ord("u"): lambda reader, _: reader.text(),
    ord("s"): lambda reader, _: reader.take(reader.size()),
    ord("["): Reader.items,
    ord("("): lambda reader, depth: tuple(reader.items(depth)),
    ord("<"): lambda reader, depth: set(reader.members(depth)),
    ord(">"): lambda reader, depth: frozenset(reader.members(depth)),
    ord("{"): Reader.mapping,
    ord("w"): lambda reader, _: reader.texts(),
    ord("W"): lambda reader, _: tuple(reader.texts()),
    ord("n"): lambda reader, depth: reader.foreign("numpy scalar", depth, *_SCALARS),
    ord("a"): lambda reader, depth: reader.foreign("numpy array", depth),
    ord("k"): lambda reader, depth: reader.foreign("subclass", depth, *_BASES),
    ord("v"): lambda reader, depth: reader.foreign("dict view", depth, frozenset, dict),
    ord("b"): lambda reader, depth: reader.foreign("bytearray", depth, bytes),
    ord("x"): lambda reader, depth: reader.foreign("iterable", depth, list),
    ord("d"): Reader.ratio,
    ord("r"): Reader.ratio,
    ord("o"): lambda reader, _: reader.opaque(),
    ord("!"): lambda reader, depth: reader.marked(depth + 1),
}
