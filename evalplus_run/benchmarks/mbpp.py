"""The types of MBPP+'s arguments, which JSON cannot hold: tuples, sets, complex numbers.

The rules by task are EvalPlus's, so that references and programs see the values that its scores were made with;
some are odd (115 turns every dictionary into an empty one) and stay so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from evalplus_run.records import Arguments

_Convert = Callable[[Any], Any]
_Rule = Callable[[Sequence[Any]], Arguments]


def _each(convert: _Convert) -> _Rule:
    return lambda arguments: tuple(convert(argument) for argument in arguments)


def _by_position(*converts: _Convert) -> _Rule:
    return lambda arguments: tuple(convert(argument) for convert, argument in zip(converts, arguments, strict=True))


def _kept(value: Any) -> Any:
    return value


def _list_of_tuples(value: Any) -> list[Any]:
    return [tuple(item) for item in value]


def _tuple_of_tuples(value: Any) -> Arguments:
    return tuple(tuple(item) for item in value)


def _tuple_with_lists_as_tuples(value: Any) -> Arguments:
    return tuple(tuple(item) if isinstance(item, list) else item for item in value)


def _deep_tuple(value: Any) -> Any:
    return tuple(_deep_tuple(item) for item in value) if isinstance(value, list) else value


def _sets_and_empty_dicts(value: Any) -> list[Any]:
    return [set(item) if isinstance(item, list) and item else {} for item in value]


def _values_as_tuples(value: Any) -> dict[Any, Any]:
    return {key: tuple(item) for key, item in value.items()}


_RULES: dict[str, _Rule] = {
    "2 116 132 143 222 261 273 394 399 421 424 429 470 560 579 596 616 630 726 740 744 809": _each(tuple),
    "63 64 70 94 120 237 272 299 400 409 417 438 473 614 780": _each(_list_of_tuples),
    "75 413 444 753": _by_position(_list_of_tuples, _kept),
    "106 750": _by_position(_kept, tuple),
    "115": _by_position(_sets_and_empty_dicts),
    "124": _by_position(float, complex),
    "252": _by_position(complex),
    "250 405 446 617 720 763 808": _by_position(tuple, _kept),
    "259 401 445": _each(_tuple_of_tuples),
    "278": _by_position(_tuple_with_lists_as_tuples),
    "307": _by_position(tuple, _kept, _kept),
    "722": _by_position(_values_as_tuples, _kept, _kept),
    "580 615 791": _each(_deep_tuple),
}
_RULE_OF_TASK = {f"Mbpp/{number}": rule for numbers, rule in _RULES.items() for number in numbers.split()}


def restore(task_id: str, arguments: Sequence[Any]) -> Arguments:
    """One test's arguments as the task wants them, from what JSON gave.

    Raises TypeError, ValueError or AttributeError where they have not the shape that the task's rule needs.
    """
    return _RULE_OF_TASK.get(task_id, tuple)(arguments)


def serialize(arguments: Any) -> Any:
    """Restored arguments as JSON can hold them: tuples and sets as lists, complex numbers as text.

    `restore` makes the same arguments of them again.
    """
    if isinstance(arguments, dict):
        return {key: serialize(value) for key, value in arguments.items()}
    if isinstance(arguments, list | tuple | set):
        return [serialize(value) for value in arguments]
    return str(arguments) if isinstance(arguments, complex) else arguments
