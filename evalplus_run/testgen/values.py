"""Plain values as inputs are made of: a key to know them by, their size, a copy."""

from __future__ import annotations

import math
from typing import Any

_LONG = 1000
"""Bits."""


def key(value: Any) -> str:
    """Equal for the same value of the same types, whatever the order of sets; dictionaries keep their order."""
    if isinstance(value, (set, frozenset)):
        return f"{type(value).__name__}({','.join(sorted(map(key, value)))})"
    if isinstance(value, dict):
        return f"{{{','.join(f'{key(k)}:{key(v)}' for k, v in value.items())}}}"
    if isinstance(value, list):
        return f"[{','.join(map(key, value))}]"
    if isinstance(value, tuple):
        return f"({','.join(map(key, value))},)"
    # Decimals of a long number take time, and have a limit.
    return hex(value) if type(value) is int and value.bit_length() > _LONG else repr(value)


def size(value: Any) -> int:
    """Characters and digits of texts and numbers, and one for each container: what an input costs to send and show."""
    if isinstance(value, dict):
        return 1 + sum(size(k) + size(v) for k, v in value.items())
    if isinstance(value, (list, tuple, set, frozenset)):
        return 1 + sum(map(size, value))
    if isinstance(value, (str, bytes)):
        return 1 + len(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return 1 + value.bit_length() // 16
    return 1


def is_finite(value: Any) -> bool:
    """Whether no float in it is infinite or NaN, which JSON cannot hold."""
    if isinstance(value, dict):
        return all(is_finite(k) and is_finite(v) for k, v in value.items())
    if isinstance(value, (list, tuple, set, frozenset)):
        return all(map(is_finite, value))
    if isinstance(value, float):
        return math.isfinite(value)
    return not isinstance(value, complex) or (math.isfinite(value.real) and math.isfinite(value.imag))
