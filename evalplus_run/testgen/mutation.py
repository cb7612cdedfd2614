"""Typed mutation: from one input to another of the same kinds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, TypeVar

from evalplus_run.records import Arguments
from evalplus_run.testgen.containers import LIST_OPERATORS
from evalplus_run.testgen.ingredients import Ingredients, mutable
from evalplus_run.testgen.kinds import (
    CONTAINERS,
    Choice,
    Dictionary,
    Items,
    Kind,
    Row,
    Scalar,
    fits,
)
from evalplus_run.testgen.numbers import FLOAT_OPERATORS, INT_OPERATORS
from evalplus_run.testgen.texts import TEXT_OPERATORS
from evalplus_run.testgen.values import key

Operator = TypeVar("Operator", bound=Callable[..., Any])

_INTO_A_PART = 0.5
"""How often a part of a container is changed in place of the container."""
_OTHER_KIND = 0.15
"""How often a value that may be of several kinds becomes one of another."""
_SEEN = 0.5
"""How often a fresh value is one that was seen."""


@dataclass
class Credits:
    """How often inputs that an operator made were of use: what is always refused is tried less."""

    tried: dict[str, int] = field(default_factory=dict)
    taken: dict[str, int] = field(default_factory=dict)

    def weight(self, name: str) -> float:
        """Between nearly 0 and 1; high while little is known."""
        return (self.taken.get(name, 0) + 2) / (self.tried.get(name, 0) + 2)

    def note(self, names: Iterable[str], *, taken: bool) -> None:
        """The operators that made one input, and whether it was taken."""
        for name in names:
            self.tried[name] = self.tried.get(name, 0) + 1
            self.taken[name] = self.taken.get(name, 0) + taken


class Mutator:
    """Makes inputs of a task's kinds; the same ones for the same `rng`."""

    def __init__(self, kinds: Sequence[Kind], pantry: Ingredients, rng: Random) -> None:
        self.rng = rng
        self.credits = Credits()
        self._kinds = kinds
        self._pantry = pantry
        self._used: list[str] = []

    def lower_bound(self) -> None:
        """Smaller numbers from now on: with those before, a reference stalled."""
        self._pantry = replace(
            self._pantry, largest=max(self._pantry.largest // 2, 10), farthest=max(self._pantry.farthest // 4, 10)
        )

    def mutated(self, parent: Arguments, others: Sequence[Arguments]) -> tuple[Arguments, tuple[str, ...]]:
        """A new input, and the operators that made it; arguments of `others` may come in whole."""
        self._used = []
        arguments = list(parent)
        places = [i for i in range(len(arguments)) if mutable(self._kinds[i])]
        for _ in range(self.rng.choice((1, 1, 1, 2, 2, 3, 4)) if places else 0):
            place = self.rng.choice(places)
            if len(arguments) > 1 and self.rng.random() < 0.15:
                other = self.rng.choice(others)
                if len(other) > place:
                    arguments[place] = other[place]
                    self._used.append("argument of another")
            else:
                arguments[place] = self.changed(arguments[place], self._kinds[place])
        return tuple(arguments), tuple(self._used)

    def fresh_input(self, arity: int) -> Arguments:
        """Made of nothing but kinds and ingredients."""
        return tuple(self.fresh(kind) for kind in self._kinds[:arity])

    def changed(self, value: Any, kind: Kind) -> Any:
        """A value of the kind, one mutation away."""
        if isinstance(kind, Choice):
            return self._changed_choice(value, kind)
        match kind:
            case Scalar(name):
                return self._changed_scalar(value, name)
            case Items(_, item):
                return self._changed_items(value, kind, item)
            case Row(container, items):
                return CONTAINERS[container](self._changed_row(list(value), items))
            case Dictionary():
                return self._changed_dictionary(value, kind)
        return self.seen(kind, value)

    def fresh(self, kind: Kind) -> Any:  # noqa: PLR0911 - one kind each
        """A value of the kind that hangs on no other."""
        seen = self._pantry.of(kind)
        if seen and self.rng.random() < _SEEN:
            return self.rng.choice(seen)
        match kind:
            case Choice(kinds):
                return self.fresh(self.rng.choice(kinds)) if kinds else self.rng.randint(0, 10)
            case Scalar(name):
                return self._changed_scalar(_ZEROS[name], name)
            case Items(container, item):
                return CONTAINERS[container](self._hashable(container, [self.fresh(item) for _ in range(self._few())]))
            case Row(container, items):
                return CONTAINERS[container](self.fresh(item) for item in items)
            case Dictionary(of_key, of_value):
                keys = self._hashable("set", [self.fresh(of_key) for _ in range(self._few())])
                return {each: self.fresh(of_value) for each in keys}
        return self.seen(kind, None)

    def _changed_choice(self, value: Any, choice: Choice) -> Any:
        fitting = [kind for kind in choice.kinds if fits(value, kind)]
        if not fitting or self.rng.random() < _OTHER_KIND:
            return self.fresh(choice)
        return self.changed(value, self.rng.choice(fitting))

    def _changed_scalar(self, value: Any, name: str) -> Any:  # noqa: PLR0911 - one type each
        rng, pantry = self.rng, self._pantry
        if name == "int":
            number = self._pick("int", INT_OPERATORS)(value, rng, pantry)
            return number if abs(number) <= pantry.farthest else value + rng.choice((-1, 1))
        if name == "float":
            real = self._pick("float", FLOAT_OPERATORS)(value, rng, pantry)
            # The sign of zero is nothing that a task asks for.
            return (real if abs(real) <= pantry.largest else value + 1.0) or 0.0
        if name == "str":
            return self._pick("str", TEXT_OPERATORS)(value, rng, pantry)[: pantry.most]
        if name == "bool":
            return not value
        if name == "bytes":
            return self._pick("str", TEXT_OPERATORS)(value.decode("latin-1"), rng, pantry).encode("latin-1", "replace")
        if name == "complex":
            parts = [self._changed_scalar(part, "float") for part in (value.real, value.imag)]
            return complex(*parts)
        return value

    def _changed_items(self, value: Any, kind: Items, item: Kind) -> Any:
        items = list(value) if isinstance(value, (list, tuple)) else sorted(value, key=key)
        if items and mutable(item) and self.rng.random() < _INTO_A_PART:
            place = self.rng.randrange(len(items))
            items[place] = self.changed(items[place], item)
        else:
            items = self._pick("list", LIST_OPERATORS)(items, _Maker(self, kind, item))
        return CONTAINERS[kind.container](self._hashable(kind.container, items[: self._pantry.most]))

    def _changed_row(self, items: list[Any], kinds: tuple[Kind, ...]) -> list[Any]:
        places = [i for i, kind in enumerate(kinds) if mutable(kind)]
        if places:
            place = self.rng.choice(places)
            alike = [i for i in places if kinds[i] == kinds[place]]
            if len(alike) > 1 and self.rng.random() < 0.2:
                items[place] = items[self.rng.choice(alike)]
            else:
                items[place] = self.changed(items[place], kinds[place])
        return items

    def _changed_dictionary(self, value: dict[Any, Any], kind: Dictionary) -> dict[Any, Any]:
        pairs = list(value.items())
        if pairs and mutable(kind.value) and self.rng.random() < _INTO_A_PART:
            place = self.rng.randrange(len(pairs))
            pairs[place] = (pairs[place][0], self.changed(pairs[place][1], kind.value))
        else:
            maker = _Maker(self, kind, Row("tuple", (kind.key, kind.value)))
            pairs = self._pick("dict", LIST_OPERATORS)(pairs, maker)
        keys = {key(each): each for each in self._hashable("set", [each for each, _ in pairs])}
        return {keys[key(each)]: part for each, part in pairs[: self._pantry.most] if key(each) in keys}

    def _hashable(self, container: str, items: list[Any]) -> list[Any]:
        """Those that a container may hold."""
        if container in ("list", "tuple"):
            return items
        kept = []
        for item in items:
            try:
                hash(item)
            except TypeError:
                continue
            kept.append(item)
        return kept

    def _few(self) -> int:
        return self.rng.choice((0, 1, 1, 2, 2, 3, 3, 4, 5, 6))

    def seen(self, kind: Kind, value: Any) -> Any:
        """A value of the kind that was seen; else the one given."""
        seen = self._pantry.of(kind)
        return self.rng.choice(seen) if seen else value

    def _pick(self, family: str, operators: Mapping[str, Operator]) -> Operator:
        names = list(operators)
        weights = [self.credits.weight(f"{family} {name}") for name in names]
        name = self.rng.choices(names, weights)[0]
        self._used.append(f"{family} {name}")
        return operators[name]


_ZEROS: Mapping[str, Any] = {
    **{"int": 0, "bool": False, "float": 0.0, "complex": 0j, "str": "", "bytes": b"", "NoneType": None}
}


class _Maker:
    """Items for a container of a kind."""

    def __init__(self, mutator: Mutator, container: Kind, item: Kind) -> None:
        self.rng = mutator.rng
        self._mutator = mutator
        self._container = container
        self._item = item

    def fresh(self) -> Any:
        return self._mutator.fresh(self._item)

    def changed(self, item: Any) -> Any:
        return self._mutator.changed(item, self._item) if mutable(self._item) else item

    def another(self) -> list[Any]:
        other = self._mutator.seen(self._container, [])
        if isinstance(other, dict):
            return list(other.items())
        return list(other) if isinstance(other, (list, tuple)) else sorted(other, key=key)
