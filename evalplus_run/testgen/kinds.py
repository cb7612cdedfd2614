"""What kind of values an argument takes: more than Python's types, less than what a task's text says.

A kind is found from values (`of_value`, `join`) or from annotations (`of_annotation`). A bool is never an int.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Any, Literal

ScalarName = Literal["int", "bool", "float", "complex", "str", "bytes", "NoneType"]
ContainerName = Literal["list", "tuple", "set", "frozenset"]

_SCALARS: Mapping[type, ScalarName] = {
    **{int: "int", bool: "bool", float: "float", complex: "complex"},
    **{str: "str", bytes: "bytes", type(None): "NoneType"},
}
CONTAINERS: Mapping[ContainerName, Callable[..., Any]] = {
    "list": list,
    "tuple": tuple,
    "set": set,
    "frozenset": frozenset,
}
_CONTAINER_NAMES: Mapping[Any, ContainerName] = {kind: name for name, kind in CONTAINERS.items()}
_LONGEST_ROW = 8
"""Items of a list that may still each have a meaning of its own."""


@dataclass(frozen=True, slots=True)
class Scalar:
    """A value without parts."""

    name: ScalarName


@dataclass(frozen=True, slots=True)
class Items:
    """Any number of values of one kind."""

    container: ContainerName
    item: Kind


@dataclass(frozen=True, slots=True)
class Row:
    """A fixed number of values, each of a kind of its own."""

    container: Literal["list", "tuple"]
    items: tuple[Kind, ...]


@dataclass(frozen=True, slots=True)
class Dictionary:
    """Keys of one kind, values of another."""

    key: Kind
    value: Kind


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several kinds; of none where nothing was seen (the items of an empty list), so that anything may be."""

    kinds: tuple[Kind, ...]


@dataclass(frozen=True, slots=True)
class Fixed:
    """A value of a type that is not mutated (a range, a deque): only what was seen is used again."""

    type_name: str


Kind = Scalar | Items | Row | Dictionary | Choice | Fixed

NOTHING = Choice(())
ANYTHING = Choice(
    (
        Dictionary(Scalar("str"), Scalar("int")),
        Items("list", Scalar("int")),
        *(Scalar("NoneType"), Scalar("bool"), Scalar("float"), Scalar("int"), Scalar("str")),
    )
)
"""What `Any` stands for."""


def of_value(value: Any) -> Kind:
    """The narrowest kind that is not about what the value happens to be."""
    kind = type(value)
    if kind in _SCALARS:
        return Scalar(_SCALARS[kind])
    if kind is dict:
        return Dictionary(join_all(map(of_value, value)), join_all(map(of_value, value.values())))
    name = _CONTAINER_NAMES.get(kind)
    if name is None:
        return Fixed(kind.__name__)
    items = tuple(map(of_value, value))
    if name == "tuple" and items:
        return Row("tuple", items)
    if name == "list" and len(items) <= _LONGEST_ROW and not _alike(items):
        return Row("list", items)
    return Items(name, join_all(items))


def join_all(kinds: Iterable[Kind]) -> Kind:
    """The narrowest kind of values of all these kinds."""
    start: Kind = NOTHING
    return reduce(join, kinds, start)


def join(first: Kind, second: Kind) -> Kind:
    """The narrowest kind of values of both kinds."""
    if first == second:
        return first
    match first, second:
        case Items(a, item), Items(b, other) if a == b:
            return Items(a, join(item, other))
        case Row(a, items), Row(b, others) if a == b and len(items) == len(others):
            return Row(a, tuple(map(join, items, others)))
        case ((Items() | Row()), (Items() | Row())) if first.container == second.container:
            return Items(first.container, join(_item(first), _item(second)))
        case Dictionary(key, value), Dictionary(other_key, other):
            return Dictionary(join(key, other_key), join(value, other))
    return _union(first, second)


def settled(kind: Kind) -> Kind:
    """The kind of an argument once all its values were seen.

    A tuple whose items are all alike is a sequence that happened to have this length, unless it stands in a container,
    where it is a point or a pair.
    """
    match kind:
        case Row(container, items) if _alike(items):
            return Items(container, join_all(items))
        case Choice(kinds) if kinds:
            return join_all(map(settled, kinds))
    return kind


def of_annotation(annotation: ast.expr) -> Kind | None:  # noqa: PLR0911 - one form each
    """What an annotation declares; None where it says nothing that can be used."""
    match annotation:
        case ast.Constant(None):
            return Scalar("NoneType")
        case ast.Constant(str() as text):
            return _of_text(text)
        case ast.Attribute(attr=name):
            return of_annotation(ast.Name(name))
        case ast.Name(name):
            return _of_name(name)
        case ast.BinOp(left, ast.BitOr(), right):
            return _of_union([left, right])
        case ast.Subscript(container, ast.Tuple(parts)):
            return _of_generic(_last_name(container), parts)
        case ast.Subscript(container, part):
            return _of_generic(_last_name(container), [part])
    return None


