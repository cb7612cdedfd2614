"""What a task's inputs have in common beside their kinds, and inputs made to have it too.

An order, lengths that agree, rows of one length: a reference may lean on them without a word in its contract, and a
right program may too. Where there is no contract, signs and indices that fit stay so as well. A relation is taken for
one when inputs enough show it, and none contradicts it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any, Protocol

from evalplus_run.records import Arguments

_SHOWN = 2
"""Inputs that must show a relation in a way that chance seldom does."""
_LONG = 3
"""Items of a list whose order tells something."""


class Relation(Protocol):
    """One relation."""

    def holds(self, arguments: Arguments) -> bool:
        """Whether an input has it."""

    def shows(self, arguments: Arguments) -> bool:
        """Whether an input that has it could easily not."""

    def repair(self, arguments: list[Any]) -> None:
        """Give it to an input."""


@dataclass(frozen=True, slots=True)
class Sorted:
    """The items of a list do not fall, or do not rise."""

    place: int
    falling: bool

    def holds(self, arguments: Arguments) -> bool:
        """As `Relation` says."""
        value = arguments[self.place]
        return isinstance(value, list) and _sorted(value, falling=self.falling) == value

    def shows(self, arguments: Arguments) -> bool:
        """As `Relation` says."""
        return len(arguments[self.place]) >= _LONG and arguments[self.place][0] != arguments[self.place][-1]

    def repair(self, arguments: list[Any]) -> None:
        """As `Relation` says."""
        arguments[self.place] = _sorted(arguments[self.place], falling=self.falling) or arguments[self.place]


@dataclass(frozen=True, slots=True)
class SameLength:
    """Two arguments are of one length."""

    first: int
    second: int

    def holds(self, arguments: Arguments) -> bool:
        """As `Relation` says."""
        first, second = arguments[self.first], arguments[self.second]
        return _is_sized(first) and _is_sized(second) and len(first) == len(second)

    def shows(self, arguments: Arguments) -> bool:
        """As `Relation` says."""
        return len(arguments[self.first]) > 1

    def repair(self, arguments: list[Any]) -> None:
        """As `Relation` says."""
        length = min(len(arguments[self.first]), len(arguments[self.second]))
        for place in (self.first, self.second):
            arguments[place] = arguments[place][:length]


@dataclass(frozen=True, slots=True)
class IsLength:
    """A number is the length of another argument, or one less."""

    number: int
    of: int
    less: int

    def holds(self, arguments: Arguments) -> bool:
        """As `Relation` says."""
        number, value = arguments[self.number], arguments[self.of]
        return type(number) is int and _is_sized(value) and number == len(value) - self.less

    def shows(self, arguments: Arguments) -> bool:
        """As `Relation` says."""
        return len(arguments[self.of]) > 1

    def repair(self, arguments: list[Any]) -> None:
        """As `Relation` says."""
        arguments[self.number] = len(arguments[self.of]) - self.less


@dataclass(frozen=True, slots=True)
class Rectangular:
    """All rows of a list are of one length."""

    place: int

    def holds(self, arguments: Arguments) -> bool:
        """As `Relation` says."""
        rows = arguments[self.place]
        return isinstance(rows, list) and all(map(_is_sized, rows)) and len({len(row) for row in rows}) <= 1

    def shows(self, arguments: Arguments) -> bool:
        """As `Relation` says."""
        rows = arguments[self.place]
        return len(rows) > 1 and len(rows[0]) > 1

    def repair(self, arguments: list[Any]) -> None:
        """As `Relation` says."""
        rows = arguments[self.place]
        length = min(map(len, rows), default=0)
        arguments[self.place] = [row[:length] for row in rows]


@dataclass(frozen=True, slots=True)
class NotBelow:
    """No number in an argument is below 0, or below 1."""

    place: int
    least: int

    def holds(self, arguments: Arguments) -> bool:
        """As `Relation` says."""
        found = list(_numbers(arguments[self.place]))
        return all(number >= self.least for number in found)

    def shows(self, arguments: Arguments) -> bool:
        """As `Relation` says."""
        return any(True for _ in _numbers(arguments[self.place]))

    def repair(self, arguments: list[Any]) -> None:
        """As `Relation` says."""
        arguments[self.place] = _raised(arguments[self.place], self.least)


@dataclass(frozen=True, slots=True)
class Within:
    """A number is an index of another argument, or its length."""

    number: int
    of: int

    def holds(self, arguments: Arguments) -> bool:
        """As `Relation` says."""
        number, value = arguments[self.number], arguments[self.of]
        return type(number) is int and _is_sized(value) and 0 <= number <= len(value)

    def shows(self, arguments: Arguments) -> bool:
        """As `Relation` says."""
        return len(arguments[self.of]) > 1

    def repair(self, arguments: list[Any]) -> None:
        """As `Relation` says."""
        arguments[self.number] = min(max(arguments[self.number], 0), len(arguments[self.of]))


@dataclass(frozen=True, slots=True)
class NotEmpty:
    """A container or text is never empty."""

    place: int

    def holds(self, arguments: Arguments) -> bool:
        """As `Relation` says."""
        return _is_sized(arguments[self.place]) and len(arguments[self.place]) > 0

    def shows(self, arguments: Arguments) -> bool:
        """As `Relation` says."""
        return True

    def repair(self, arguments: list[Any]) -> None:
        """There is nothing to make an item of: the search refuses what is left."""


def relations(seeds: Sequence[Arguments], *, has_contract: bool) -> list[Relation]:
    """Those that the inputs show, in the order in which they are to be repaired."""
    if not seeds or len({len(seed) for seed in seeds}) > 1:
        return []
    return [each for each in _possible(len(seeds[0]), has_contract=has_contract) if _is_shown(each, seeds)]


def repaired(arguments: Arguments, known: Sequence[Relation]) -> Arguments:
    """The input with all relations that can be given to it."""
    changed = list(arguments)
    for relation in known:
        # An argument that may be None has no length or order then: it is left as it is, and the relation does not hold.
        with contextlib.suppress(TypeError):
            relation.repair(changed)
    return tuple(changed)


def _possible(places: int, *, has_contract: bool) -> Iterator[Relation]:
    for place in range(places):
        yield Rectangular(place)
    for first, second in permutations(range(places), 2):
        if first < second:
            yield SameLength(first, second)
    if not has_contract:
        for place in range(places):
            yield NotBelow(place, 1)
            yield NotBelow(place, 0)
            yield NotEmpty(place)
    for place in range(places):
        yield Sorted(place, falling=False)
        yield Sorted(place, falling=True)
    for first, second in permutations(range(places), 2):
        yield from (IsLength(first, second, less) for less in (0, 1))
        if not has_contract:
            yield Within(first, second)


def _is_shown(relation: Relation, seeds: Sequence[Arguments]) -> bool:
    if not all(map(relation.holds, seeds)):
        return False
    return len({repr(seed) for seed in seeds if relation.shows(seed)}) >= _SHOWN


def _sorted(items: list[Any], *, falling: bool) -> list[Any] | None:
    try:
        return sorted(items, reverse=falling)
    except TypeError:
        return None


def _is_sized(value: Any) -> bool:
    return isinstance(value, (list, tuple, str))


def _numbers(value: Any) -> Iterator[float]:
    if isinstance(value, (list, tuple)):
        for item in value:
            yield from _numbers(item)
    elif type(value) in (int, float):
        yield value


def _raised(value: Any, least: int) -> Any:
    """With numbers that are too small turned to the other side."""
    if isinstance(value, (list, tuple)):
        return type(value)(_raised(item, least) for item in value)
    return max(abs(value), least) if type(value) in (int, float) and value < least else value
