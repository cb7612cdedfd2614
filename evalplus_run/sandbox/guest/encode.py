"""Values as bytes: what a program returned, written so that the trusted process can read it without running anything.

This file runs beside hostile programs. So it imports the standard library only, binds the builtins when it is loaded,
before a program can replace them, tells types apart by identity, and takes the content of a subclass through its base
class's own methods. Whatever a program does to its own process, the worst it can send is a false value, and it does
not know the true one.

The format. Plain values are written as `marshal` version 2 writes them, which is fast (flat lists of numbers go
through `marshal` itself) and has no references in it; sizes and counts are 4 bytes, all is little-endian:
  N T F      None, True, False                     i l        int of 32 bits; others: signed count, digits of 15 bits
  g y        float, complex: 8, 16 bytes           u s        str (UTF-8 with surrogates), bytes: size, content
  [ (        list, tuple: count, items             < >        set, frozenset: count, items in the order of their bytes
The rest is our own:
  {          dict: count, each key before its value, in the order of their bytes (in its own order, if an OrderedDict)
  w W        list, tuple of eight or more str without NUL: size, the texts with NUL between them
  n a        numpy scalar, array: dtype, then the value, or nested lists
  k          instance of a subclass of a builtin: type name, then the base class's content
  v          keys or items of a dict: type name, then a frozenset or a dict
  b          bytearray: empty name, bytes
  x          what an iterable gave, where that is asked for: type name, list
  d r        Decimal, Fraction: empty name, (numerator, denominator); a float for infinities and NaN
  o          anything else: type name
  !          seven fixed bytes, then a value that Python holds unequal to its own copy (NaN, an array, o)
Names are one byte of length and ASCII. Equal values of equal types give equal bytes.
"""

from builtins import (  # noqa: UP029 - bound now, since the program can replace them later
    Exception,
    MemoryError,
    OverflowError,
    RecursionError,
    ValueError,
    abs,
    bool,
    bytearray,
    bytes,
    complex,
    dict,
    float,
    frozenset,
    int,
    issubclass,
    len,
    list,
    map,
    max,
    set,
    slice,
    sorted,
    str,
    tuple,
    type,
)
from collections import Counter, OrderedDict
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from itertools import islice
from marshal import dumps
from math import fsum
from operator import index
from struct import Struct
from sys import modules
from typing import Any

MARK = b"!\xf5\xc0\xfe\xd7\xf9\xc1\xfd"
_MAX_INT_BITS = 1 << 23
_MAX_RATIO_BITS = 1 << 13
_MAX_COLLECTED = 1_000_000
_JOINED_FROM = 8
_NAME_LENGTH = 100

_NUMBERS = frozenset((int, float, bool))
_TEXTS = frozenset((str,))
_DICT_KEYS: Any = type({}.keys())
_DICT_ITEMS: Any = type({}.items())
_NUMPY_KINDS = "biufcSU"
_ALL = slice(None)
_size = Struct("<I").pack
type_name: "Callable[[type], str]" = type.__dict__["__name__"].__get__


class TooLarge(Exception):
    """The value is deeper, larger or more entangled than may be sent."""


def encode(value: Any, *, collect: bool = False, max_bytes: int = 64 << 20, max_depth: int = 120) -> bytes:
    """The value in the format above.

    With `collect`, an iterable that is no plain value (a generator, a deque) is consumed, up to a million items.
    Raises TooLarge, in time and memory bounded by the limits; each item of a list costs five bytes or more. Raises
    MemoryError where the program has left no room for that.
    """
    try:
        encoder = _Encoder(max_bytes)
        payload = encoder.collected(value, max_depth) if collect else encoder.encode(value, max_depth)
    except RecursionError:
        raise TooLarge from None
    if len(payload) > max_bytes:
        raise TooLarge
    return payload