def choices(kind: Kind) -> tuple[Kind, ...]:
    """The kinds that a value of it can be of."""
    return kind.kinds if isinstance(kind, Choice) else (kind,)


def fits(value: Any, kind: Kind) -> bool:  # noqa: PLR0911 - one kind each
    """Whether a value is of the kind."""
    match kind:
        case Scalar(name):
            return _SCALARS.get(type(value)) == name
        case Items(container, item):
            return type(value) is CONTAINERS[container] and all(fits(each, item) for each in value)
        case Row(container, items):
            return type(value) is CONTAINERS[container] and len(value) == len(items) and all(map(fits, value, items))
        case Dictionary(key, part):
            return type(value) is dict and all(fits(k, key) and fits(v, part) for k, v in value.items())
        case Choice(kinds):
            return not kinds or any(fits(value, each) for each in kinds)
        case Fixed(type_name):
            return type(value).__name__ == type_name
    return False


def _alike(kinds: tuple[Kind, ...]) -> bool:
    """Whether they are one kind, numbers being one."""
    joined = join_all(kinds)
    return not isinstance(joined, Choice) or not joined.kinds or _are_numbers(joined)


def _are_numbers(choice: Choice) -> bool:
    return all(isinstance(each, Scalar) and each.name in ("int", "float") for each in choice.kinds)


def _item(kind: Items | Row) -> Kind:
    return kind.item if isinstance(kind, Items) else join_all(kind.items)


def _union(first: Kind, second: Kind) -> Kind:
    """With at most one kind for each container, in an order of its own."""
    kinds = list(choices(first))
    for each in choices(second):
        for place, other in enumerate(kinds):
            joined = each if each == other else None if _apart(each, other) else join(each, other)
            if joined is not None:
                kinds[place] = joined
                break
        else:
            kinds.append(each)
    return kinds[0] if len(kinds) == 1 else Choice(tuple(sorted(kinds, key=repr)))


def _apart(first: Kind, second: Kind) -> bool:
    match first, second:
        case ((Items() | Row()), (Items() | Row())):
            return first.container != second.container
        case Dictionary(), Dictionary():
            return False
    return True


_NAMES: Mapping[str, Kind] = {
    **{name: Scalar(name) for name in ("int", "bool", "float", "complex", "str", "bytes")},
    **{name: Items(name, NOTHING) for name in ("list", "tuple", "set", "frozenset")},
    **{"List": Items("list", NOTHING), "Set": Items("set", NOTHING), "Tuple": Items("tuple", NOTHING)},
    **{"FrozenSet": Items("frozenset", NOTHING), "None": Scalar("NoneType")},
    **{"dict": Dictionary(NOTHING, NOTHING), "Dict": Dictionary(NOTHING, NOTHING)},
    **{"Any": ANYTHING, "object": ANYTHING},
    **{"Sequence": Items("list", NOTHING), "Iterable": Items("list", NOTHING)},
}


def _of_name(name: str) -> Kind | None:
    return _NAMES.get(name)


def _of_text(text: str) -> Kind | None:
    try:
        return of_annotation(ast.parse(text, mode="eval").body)
    except SyntaxError:
        return None


def _of_union(parts: list[ast.expr]) -> Kind | None:
    kinds = [of_annotation(part) for part in parts]
    known = [kind for kind in kinds if kind is not None]
    return join_all(known) if len(known) == len(kinds) else None


def _of_generic(name: str, parts: list[ast.expr]) -> Kind | None:  # noqa: PLR0911 - one form each
    match name, parts:
        case "Optional", [part]:
            return _of_union([part, ast.Constant(None)])
        case "Union", _:
            return _of_union(parts)
        case (("Tuple" | "tuple"), [part, ast.Constant(value=end)]) if end is ...:
            return Items("tuple", of_annotation(part) or NOTHING)
        case (("Tuple" | "tuple"), _):
            return Row("tuple", tuple(of_annotation(part) or NOTHING for part in parts))
        case (("Dict" | "dict"), [key, value]):
            return Dictionary(of_annotation(key) or NOTHING, of_annotation(value) or NOTHING)
    whole = _NAMES.get(name)
    if isinstance(whole, Items) and len(parts) == 1:
        return Items(whole.container, of_annotation(parts[0]) or NOTHING)
    return whole


def _last_name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
