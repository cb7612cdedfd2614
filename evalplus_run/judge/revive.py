"""From decoded values back to the objects that EvalPlus would have compared, so that Python's own `==` decides.

Only types from a fixed list are made: Counter, OrderedDict, dict views, bytearray, numpy's numbers and small arrays,
and one empty subclass of each builtin for all others. Names that a program chose are never looked up.
"""

from __future__ import annotations

import re
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping
from typing import Any

from evalplus_run.judge.hashing import Distinct
from evalplus_run.judge.values import Foreign, ForeignKind

_SCALAR = re.compile(r"[<>|=][biufcSU]\d{1,9}")
_ITEM = re.compile(r"[<>|=][biufcSU]\d{1,3}|\|O")
"""Items of at most some kilobytes, or plain objects."""
_CONTENT: Mapping[str, type] = {
    "b": bool, "i": int, "u": int, "f": float, "c": complex, "S": bytes, "U": str,
}  # fmt: skip
_LARGEST_ARRAY = 1000
"""Items. A comparison with a larger array is never true in EvalPlus, and broadcasting could make it costly."""
_BASES = (int, float, complex, str, bytes, list, tuple, set, frozenset, dict)
_SUBCLASSES: Mapping[type, type] = {base: type(f"subclass of {base.__name__}", (base,), {}) for base in _BASES}
MADE_UP = frozenset(_SUBCLASSES.values())
"""Types that stand for those that a program defines, so that no two values are of the same one."""
_OWN_EQUALITY: Mapping[str, type] = {"collections.Counter": Counter, "collections.OrderedDict": OrderedDict}


class Incomparable:
    """An array whose comparison raises, as the truth value of an array of several items does."""

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        raise ValueError("the truth value of an array is ambiguous")


def revive(value: Any) -> Any:
    """The value with every Foreign in it as a live object. Raises whatever a content that fits no type raises."""
    kind = type(value)
    if kind is Foreign:
        return _REVIVE[value.kind](value)
    if kind is list:
        return [revive(item) for item in value]
    if kind is tuple:
        return tuple([revive(item) for item in value])
    # What differed as it was written may collide once it lives.
    if kind is dict:
        items = [(revive(key), revive(item)) for key, item in value.items()]
        Distinct().of([key for key, _ in items])
        return dict(items)
    if kind is set or kind is frozenset:
        return kind(Distinct().of([revive(item) for item in value]))
    return value


def _scalar(foreign: Foreign) -> Any:
    # `bytes` of a number would be as many zeros, however many: the content must be of its type's own kind.
    if not _SCALAR.fullmatch(foreign.name) or type(foreign.value) is not _CONTENT[foreign.name[1]]:
        raise ValueError(foreign.name)
    import numpy

    return numpy.dtype(foreign.name).type(foreign.value)


def _array(foreign: Foreign) -> Any:
    if not _ITEM.fullmatch(foreign.name) or _count(foreign.value) > _LARGEST_ARRAY:
        return Incomparable()
    import numpy

    return numpy.array(revive(foreign.value), dtype=foreign.name)


def _count(value: Any) -> int:
    return sum(map(_count, value)) if type(value) is list else 1


def _subclass(foreign: Foreign) -> Any:
    content = revive(foreign.value)
    library = _OWN_EQUALITY.get(foreign.name)
    if library is not None and type(content) is dict:
        return library(content)
    return _SUBCLASSES[type(content)](content)


def _view(foreign: Foreign) -> Any:
    content = revive(foreign.value)
    return content.items() if type(content) is dict else dict.fromkeys(content).keys()


_REVIVE: Mapping[ForeignKind, Callable[[Foreign], Any]] = {
    "numpy scalar": _scalar,
    "numpy array": _array,
    "subclass": _subclass,
    "dict view": _view,
    "bytearray": lambda foreign: bytearray(memoryview(foreign.value)),  # of bytes, never of a number
    "iterable": lambda foreign: iter(revive(foreign.value)),
}