class _Encoder:
    """One encoding, and how many bytes it may still take."""

    __slots__ = ("left",)

    def __init__(self, max_bytes: int) -> None:
        self.left = max_bytes

    def spend(self, size: int) -> None:
        self.left -= size
        if self.left < 0:
            raise TooLarge

    def encode(self, value: Any, depth: int) -> bytes:  # noqa: PLR0911 - a table told apart by identity
        kind = type(value)
        if kind is int:
            return self.integer(value)
        if kind is bool or value is None:
            return dumps(value, 2)
        if kind is float or kind is complex:
            return dumps(value, 2) if value == value else MARK + dumps(value, 2)  # noqa: PLR0124 - NaN
        if kind is str or kind is bytes:
            self.spend(len(value))
            return dumps(value, 2)
        if kind is list:
            return self.sequence(b"[w", [*value], depth)
        if kind is tuple:
            return self.sequence(b"(W", value, depth)
        if kind is dict:
            return self.mapping([*value.items()], depth)
        if kind is set:
            return self.members(b"<", [*value], depth)
        if kind is frozenset:
            return self.members(b">", [*value], depth)
        return self.special(value, kind, depth)

    def integer(self, value: int) -> bytes:
        bits = value.bit_length()
        if bits > 64:
            self.spend(bits >> 3)
            if bits > _MAX_INT_BITS:
                raise TooLarge
        return dumps(value, 2)

    def sequence(self, tags: bytes, items: Any, depth: int) -> bytes:
        try:
            flat = self.flat(tags, items) if items else None
        except (TooLarge, MemoryError):
            raise
        except Exception:  # a metaclass that passes for int's, for instance
            flat = None
        if flat:
            return flat
        return tags[:1] + self.items([self.encode(item, depth - 1) for item in self.allowed(items, depth)])

    def flat(self, tags: bytes, items: Any) -> "bytes | None":
        """A list or tuple of numbers as generic encoding has it, or of str joined; None for all others."""
        kind = type(items[0])
        if kind is int or kind is float:
            if not {*map(type, items)} <= _NUMBERS or not _moderate(items):
                return None
            flat = dumps(items, 2)
            self.spend(len(flat))
            return flat
        if kind is str and len(items) >= _JOINED_FROM and {*map(type, items)} <= _TEXTS:
            joined = "\0".join(items)
            self.spend(len(joined))
            if joined.count("\0") == len(items) - 1:
                return tags[1:] + self.sized(joined.encode("utf-8", "surrogatepass"))
        return None

    def allowed(self, items: Any, depth: int) -> Any:
        self.spend(5 * len(items) + 5)
        if depth <= 0:
            raise TooLarge
        return items

    def items(self, parts: "list[bytes]") -> bytes:
        return _size(len(parts)) + b"".join(parts)

    def sized(self, content: bytes) -> bytes:
        return _size(len(content)) + content

    def members(self, tag: bytes, items: "list[Any]", depth: int) -> bytes:
        return tag + self.items(sorted([self.encode(item, depth - 1) for item in self.allowed(items, depth)]))

    def mapping(self, items: "list[tuple[Any, Any]]", depth: int, ordered: bool = False) -> bytes:
        pairs = [
            self.encode(key, depth - 1) + self.encode(value, depth - 1) for key, value in self.allowed(items, depth)
        ]
        return b"{" + self.items(pairs if ordered else sorted(pairs))

    def special(self, value: Any, kind: type, depth: int) -> bytes:
        """What is no plain value; opaque where nothing safe can be said about it."""
        self.spend(_NAME_LENGTH)
        try:
            encoded = self.standard(value, kind, depth) or self.subclass(value, kind, depth)
        except (TooLarge, RecursionError, MemoryError):
            raise
        except Exception:  # a module that the program has tampered with
            encoded = None
        return encoded or MARK + _named(b"o", type_name(kind))

    def standard(self, value: Any, kind: type, depth: int) -> "bytes | None":
        """Values of the standard library's and numpy's own types."""
        if kind is bytearray:
            return _named(b"b", "") + self.encode(bytes(value), depth)
        if kind is Decimal:
            return _named(b"d", "") + self.encode(_ratio_of_decimal(value), depth)
        if kind is Fraction:
            return _named(b"r", "") + self.encode(_ratio(value.numerator, value.denominator), depth)
        if issubclass(kind, _DICT_KEYS):
            return _named(b"v", "dict_keys") + self.members(b">", [*_DICT_KEYS.__iter__(value)], depth - 1)
        if issubclass(kind, _DICT_ITEMS):
            return _named(b"v", "dict_items") + self.mapping([*_DICT_ITEMS.__iter__(value)], depth - 1)
        return self.numpy(value, kind, depth)

    def numpy(self, value: Any, kind: type, depth: int) -> "bytes | None":
        numpy = modules.get("numpy")
        if numpy is None:
            return None
        if issubclass(kind, numpy.generic):
            dtype = numpy.generic.dtype.__get__(value)
            if dtype.kind not in _NUMPY_KINDS:
                return None
            return _named(b"n", dtype.str) + self.encode(_item(numpy.generic, value, dtype.kind), depth - 1)
        if kind is numpy.ndarray:
            self.spend(max(value.nbytes, 5 * value.size))
            return MARK + _named(b"a", value.dtype.str) + self.encode(value.tolist(), depth - 1)
        return None

    def subclass(self, value: Any, kind: type, depth: int) -> "bytes | None":  # noqa: PLR0911 - one base each
        named = _named(b"k", _shared_name(kind))
        if issubclass(kind, int):
            return named + self.encode(int.__int__(value), depth - 1)
        if issubclass(kind, float):
            return named + self.encode(float.__float__(value), depth - 1)
        if issubclass(kind, str):
            return named + self.encode(str.__str__(value), depth - 1)
        if issubclass(kind, tuple):
            return named + self.encode(tuple.__getitem__(value, _ALL), depth - 1)
        if issubclass(kind, list):
            return named + self.encode(list.copy(value), depth - 1)
        if kind is OrderedDict:
            return named + self.mapping([*OrderedDict.items(value)], depth - 1, ordered=True)
        if issubclass(kind, dict):
            return named + self.mapping([*dict.items(value)], depth - 1)
        if issubclass(kind, set):
            return named + self.members(b"<", [*set.__iter__(value)], depth - 1)
        if issubclass(kind, frozenset):
            return named + self.members(b">", [*frozenset.__iter__(value)], depth - 1)
        if issubclass(kind, bytes):
            return named + self.encode(bytes.__bytes__(value), depth - 1)
        if issubclass(kind, complex):
            return named + self.encode(complex.__complex__(value), depth - 1)
        return None

    def collected(self, value: Any, depth: int) -> bytes:
        """As `encode`, but an opaque value is asked for its items."""
        encoded = self.encode(value, depth)
        if not encoded.startswith(MARK + b"o"):
            return encoded
        try:
            items = [*islice(value, _MAX_COLLECTED + 1)]
        except (RecursionError, MemoryError):
            raise
        except Exception:  # not iterable, or its iteration fails
            return encoded
        if len(items) > _MAX_COLLECTED:
            raise TooLarge
        return _named(b"x", type_name(type(value))) + self.encode(items, depth - 1)


