"""EvalPlus's comparison of one value with the expected one, on revived values.

It follows `evalplus/eval/__init__.py` at commit 26d6d00.

Decisions, each as EvalPlus HEAD behaves:
- Python's `==` comes first: True equals 1, a Counter its dict, numpy's 0.5 Python's, a named tuple its tuple.
- Then, where a tolerance applies, types must be identical (numpy's float is not Python's) and lengths equal.
- The tolerance is the task's; or 1e-6 from the first test on whose expected value is made of floats, and for all
  later tests of the same sample and suite, whatever they expect.
- NaN never passes. What raises while it is compared (an array's truth value, a missing length) fails, and if it
  raises before the tolerance is looked at, that is not switched on either.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import chain
from typing import Any

from evalplus_run.judge.revive import MADE_UP
from evalplus_run.records import Arguments

RTOL = 1e-7
FLOAT_ATOL = 1e-6

ExactMatch = Callable[[Any, Any, Any, Arguments, float], Any]
"""(result of `==`, value, expected, arguments, atol) to what EvalPlus takes for an exact match; to raise is to fail."""

_BROADCAST = 1 << 20
_ONLY_FLOATS = frozenset((float,))


def compare(
    out: Any, expected: Any, arguments: Arguments, atol: float, oracle: ExactMatch | None
) -> tuple[bool, float]:
    """Whether the value passes, and the tolerance that the sample's next test starts with."""
    try:
        exact = out == expected
        if oracle is not None:
            exact = oracle(exact, out, expected, arguments, atol)
    except Exception:  # an error in the comparison is a failed test
        return False, atol
    if atol == 0 and is_floats(expected):
        atol = FLOAT_ATOL
    try:
        return bool(exact) or (atol != 0 and _close(out, expected, atol)), atol
    except Exception:
        return False, atol


def is_floats(value: Any) -> bool:
    """A float, a list or tuple of floats only and of one at least, or an array of 32 or 64-bit floats."""
    if isinstance(value, float):
        return True
    if isinstance(value, (list, tuple)):
        return bool(value) and all(isinstance(item, float) for item in value)
    return type(value).__name__ == "ndarray" and value.dtype.name in ("float32", "float64")


def _close(out: Any, expected: Any, atol: float) -> bool:
    if type(out) is not type(expected) or type(out) in MADE_UP:
        return False
    if type(expected) is float:
        return _near(out, expected, atol)
    if isinstance(expected, (list, tuple)) and len(out) != len(expected):
        return False
    if type(expected) in (list, tuple) and _ONLY_FLOATS.issuperset(map(type, chain(out, expected))):
        return all(_near(got, wanted, atol) for got, wanted in zip(out, expected, strict=True))
    return _allclose(out, expected, atol)


def _near(out: float, expected: float, atol: float) -> bool:
    """As `numpy.isclose`, at a fraction of its price."""
    return out == expected or (math.isfinite(expected) and abs(out - expected) <= atol + RTOL * abs(expected))


def _allclose(out: Any, expected: Any, atol: float) -> bool:
    import numpy

    left, right = numpy.asanyarray(out), numpy.asanyarray(expected)
    if numpy.broadcast(left, right).size > max(left.size, right.size, _BROADCAST):
        return False
    with numpy.errstate(all="ignore"):
        # Not `left` and `right`: numpy treats Python's own ints otherwise, however large.
        return bool(numpy.allclose(out, expected, rtol=RTOL, atol=atol))
