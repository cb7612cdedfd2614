"""JSON in and out: any text can be written; whatever is wrong with what came from outside is a ValueError in words."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeVar, cast

import msgspec

Value = TypeVar("Value")

LONGEST_INTEGER = 100_000
"""Digits of an integer in a file of tests; reading one takes time that grows with their square."""
_TOO_DEEP = "its values are nested too deeply"


def encode(value: Any, *, is_sorted: bool = False, indent: int = 0) -> bytes:
    """Records and plain values as JSON text: on one line, or indented for people; its keys sorted if that is asked."""
    try:
        text = msgspec.json.encode(value, order="sorted" if is_sorted else None)
        return msgspec.json.format(text, indent=indent) if indent else text
    except UnicodeEncodeError:
        # Half a surrogate pair, as in a file name that is not UTF-8: UTF-8 cannot hold it, but JSON can, escaped.
        plain = msgspec.to_builtins(value, str_keys=True)
        return json.dumps(plain, sort_keys=is_sorted, indent=indent or None).encode()


def printable(value: Any) -> str:
    """As `encode`, indented and in ASCII, so that no name in it moves a terminal that it is printed on."""
    return json.dumps(decode(encode(value)), indent=2)


def decode(content: bytes) -> Any:
    """The value of a JSON text in UTF-8, lone surrogates and NaN allowed. Raises ValueError."""
    try:
        return json.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise ValueError("it is not UTF-8 text") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"it is not JSON: {error.msg} at column {error.colno}") from None
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None
    except ValueError:
        raise ValueError(f"it holds an integer of more than {sys.get_int_max_str_digits():,} digits") from None


def decode_as(content: bytes, decoder: msgspec.json.Decoder[Value]) -> Value:
    """The value of a JSON text as the decoder's type. Raises ValueError."""
    try:
        return decoder.decode(content)
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None
    except msgspec.ValidationError:
        raise
    except msgspec.DecodeError:
        # A lone surrogate, escaped, is JSON for the standard library only; what is broken raises there too.
        return convert(decode(content), cast("type[Value]", decoder.type))


def convert(value: Any, kind: type[Value]) -> Value:
    """A decoded value as this type. Raises ValueError."""
    try:
        return msgspec.convert(value, kind, str_keys=True)
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None


@contextmanager
def long_integers() -> Iterator[None]:
    """Inside, integers of up to LONGEST_INTEGER digits are read and become text; Python's own limit is 4,300."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(LONGEST_INTEGER)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(before)
