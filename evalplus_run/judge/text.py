"""Encoded values as short text for people; only as much of the bytes is read as the text needs."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction

from evalplus_run.judge.decode import MARK, Reader
from evalplus_run.judge.values import Malformed

_DEPTH = 60
_INT_BITS = 2000
_BRACKETS = {"[": ("[", "]"), "(": ("(", ")"), "<": ("{", "}"), ">": ("frozenset({", "})")}
_WRAPPED = {"n": "numpy(", "a": "array(", "b": "bytearray("}


def shorten(payload: bytes, limit: int = 200) -> str:
    """The value about as Python prints it, in at most `limit` characters and an ellipsis; always printable.

    The payload may also be the beginning of one, or nonsense.
    """
    text = ""
    try:
        for piece in _pieces(Reader(payload), limit, _DEPTH):
            text += piece
            if len(text) > limit:
                return text[:limit] + "…"
    except Malformed:
        return f"{text}…" if text else "<malformed>"
    return text


def _pieces(reader: Reader, limit: int, depth: int) -> Iterator[str]:
    """The text of the value at the reader's position, piece by piece."""
    tag = reader.data[reader.at : reader.at + 1].decode("latin-1")
    if depth <= 0:
        raise Malformed("it is too deep")
    if tag == "!":
        reader.take(len(MARK))
        yield from _pieces(reader, limit, depth - 1)
    elif tag in _BRACKETS:
        yield from _collection(reader, limit, depth)
    elif tag == "{":
        yield from _dict(reader, limit, depth)
    elif tag in tuple("usWw"):
        yield _text(reader, limit)
    elif tag in tuple("nakvbxo"):
        yield from _named(reader, limit, depth)
    else:
        yield _scalar(reader.value(depth), tag)


def _collection(reader: Reader, limit: int, depth: int) -> Iterator[str]:
    tag = reader.take(1).decode("latin-1")
    opening, closing = _BRACKETS[tag]
    count = _size(reader)
    if count == 0 and tag in "<>":
        yield "set()" if tag == "<" else "frozenset()"
        return
    yield opening
    for item in range(count):
        yield ", " if item else ""
        yield from _pieces(reader, limit, depth - 1)
    yield ",)" if tag == "(" and count == 1 else closing


def _dict(reader: Reader, limit: int, depth: int) -> Iterator[str]:
    reader.take(1)
    yield "{"
    for item in range(_size(reader)):
        yield ", " if item else ""
        yield from _pieces(reader, limit, depth - 1)
        yield ": "
        yield from _pieces(reader, limit, depth - 1)
    yield "}"


def _text(reader: Reader, limit: int) -> str:
    """A str or bytes, or joined str; of long ones the beginning."""
    tag = reader.take(1)
    size = _size(reader)
    content = reader.data[reader.at : reader.at + min(size, 4 * limit)]
    reader.at += size
    if tag == b"s":
        return repr(content)
    try:
        text = content.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        text = content.decode("utf-8", "replace")
    if tag == b"u":
        return repr(text)
    opening, closing = "[]" if tag == b"w" else "()"
    return opening + ", ".join(map(repr, text.split("\0"))) + closing


def _size(reader: Reader) -> int:
    """Not `Reader.size`: what it counts may be cut off here."""
    return int.from_bytes(reader.take(4), "little")


def _named(reader: Reader, limit: int, depth: int) -> Iterator[str]:
    tag = reader.take(1).decode("latin-1")
    name = "".join(letter if letter.isprintable() else "?" for letter in reader.name())
    if tag == "o":
        yield f"<{name} object>"
        return
    yield _WRAPPED.get(tag, f"{name}(")
    yield from _pieces(reader, limit, depth - 1)
    yield ")"


def _scalar(value: object, tag: str) -> str:
    if isinstance(value, int) and value.bit_length() > _INT_BITS:
        return f"<int of {value.bit_length()} bits>"
    if tag == "d":
        ratio = Decimal(value.numerator) / value.denominator if isinstance(value, Fraction) else value
        return f"Decimal('{ratio}')"
    return repr(value)
