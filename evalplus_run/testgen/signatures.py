"""The kinds of a task's arguments: from its inputs, from annotations, from the contract."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from typing import Any

from evalplus_run.records import Arguments, Task
from evalplus_run.testgen.kinds import (
    ANYTHING,
    NOTHING,
    Choice,
    Dictionary,
    Items,
    Kind,
    Row,
    Scalar,
    choices,
    fits,
    join,
    join_all,
    of_annotation,
    of_value,
    settled,
)

_TYPES: Mapping[str, Kind] = {
    **{"int": Scalar("int"), "bool": Scalar("bool"), "float": Scalar("float"), "complex": Scalar("complex")},
    **{"str": Scalar("str"), "bytes": Scalar("bytes"), "dict": Dictionary(NOTHING, NOTHING)},
    **{"list": Items("list", NOTHING), "tuple": Items("tuple", NOTHING)},
    **{"set": Items("set", NOTHING), "frozenset": Items("frozenset", NOTHING)},
}


def argument_kinds(task: Task, seeds: Sequence[Arguments]) -> tuple[Kind, ...]:
    """One for each position of the longest input."""
    declared = _declared(task)
    asserted = of_contract(task.contract)
    names = parameter_names(task)
    longest = max(map(len, seeds), default=0)
    return tuple(
        _kind(
            _seen([seed[i] for seed in seeds if len(seed) > i]),
            declared.get(names[i]) if i < len(names) else None,
            asserted.get(names[i], NOTHING) if i < len(names) else NOTHING,
        )
        for i in range(longest)
    )


def parameter_names(task: Task) -> list[str]:
    """Of the entry point, those that are given by position."""
    function = entry_function(ast.parse(task.reference), task.entry_point)
    return [each.arg for each in (*function.args.posonlyargs, *function.args.args)] if function else []


def entry_function(tree: ast.Module, name: str) -> ast.FunctionDef | None:
    """The last definition of this name at the top of a module."""
    found = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name]
    return found[-1] if found else None


def of_contract(contract: str) -> Mapping[str, Kind]:
    """What its assertions say of each name: `isinstance(x, T)`, `type(x) == T`, `all(isinstance(y, T) for y in x)`."""
    found: dict[str, Kind] = {}
    for assertion in _assertions(contract):
        for name, kind in _told(assertion):
            found[name] = join(found.get(name, NOTHING), kind)
    return found


def _seen(values: Sequence[Any]) -> Kind:
    """Where all containers hold one type each, though not the same one, new ones do too."""
    kind = settled(join_all(map(of_value, values)))
    if isinstance(kind, Items) and isinstance(kind.item, Choice) and kind.item.kinds:
        pure = tuple(Items(kind.container, one) for one in kind.item.kinds)
        if all(any(fits(value, one) for one in pure) for value in values):
            return Choice(pure)
    return kind


def _kind(seen: Kind, declared: Kind | None, asserted: Kind) -> Kind:
    # An argument that may be anything is best known by what was seen of it.
    is_told = declared is not None and declared != ANYTHING
    kind = join(seen, declared) if is_told and declared is not None else seen
    return _guessed(_widened(kind, asserted))


def _guessed(kind: Kind) -> Kind:
    """What nothing tells: the items of a container that is always empty are ints, the keys of a dictionary texts."""
    match kind:
        case Items(container, item):
            return Items(container, _guessed(item))
        case Row(container, items):
            return Row(container, tuple(map(_guessed, items)))
        case Dictionary(of_key, value):
            return Dictionary(Scalar("str") if of_key == NOTHING else of_key, _guessed(value))
        case Choice(kinds):
            return Choice(tuple(map(_guessed, kinds))) if kinds else Scalar("int")
    return kind


def _widened(kind: Kind, asserted: Kind) -> Kind:
    """Also what a contract names beside what was seen: it is no more than types of numbers and items."""
    match kind, asserted:
        case ((Scalar() | Choice()), (Scalar() | Choice())):
            return join(kind, asserted)
        case Items(container, item), Items(other, named) if container == other:
            # Items of one container stay of one type: what differs there is seldom what a task is about.
            if isinstance(item, Choice) and item.kinds:
                return Items(container, _widened(item, named))
            kinds = tuple(Items(container, one) for one in choices(_widened(item, named)))
            return kinds[0] if len(kinds) == 1 else Choice(kinds)
    return kind


def _declared(task: Task) -> dict[str, Kind]:
    function = entry_function(ast.parse(task.reference), task.entry_point)
    if function is None:
        return {}
    pairs = ((each.arg, each.annotation) for each in (*function.args.posonlyargs, *function.args.args))
    kinds = ((name, of_annotation(annotation)) for name, annotation in pairs if annotation is not None)
    return {name: kind for name, kind in kinds if kind is not None}


def _assertions(contract: str) -> Iterator[ast.expr]:
    """The tests of all asserts that stand in no loop or branch, the parts of `and` apart."""
    if not contract.strip():
        return
    for node in ast.parse(f"def contract():\n{contract.strip(chr(10))}").body[0].body:  # type: ignore[attr-defined]
        if isinstance(node, ast.Assert):
            yield from _parts(node.test)


def _parts(test: ast.expr) -> Iterator[ast.expr]:
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        for value in test.values:
            yield from _parts(value)
    else:
        yield test


def _told(test: ast.expr) -> Iterator[tuple[str, Kind]]:
    match test:
        case ast.Call(ast.Name("all"), [ast.ListComp() | ast.GeneratorExp() as each]):
            match each.generators:
                case [ast.comprehension(ast.Name(inner), ast.Name(outer))]:
                    for part in _parts(each.elt):
                        yield from ((outer, Items("list", kind)) for name, kind in _told(part) if name == inner)
        case _:
            name, kind = _of_one(test)
            if name and kind is not None:
                yield name, kind


def _of_one(test: ast.expr) -> tuple[str, Kind | None]:
    match test:
        case ast.Call(ast.Name("isinstance"), [ast.Name(name), ast.Tuple(types)]):
            return name, _of_types(types)
        case ast.Call(ast.Name("isinstance"), [ast.Name(name), one]):
            return name, _of_types([one])
        case ast.Compare(ast.Call(ast.Name("type"), [ast.Name(name)]), [ast.Eq() | ast.Is()], [one]):
            return name, _of_types([one])
        case ast.Compare(ast.Call(ast.Name("type"), [ast.Name(name)]), [ast.In()], [several]):
            return name, _of_types(several.elts) if isinstance(several, (ast.List, ast.Tuple)) else None
    return "", None


def _of_types(types: Sequence[ast.expr]) -> Kind | None:
    kinds = [_of_type(each) for each in types]
    known = [kind for kind in kinds if kind is not None]
    return reduce(join, known) if known and len(known) == len(kinds) else None


def _of_type(node: ast.expr) -> Kind | None:
    match node:
        case ast.Name(name):
            return _TYPES.get(name)
        case ast.Constant(None) | ast.Call(ast.Name("type"), [ast.Constant(None)]):
            return Scalar("NoneType")
    return None
