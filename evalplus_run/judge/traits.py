"""What the bytes of an expected value tell without decoding it, in most cases."""

from __future__ import annotations

import struct

from evalplus_run.judge.decode import MARK, decode
from evalplus_run.judge.evalplus import is_floats
from evalplus_run.judge.oracles import oracle_of
from evalplus_run.judge.revive import revive
from evalplus_run.judge.values import Foreign, Malformed, Opaque
from evalplus_run.records import Task

_HEAD = 5
"""Bytes of a list's tag and count."""
_FLOAT = 9
_FLOATS_FIRST = b"g!nk"
"""Tags that the first item of a list of floats can have; MARK begins with one of them."""


def equals_its_copy(payload: bytes) -> bool:
    """Whether a value with the same bytes equals it for Python: not where there is NaN, an array, an opaque value."""
    return MARK not in payload


def representable(payload: bytes, task: Task | None = None) -> bool:
    """Whether an encoded value is carried whole, with nothing opaque in it, as far as the task's oracle needs it."""
    oracle = oracle_of(task) if task else None
    if equals_its_copy(payload) or (oracle and not oracle.needs_value):
        return True
    try:
        return not holds_opaque(decode(payload))
    except Malformed:
        return False


def made_of_floats(payload: bytes) -> bool:
    """Whether an encoded value switches EvalPlus's tolerance on (`evalplus.is_floats`)."""
    tag, first = payload[:1], payload[_HEAD : _HEAD + 1]
    if tag == b"g":
        return True
    if tag in (b"[", b"("):
        if not first or first not in _FLOATS_FIRST:
            return False
        if begins_with_floats(payload) and len(payload) == _HEAD + _FLOAT * struct.unpack_from("<I", payload, 1)[0]:
            return True
    elif tag not in (b"n", b"k", b"!"):
        return False
    try:
        return is_floats(revive(decode(payload)))
    except Exception:  # what cannot be compared switches nothing on
        return False


def begins_with_floats(beginning: bytes) -> bool:
    """Whether a list or tuple begins with floats, as far as the bytes go; a float is its own beginning."""
    if beginning[:1] not in (b"[", b"("):
        return beginning[:1] == b"g"
    tags = beginning[_HEAD::_FLOAT]
    return bool(tags) and tags == b"g" * len(tags)


def holds_opaque(value: object) -> bool:
    """Whether there is anything in a decoded value of which only the type is known."""
    if isinstance(value, Foreign):
        return holds_opaque(value.value)
    if isinstance(value, dict):
        return any(holds_opaque(key) or holds_opaque(item) for key, item in value.items())
    if isinstance(value, (list, tuple, set, frozenset)):
        return any(map(holds_opaque, value))
    return isinstance(value, Opaque)
