"""Mutations of containers, as lists of their items: fewer, more, other, in another order."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, Protocol

_MOST_COPIES = 4


class Maker(Protocol):
    """Makes items."""

    rng: Random

    def fresh(self) -> Any:
        """A new item."""

    def changed(self, item: Any) -> Any:
        """An item with a mutation."""

    def another(self) -> list[Any]:
        """The items of another container of the same kind."""


ListOperator = Callable[[list[Any], Maker], list[Any]]


def _remove(items: list[Any], maker: Maker) -> list[Any]:
    place = maker.rng.randrange(len(items) + 1)
    return items[:place] + items[place + 1 :]


def _part(items: list[Any], maker: Maker) -> list[Any]:
    start, end = sorted((maker.rng.randint(0, len(items)), maker.rng.randint(0, len(items))))
    return items[start:end]


def _double(items: list[Any], maker: Maker) -> list[Any]:
    """An item once more: next to itself, or anywhere."""
    if not items:
        return [maker.fresh()] * 2
    place = maker.rng.randrange(len(items))
    other = place if maker.rng.random() < 0.5 else maker.rng.randint(0, len(items))
    return [*items[:other], items[place], *items[other:]]


def _repeat(items: list[Any], maker: Maker) -> list[Any]:
    return items * maker.rng.choice((2, 2, 3))


def _insert(items: list[Any], maker: Maker) -> list[Any]:
    place = maker.rng.choice((0, len(items), maker.rng.randint(0, len(items))))
    return [*items[:place], maker.fresh(), *items[place:]]


def _replace(items: list[Any], maker: Maker) -> list[Any]:
    if not items:
        return [maker.fresh()]
    place = maker.rng.randrange(len(items))
    return [*items[:place], maker.fresh(), *items[place + 1 :]]


def _copy(items: list[Any], maker: Maker) -> list[Any]:
    """One item takes the place of another."""
    if not items:
        return items
    place, other = maker.rng.randrange(len(items)), maker.rng.randrange(len(items))
    return [*items[:place], items[other], *items[place + 1 :]]


def _swap(items: list[Any], maker: Maker) -> list[Any]:
    items = list(items)
    if len(items) > 1:
        i, j = maker.rng.randrange(len(items)), maker.rng.randrange(len(items))
        items[i], items[j] = items[j], items[i]
    return items


def _sort(items: list[Any], maker: Maker) -> list[Any]:
    try:
        return sorted(items, reverse=maker.rng.random() < 0.4)
    except TypeError:
        return _swap(items, maker)


def _reverse(items: list[Any], _: Maker) -> list[Any]:
    return items[::-1]


def _mirror(items: list[Any], _: Maker) -> list[Any]:
    """The same from both ends, which chance does not make."""
    return items + items[::-1]


def _shuffle(items: list[Any], maker: Maker) -> list[Any]:
    return maker.rng.sample(items, len(items))


def _empty(_items: list[Any], _maker: Maker) -> list[Any]:
    return []


def _single(items: list[Any], maker: Maker) -> list[Any]:
    return [maker.rng.choice(items) if items and maker.rng.random() < 0.5 else maker.fresh()]


def _same(items: list[Any], maker: Maker) -> list[Any]:
    """All items alike."""
    item = maker.rng.choice(items) if items else maker.fresh()
    return [item] * maker.rng.choice((len(items), 2, 3))


def _short(_: list[Any], maker: Maker) -> list[Any]:
    return [maker.fresh() for _ in range(maker.rng.choice((1, 2, 2, 3, 3, 4, 5)))]


def _grow(items: list[Any], maker: Maker) -> list[Any]:
    return items + [maker.fresh() for _ in range(maker.rng.choice((2, 3, 5, 10, 20)))]


def _few(items: list[Any], maker: Maker) -> list[Any]:
    """Made of a few values alone, so that they meet often."""
    values = [maker.fresh() for _ in range(maker.rng.choice((1, 2, 3)))]
    return [maker.rng.choice(values) for _ in range(maker.rng.choice((2, 4, 6, 10, max(1, len(items)))))]


def _change_some(items: list[Any], maker: Maker) -> list[Any]:
    return [maker.changed(item) if maker.rng.random() < 0.4 else item for item in items]


def _join(items: list[Any], maker: Maker) -> list[Any]:
    other = maker.another()
    if maker.rng.random() < 0.5:
        return items + other
    place, end = maker.rng.randint(0, len(items)), maker.rng.randint(0, len(other))
    return items[:place] + other[end:]


LIST_OPERATORS: dict[str, ListOperator] = {
    "remove": _remove,
    "part": _part,
    "double": _double,
    "repeat": _repeat,
    "insert": _insert,
    "replace": _replace,
    "copy": _copy,
    "swap": _swap,
    "sort": _sort,
    "reverse": _reverse,
    "mirror": _mirror,
    "shuffle": _shuffle,
    "empty": _empty,
    "single": _single,
    "same": _same,
    "short": _short,
    "grow": _grow,
    "few": _few,
    "change some": _change_some,
    "join": _join,
}
