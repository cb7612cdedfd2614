"""Which statements of a program stay: what its entry point needs, by Python's own meaning.

A statement stays if it binds a name that the entry point reaches, or changes what such a name stands for. All of
these stay in their order, so the last definition wins as in Python. What no one needs goes: tests, demonstrations,
prints, loops over `input()`, main guards, and imports that might fail.
"""

from __future__ import annotations

import builtins
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from evalplus_run.sanitize.demonstrations import demonstration
from evalplus_run.sanitize.names import Effects
from evalplus_run.sanitize.units import Unit

_BUILTINS = frozenset(dir(builtins)) | {"__file__", "__annotations__", "__builtins__"}


@dataclass(frozen=True, slots=True)
class Choice:
    """The statements that stay, in order, and why the others went."""

    kept: tuple[Unit, ...]
    dropped: tuple[tuple[str, Unit], ...]
    missing: frozenset[str]
    """Names that are needed and bound nowhere."""


def choose_definitions(units: Sequence[Unit], entry_point: str) -> Choice:
    """Keep what the entry point needs."""
    reasons = {index: reason for index, reason in enumerate(demonstration(units, entry_point)) if reason}
    search = _search(units, reasons, entry_point)
    while superseded := _superseded(units, sorted(search.kept)):
        reasons |= dict.fromkeys(superseded, "defined again")
        search = _search(units, reasons, entry_point)
    kept = [unit for index, unit in enumerate(units) if index in search.kept]
    left = [index for index in range(len(units)) if index not in search.kept]
    dropped = tuple((reasons.get(index, "not needed"), units[index]) for index in left)
    missing = frozenset() if any(unit.names.star for unit in kept) else search.missing
    return Choice(tuple(kept), dropped, missing)


def _search(units: Sequence[Unit], reasons: Mapping[int, str], entry_point: str) -> _Search:
    search = _Search(units, [index for index in range(len(units)) if index not in reasons], entry_point)
    search.need([entry_point])
    search.keep(search.stars())
    return search


class _Search:
    """The names that are needed and the statements that stay for them, as they are found."""

    def __init__(self, units: Sequence[Unit], eligible: Sequence[int], entry_point: str) -> None:
        self._units = units
        self._eligible = eligible
        self._entry_point = entry_point
        self.kept: set[int] = set()
        self.needed: set[str] = set()
        self._bound = {name for i in eligible for name in units[i].names.binds | units[i].names.later.changes}
        self._imported = {name for index in eligible for name in units[index].names.imports}
        self._defined = {name for index in eligible for name in units[index].names.defines}
        self._providers: dict[str, list[int]] = defaultdict(list)  # what binds or changes a name
        self._changed: set[str] = set()  # names whose objects some statement changes
        self._views: dict[str, list[set[str]]] = defaultdict(list)  # names bound to what a name stands for
        self._changers: dict[str, list[str]] = defaultdict(list)  # functions that change a name when called
        self._callers: dict[str, list[str]] = defaultdict(list)  # functions that use a function
        self._runners: dict[str, list[int]] = defaultdict(list)  # what runs a function at once
        self._active: set[str] = set()  # functions that change something needed
        self._deferred: list[tuple[int, str]] = []
        for index in eligible:
            self._index(index)

    def need(self, names: Iterable[str]) -> None:
        """Keep all that these names need."""
        self._follow(names)
        self.keep(index for index in self._eligible if self._stays_anyway(index))
        called = self.needed.copy()  # a call of these is a demonstration: the entry point calls them itself
        while self._deferred:
            index, function = self._deferred.pop()
            if function not in called:
                self.keep([index])

    def keep(self, indices: Iterable[int]) -> None:
        """Keep statements and what they need."""
        for index in indices:
            if index not in self.kept:
                self.kept.add(index)
                self._follow(self._units[index].names.uses)

    @property
    def missing(self) -> frozenset[str]:
        """Names that are needed and bound nowhere."""
        return frozenset(self.needed - self._bound - _BUILTINS)

    def stars(self) -> list[int]:
        """Star imports of other packages, if some name is missing that they may give."""
        return [index for index in self._eligible if self._units[index].names.star] if self.missing else []

    def _stays_anyway(self, index: int) -> bool:
        unit = self._units[index]
        star = (unit.names.star or "").partition(".")[0]
        return unit.names.sets_limits or unit.is_future_import or star in sys.stdlib_module_names

    def _index(self, index: int) -> None:
        names = self._units[index].names
        effects = self._effects(names.now)
        for name in names.binds | effects:
            self._providers[name].append(index)
        self._changed |= effects - names.now.passed
        for view in names.views:
            shared = {*view.names}
            for other in view.others:
                self._views[other].append(shared)
        for function in names.defines:
            for name in self._effects(names.later):
                self._changers[name].append(function)
            for name in names.uses & self._defined:
                self._callers[name].append(function)
        for name in names.runs & self._defined:
            self._runners[name].append(index)

    def _effects(self, effects: Effects) -> frozenset[str]:
        touches = {name for name in effects.touches if name not in self._imported}
        passed = (effects.passed | effects.calls & self._bound) - self._imported - self._defined - {self._entry_point}
        return effects.changes | touches | passed

    def _follow(self, names: Iterable[str]) -> None:
        open_names = [name for name in names if name not in self.needed]
        while open_names:
            name = open_names.pop()
            if name in self.needed:
                continue
            self.needed.add(name)
            self._activate(self._changers.get(name, []))
            for views in self._views.pop(name, []):
                open_names += views & self._changed
                views.clear()  # by whichever name they are reached, once is enough
            for index in self._providers.get(name, []):
                if index not in self.kept:
                    self.kept.add(index)
                    open_names += self._units[index].names.uses - self.needed

    def _activate(self, functions: Iterable[str]) -> None:
        """Note the functions that change something needed, and what runs them.

        What calls the entry point changes no more than any caller does: it shows or tests it.
        """
        open_functions = [*functions]
        while open_functions:
            function = open_functions.pop()
            if function not in self._active:
                self._active.add(function)
                self._deferred += [(index, function) for index in self._runners.get(function, [])]
                open_functions += self._callers.get(function, []) if function != self._entry_point else []


def _superseded(units: Sequence[Unit], kept: Sequence[int]) -> set[int]:
    """Plain functions that a later definition replaces before anything could call them."""
    functions = {name for index in kept for name in units[index].names.defines}
    later: set[str] = set()
    found: set[int] = set()
    for index in reversed(kept):
        unit = units[index]
        if unit.is_plain_function and unit.names.defines <= later:
            found.add(index)
        elif unit.names.runs & functions:
            later.clear()
        elif unit.is_definition:
            later |= unit.names.defines
    return found
