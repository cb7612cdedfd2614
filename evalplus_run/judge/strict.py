"""The strict comparison of one value with the expected one: each test stands alone.

Decisions:
- Numbers are compared by value, whatever their types (bool and numpy's too), also inside lists, tuples, dicts, sets.
- Where a float is expected they may differ by atol + 1e-7 times the expected; atol is the task's, or 1e-6.
- Where an int is expected, a float may differ by the task's atol alone; an int must be the same int.
- NaN equals NaN, an infinity only itself.
- A tuple is no list, a text no number, an array no list. A subclass counts as its base class (a Counter is a dict),
  a dict's keys or items as a set, a bytearray as bytes, as they do for Python's `==`.
- Arrays are compared by shape and numbers, whatever their dtypes.
- Dicts need equal keys and near values. Sets of numbers are compared in ascending order, other sets by `==`.
- A value that could not be carried over (Opaque) equals nothing.
"""

from __future__ import annotations

import cmath
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any

from evalplus_run.judge.evalplus import FLOAT_ATOL, RTOL
from evalplus_run.judge.hashing import Distinct
from evalplus_run.judge.values import Foreign, Opaque

WRONG_VALUE = "wrong value"
NAN = float("nan")
"""The one that stands for all in lowered values, so that containers find it by identity."""
NUMBERS = (int, float, bool, complex, Fraction)
_UNWRAPPED = ("numpy scalar", "subclass", "bytearray")


def lower(value: Any) -> Any:
    """The value with subclasses, numpy's numbers and dict keys as plain builtins, and one NaN for all."""
    kind = type(value)
    if kind is float:
        return value if value == value else NAN  # noqa: PLR0124 - NaN
    if kind is list or kind is tuple:
        return kind([lower(item) for item in value])
    # What differed as it was written may collide once it is plain.
    if kind is dict:
        items = [(lower(key), lower(item)) for key, item in value.items()]
        Distinct().of([key for key, _ in items])
        return dict(items)
    if kind is set or kind is frozenset:
        return frozenset(Distinct().of([lower(item) for item in value]))
    return _lower_foreign(value) if kind is Foreign else value


def _lower_foreign(value: Foreign) -> Any:
    content = lower(value.value)
    if value.kind in _UNWRAPPED or type(content) is frozenset:
        return content
    if value.kind == "dict view":
        try:
            return frozenset(Distinct().of(content.items()))
        except TypeError:  # items that no set can hold
            pass
    return Foreign(value.kind, value.name, content)


def difference(out: Any, expected: Any, atol: float) -> str:
    """What is wrong with a lowered value, in a few words; empty if nothing is."""
    if type(out) in NUMBERS and type(expected) in NUMBERS:
        return "" if near(out, expected, atol) else WRONG_VALUE
    if type(out) is not type(expected) or type(out) is Opaque:
        return wrong_type(out, expected)
    compare = _OF_CONTAINERS.get(type(expected))
    if compare is not None:
        return compare(out, expected, atol)
    return "" if out == expected else WRONG_VALUE


def near(out: Any, expected: Any, atol: float) -> bool:
    """Whether a number is within the tolerance of the expected one."""
    if out == expected or (out is NAN and expected is NAN):
        return True
    if type(expected) in (float, complex):
        atol = atol or FLOAT_ATOL
    elif type(expected) is bool or type(out) in (int, bool):
        return False
    try:
        return atol > 0 and cmath.isfinite(expected) and abs(out - expected) <= atol + RTOL * abs(expected)
    except OverflowError:
        return False


def wrong_type(out: Any, expected: Any) -> str:
    """Says which type came in place of which."""
    if type(out) is Opaque:
        return f"unsupported return type {out.type_name}"
    return f"wrong_type: {_type_of(out)} for {_type_of(expected)}"


def _type_of(value: Any) -> str:
    if isinstance(value, Foreign):
        return f"{value.kind} ({value.name})"
    return "None" if value is None else type(value).__name__


def _sequences(out: Any, expected: Any, atol: float) -> str:
    if len(out) != len(expected):
        return WRONG_VALUE
    return _first(difference(got, wanted, atol) for got, wanted in zip(out, expected, strict=True))


def _dicts(out: dict[Any, Any], expected: dict[Any, Any], atol: float) -> str:
    if out.keys() != expected.keys():
        return WRONG_VALUE
    return _first(difference(out[key], wanted, atol) for key, wanted in expected.items())


def _sets(out: frozenset[Any], expected: frozenset[Any], atol: float) -> str:
    if out == expected:
        return ""
    if len(out) != len(expected) or not _sortable(out) or not _sortable(expected):
        return WRONG_VALUE
    return _sequences(sorted(out), sorted(expected), atol)


def _foreign(out: Foreign, expected: Foreign, atol: float) -> str:
    if out.kind == expected.kind == "numpy array":
        return difference(out.value, expected.value, atol)
    return "" if out == expected else wrong_type(out, expected)


def _sortable(members: Iterable[Any]) -> bool:
    return all(type(member) in (int, float, bool, Fraction) and member is not NAN for member in members)


def _first(differences: Iterable[str]) -> str:
    return next(filter(None, differences), "")


_OF_CONTAINERS: Mapping[type, Callable[[Any, Any, float], str]] = {
    list: _sequences,
    tuple: _sequences,
    dict: _dicts,
    frozenset: _sets,
    Foreign: _foreign,
}