def _named(tag: bytes, name: str) -> bytes:
    ascii_name = name[:_NAME_LENGTH].encode("ascii", "replace")
    return tag + bytes((len(ascii_name),)) + ascii_name


def _shared_name(kind: type) -> str:
    """The type's name, unmistakable for the types whose `==` is not their base class's."""
    if kind is Counter or kind is OrderedDict:
        return "collections." + type_name(kind)
    return type_name(kind).replace(".", "_")


def _moderate(numbers: Any) -> bool:
    """Whether all are below 1e308, and none is NaN."""
    try:
        total = fsum(numbers)
    except (OverflowError, ValueError):
        return False
    return total == total  # noqa: PLR0124 - NaN


def _item(generic: Any, scalar: Any, dtype_kind: str) -> Any:
    item = generic.item(scalar)
    if type(item) in (float, complex, int, bool, str, bytes):
        return item
    return complex(item) if dtype_kind == "c" else float(item)  # long doubles


def _ratio(*parts: Any) -> "tuple[int, ...]":
    ratio = tuple([index(part) for part in parts])
    if max([part.bit_length() for part in ratio]) > _MAX_RATIO_BITS:
        raise TooLarge
    return ratio


def _ratio_of_decimal(value: Decimal) -> "tuple[int, int] | float":
    if not Decimal.is_finite(value):
        return float(value)
    _, digits, exponent = value.as_tuple()
    if len(digits) + abs(int(exponent)) > _MAX_RATIO_BITS // 4:
        raise TooLarge
    return Decimal.as_integer_ratio(value)
