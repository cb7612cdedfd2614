"""The tasks of HumanEval+ and MBPP+ on which more than one value is right.

The `evalplus` side follows `evalplus/eval/_special_oracle.py` at commit 26d6d00.

An oracle belongs to a task's id and entry point together, so no other benchmark is touched. Under `evalplus` it gives
what EvalPlus takes for an exact match. Under `strict`:
- HumanEval/32: as EvalPlus; any root within the tolerance.
- Mbpp/164, /295: the expected value alone; EvalPlus passes everything, and 0.
- Mbpp/581, /558: as EvalPlus, the other reading of the statement too.
- Tasks compared as sets: order and repetition do not count; a collection of any kind will do, an iterator too, but not
  a dict or a text, whose items are not what is asked for.
- Tasks that ask whether something matches: as EvalPlus; a bool stands for itself, of all else whether it is not None.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from evalplus_run.judge.evalplus import FLOAT_ATOL, ExactMatch
from evalplus_run.judge.hashing import Distinct
from evalplus_run.judge.strict import NUMBERS, WRONG_VALUE, difference, wrong_type
from evalplus_run.judge.values import Foreign
from evalplus_run.records import Arguments, Task

Difference = Callable[[Any, Any, Arguments, float], str]
"""(lowered value, lowered expected, arguments, atol) to what is wrong; empty if nothing is."""


@dataclass(frozen=True, slots=True)
class Oracle:
    """How one task's values are compared; None where a profile has nothing of its own."""

    evalplus: ExactMatch
    strict: Difference | None = None
    as_set: bool = False
    trusts_equality: bool = True
    """Whether a value equal to the expected one passes for sure."""
    needs_value: bool = True
    """Whether more of a value counts than that it is there."""


def oracle_of(task: Task) -> Oracle | None:
    """The task's oracle, if it has one."""
    return _ORACLES.get((task.task_id, task.entry_point))


def collects(task: Task) -> bool:
    """Whether iterators that a program returns are to be consumed, since only the items count."""
    oracle = oracle_of(task)
    return oracle is not None and oracle.as_set


_ROOT_ATOL = 1e-4


def _root(_exact: Any, out: Any, _expected: Any, arguments: Arguments, atol: float) -> bool:
    (coefficients,) = arguments
    value = sum(coefficient * math.pow(out, power) for power, coefficient in enumerate(coefficients))
    # Plain HumanEval has no atol field: 1e-4 is its own check's.
    if not abs(value) <= (atol or _ROOT_ATOL):
        raise ArithmeticError("not a root")  # as in EvalPlus, nothing else can make it pass
    return True


def _strict_root(out: Any, expected: Any, arguments: Arguments, atol: float) -> str:
    if type(out) not in NUMBERS:
        return wrong_type(out, expected)
    try:
        return "" if _root(None, out, expected, arguments, atol) else WRONG_VALUE
    except (ArithmeticError, ValueError, TypeError):
        return WRONG_VALUE


def _pyramid(arguments: Arguments) -> int:
    base, height = arguments
    area: int = round(base**2 + 2 * base * math.sqrt((base / 2) ** 2 + height**2))
    return area


def _digit_distance(arguments: Arguments) -> int:
    first, second = (str(number) for number in arguments)
    width = max(len(first), len(second))
    return sum(abs(int(a) - int(b)) for a, b in zip(first.zfill(width), second.zfill(width), strict=True))


def _surface(exact: Any, out: Any, _expected: Any, arguments: Arguments, atol: float) -> Any:
    return exact or abs(out - _pyramid(arguments)) <= atol


def _strict_surface(out: Any, expected: Any, arguments: Arguments, atol: float) -> str:
    found = difference(out, expected, atol)
    return found if found and difference(out, _pyramid(arguments), atol or FLOAT_ATOL) else ""


def _digits(exact: Any, out: Any, _expected: Any, arguments: Arguments, _atol: float) -> Any:
    return exact or out == _digit_distance(arguments)


def _strict_digits(out: Any, expected: Any, arguments: Arguments, atol: float) -> str:
    found = difference(out, expected, atol)
    try:
        return found if found and difference(out, _digit_distance(arguments), atol) else ""
    except ValueError:  # a sign is no digit
        return found


def _as_set(members: Iterable[Any]) -> set[Any]:
    return set(Distinct().of(members))


def _same_set(_exact: Any, out: Any, expected: Any, _arguments: Arguments, _atol: float) -> bool:
    return _as_set(out) == _as_set(expected)


def _strict_same_set(out: Any, expected: Any, _arguments: Arguments, atol: float) -> str:
    members = _members(out)
    if not isinstance(members, (list, tuple, frozenset)):
        return wrong_type(out, expected)
    try:
        same = _as_set(members) == _as_set(_members(expected))
    except TypeError:
        return "wrong_type: an unhashable member"
    return "" if same else difference(out, expected, atol)


def _members(value: Any) -> Any:
    return value.value if isinstance(value, Foreign) and value.kind == "iterable" else value


def _presence(_exact: Any, out: Any, expected: Any, _arguments: Arguments, _atol: float) -> bool:
    return (out if isinstance(out, bool) else out is not None) == (expected is not None)


def _strict_presence(out: Any, expected: Any, arguments: Arguments, atol: float) -> str:
    return "" if _presence(None, out, expected, arguments, atol) else WRONG_VALUE


_SETS = Oracle(_same_set, _strict_same_set, as_set=True)
_PRESENCE = Oracle(_presence, _strict_presence, trusts_equality=False, needs_value=False)
_ORACLES = {
    ("HumanEval/32", "find_zero"): Oracle(_root, _strict_root, trusts_equality=False),
    ("Mbpp/164", "are_equivalent"): Oracle(lambda exact, *_: exact or True),
    ("Mbpp/295", "sum_div"): Oracle(lambda exact, out, *_: exact or out == 0),
    ("Mbpp/581", "surface_Area"): Oracle(_surface, _strict_surface),
    ("Mbpp/558", "digit_distance_nums"): Oracle(_digits, _strict_digits),
    ("Mbpp/2", "similar_elements"): _SETS,
    ("Mbpp/7", "find_char_long"): _SETS,
    ("Mbpp/111", "common_in_nested_lists"): _SETS,
    ("Mbpp/140", "extract_singly"): _SETS,
    ("Mbpp/232", "larg_nnum"): _SETS,
    ("Mbpp/249", "intersection_array"): _SETS,
    ("Mbpp/579", "find_dissimilar"): _SETS,
    ("Mbpp/769", "Diff"): _SETS,
    ("Mbpp/737", "check_str"): _PRESENCE,
    ("Mbpp/787", "text_match_three"): _PRESENCE,
    ("Mbpp/794", "text_starta_endb"): _PRESENCE,
}
