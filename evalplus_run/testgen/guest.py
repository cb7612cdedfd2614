"""Runs in the sandbox: a reference and its mutants on one input after the other, and what each of them did.

The text of this file is put in front of a program that calls `observer`; so it imports the standard library only.
"""

from collections.abc import Callable, Iterator
from typing import Any

Observed = tuple[str, Any, tuple[int, ...], int, int, tuple[int, ...]]

_Generator = type(_ for _ in ())
_TOLERANCE = 1e-6
_DEPTH = 40
_MOST_BITS = 100_000
_MOST_ITEMS = 100_000
_LARGEST = 4000
"""Of a value, about as `values.size` counts: a test shows it to people, and each program's run sends it."""


class _Exhausted(BaseException):
    """More steps than a program may take."""


class _Probes:
    """What an instrumented program calls."""

    def __init__(self) -> None:
        self.seen: set[int] = set()
        self.steps = 0
        self.limit = 0

    def names(self) -> dict[str, Any]:
        """As `branches` calls them."""
        return {
            "__condition__": self.condition,
            "__iterated__": self.iterated,
            "__entered__": self.entered,
            "__step__": self.step,
            "__consumed__": self.consumed,
            "__times__": _times,
            "__power__": _power,
            "__shifted__": _shifted,
        }

    def step(self) -> None:
        self.steps += 1
        if self.steps > self.limit:
            raise _Exhausted

    def entered(self, number: int) -> None:
        self.seen.add(number)
        self.step()

    def condition(self, number: int, value: Any) -> Any:
        self.seen.add(number + bool(value))
        return value

    def iterated(self, number: int, iterable: Any) -> "Iterator[Any]":
        taken = 0
        for item in iterable:
            if not taken:
                self.seen.add(number + 1)
                taken = 1
            self.step()
            yield item
        if not taken:
            self.seen.add(number)

    def consumed(self, value: Any) -> Any:
        """What a builtin takes at once; an instrumented generator counts by itself."""
        kind = type(value)
        if kind is range:
            self.steps += max(0, (value.stop - value.start) // value.step)
            self.step()
        elif hasattr(value, "__next__") and kind.__module__ in ("builtins", "itertools") and kind is not _Generator:
            return self.counted(value)
        return value

    def counted(self, iterator: "Iterator[Any]") -> "Iterator[Any]":
        for item in iterator:
            if type(item) is tuple:
                self.steps += len(item) // 8  # combinations of many take their time
            self.step()
            yield item


def _times(first: Any, second: Any) -> Any:
    for one, other in ((first, second), (second, first)):
        if isinstance(one, int):
            if isinstance(other, int) and one.bit_length() + other.bit_length() > _MOST_BITS:
                raise _Exhausted
            if isinstance(other, (str, list, tuple, bytes)) and one * len(other) > _MOST_ITEMS:
                raise _Exhausted
    return first * second


def _power(first: Any, second: Any) -> Any:
    if isinstance(first, int) and isinstance(second, int) and first.bit_length() * abs(second) > _MOST_BITS:
        raise _Exhausted
    return first**second


def _shifted(first: Any, second: Any) -> Any:
    if isinstance(first, int) and isinstance(second, int) and first.bit_length() + second > _MOST_BITS:
        raise _Exhausted
    return first << second


class _Variant:
    """One program, loaded, with probes of its own."""

    def __init__(self, source: str, entry_point: str) -> None:
        self.probes = _Probes()
        self.probes.limit = 1_000_000
        self.names: dict[str, Any] = {"__name__": "solution", **self.probes.names()}
        exec(compile(source, "<variant>", "exec"), self.names)  # noqa: S102 - this is the sandbox
        self.function: Callable[..., Any] = self.names[entry_point]

    def call(self, arguments: Any, limit: int) -> Any:
        """The value; raises what the program raises, and _Exhausted."""
        probes = self.probes
        probes.seen.clear()
        probes.steps, probes.limit = 0, limit
        value = self.function(*_copied(arguments))
        if isinstance(value, (map, filter, zip, range)) or hasattr(value, "__next__"):
            value = list(value)
        return value

    def run(self, arguments: Any, limit: int) -> "tuple[str, Any]":
        """(how it ended, the value): `returned`, `exhausted`, or the name of an exception."""
        try:
            return "returned", self.call(arguments, limit)
        except _Exhausted:
            return "exhausted", None
        except BaseException as error:
            return type(error).__name__, None


def _copied(value: Any) -> Any:
    kind = type(value)
    if kind is list:
        return [_copied(item) for item in value]
    if kind is tuple:
        return tuple([_copied(item) for item in value])
    if kind is dict:
        return {key: _copied(item) for key, item in value.items()}
    if kind is set:
        return set(value)
    return value


def _room(value: Any, left: int) -> int:
    """What is left of so much room beside a value; below 0 where it is too large."""
    if isinstance(value, (str, bytes)):
        return left - 1 - len(value)
    left -= 1
    if isinstance(value, int):
        return left - value.bit_length() // 16
    if isinstance(value, (list, tuple, set, frozenset, dict)):
        for item in (*value, *value.values()) if isinstance(value, dict) else value:
            left = _room(item, left)
            if left < 0:
                break
    return left


def _same(first: Any, second: Any, depth: int = _DEPTH) -> bool:
    """Nearly as a judge says it; what cannot be compared differs."""
    if depth == 0:
        return False
    if type(first) is float or type(second) is float:
        try:
            return bool(first == second or abs(first - second) <= _TOLERANCE + _TOLERANCE * abs(second))
        except Exception:
            return False
    if type(first) is type(second) and type(first) in (list, tuple):
        return len(first) == len(second) and all(_same(a, b, depth - 1) for a, b in zip(first, second, strict=True))
    try:
        return bool(first == second)
    except Exception:
        return False


def observer(sources: "list[str]", entry_point: str, contract: str, limit: int) -> "Callable[..., Observed]":
    """What runs all programs on one input; the first of `sources` is the reference.

    It gives (how the reference ended, its value, the outcomes that ran, its steps, those of all programs, the mutants
    that differ). How it ended is `returned`, `contract`, `exhausted`, `too large`, `unsteady` (another value when it
    is run again), or an exception.
    """
    reference = _Variant(sources[0], entry_point)
    accepts = None
    if contract:
        exec(compile(contract, "<contract>", "exec"), reference.names)  # noqa: S102 - this is the sandbox
        accepts = reference.names["__contract__"]
    mutants: list[_Variant | None] = []
    for source in sources[1:]:
        try:
            mutants.append(_Variant(source, entry_point))
        except BaseException:
            mutants.append(None)

    def observe(*arguments: Any) -> Observed:
        if accepts is not None:
            reference.probes.steps, reference.probes.limit = 0, limit
            try:
                accepts(*_copied(arguments))
            except BaseException:
                return "contract", None, (), 0, reference.probes.steps, ()
        how, value = reference.run(arguments, limit)
        seen, steps = tuple(sorted(reference.probes.seen)), reference.probes.steps
        if how != "returned":
            return how, None, seen, steps, steps, ()
        if _room(value, _LARGEST) < 0:
            return "too large", None, seen, steps, steps, ()
        again, other = reference.run(arguments, limit)
        if again != "returned" or not _same(value, other):
            return "unsteady", None, seen, steps, 2 * steps, ()
        killed = []
        total = 2 * steps
        for number, mutant in enumerate(mutants):
            if mutant is None:
                killed.append(number)
                continue
            how, other = mutant.run(arguments, 4 * steps + 1000)
            total += mutant.probes.steps
            if how != "returned" or not _same(other, value):
                killed.append(number)
        return "returned", value, seen, steps, total, tuple(killed)

    return observe


def bounded(source: str, entry_point: str, limit: int, in_all: int) -> "Callable[..., Any]":
    """A program's entry point that raises _Exhausted after so many steps on one input, or on all inputs together.

    `source` is instrumented.
    """
    variant = _Variant(source, entry_point)
    left = in_all

    def call(*arguments: Any) -> Any:
        nonlocal left
        try:
            return variant.call(arguments, min(limit, left))
        finally:
            left -= variant.probes.steps

    return call
