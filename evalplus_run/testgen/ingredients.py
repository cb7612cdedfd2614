"""What new values are made of: parts of the inputs, constants of the reference, examples in the prompt."""

from __future__ import annotations

import ast
import math
import re
import string
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from evalplus_run.records import Arguments, Task
from evalplus_run.testgen.kinds import Choice, Dictionary, Fixed, Items, Kind, Row, Scalar, choices, fits, of_value
from evalplus_run.testgen.values import key, size

_MOST = 400
"""Values of one kind."""
_FAR = 1000
"""Times the largest number of the inputs."""
_LONGEST_CONSTANT = 100
"""Characters of a text in a reference that may be used whole."""
_WORD = re.compile(r"[^\s,;]+")


@dataclass(frozen=True)
class Ingredients:
    """Values by kind, and what texts are made of."""

    by_kind: dict[Kind, list[Any]]
    alphabet: str
    """Characters of the inputs' texts; where there are none, a small one."""
    rest: str
    """Other characters that a text may hold: ASCII, and more only where the inputs or the prompt have more."""
    words: list[str]
    largest: int
    """The magnitude of most numbers that are made."""
    farthest: int
    """That of any: numbers far beyond those of the inputs ask for algorithms that the task's text may not ask for."""
    most: int
    """Of `size`, for one argument."""

    def of(self, kind: Kind) -> list[Any]:
        """The values of a kind that were seen."""
        return self.by_kind.get(kind, [])


def gather(task: Task, kinds: Sequence[Kind], seeds: Sequence[Arguments]) -> Ingredients:
    """From the inputs, the reference and the prompt."""
    by_kind: dict[Kind, dict[str, Any]] = {}
    for seed in seeds:
        for kind, value in zip(kinds, seed, strict=False):
            _collect(kind, value, by_kind)
    for value in _constants(task.reference):
        by_kind.setdefault(of_value(value), {}).setdefault(key(value), value)
    texts = [text for seed in seeds for text in _texts(seed)]
    seen = "".join(sorted({c for text in texts for c in text}))
    others = {c for c in task.prompt if not c.isascii() and c.isalpha()}
    magnitudes = [abs(n) for seed in seeds for n in numbers(seed)]
    largest = int(max(magnitudes, default=0))
    return Ingredients(
        by_kind={kind: list(values.values())[:_MOST] for kind, values in by_kind.items()},
        alphabet=seen or "abc",
        rest=string.ascii_letters + string.digits + string.punctuation + " " + "".join(sorted(others)),
        words=sorted({word for text in texts for word in _WORD.findall(text)}, key=lambda word: (len(word), word)),
        largest=max(300, 2 * largest),
        farthest=max(1000, _FAR * largest),
        most=max(120, 2 * max((size(argument) for seed in seeds for argument in seed), default=0)),
    )


def examples(task: Task, kinds: Sequence[Kind]) -> Iterator[Arguments]:
    """The calls of the entry point in the prompt whose arguments are literals of the right kinds."""
    for match in re.finditer(rf"\b{re.escape(task.entry_point)}\(", task.prompt):
        arguments = _literal_arguments(task.prompt[match.start() :])
        if arguments is not None and len(arguments) == len(kinds) and all(map(fits, arguments, kinds)):
            yield arguments


def _literal_arguments(text: str) -> Arguments | None:
    """Of the call with which the text begins; None where it is none."""
    for end in (i for i, c in enumerate(text[:2000]) if c == ")"):
        try:
            call = ast.parse(text[: end + 1], mode="eval").body
        except (SyntaxError, ValueError):
            continue
        try:
            return tuple(ast.literal_eval(each) for each in call.args) if isinstance(call, ast.Call) else None
        except ValueError:
            return None
    return None


def _collect(kind: Kind, value: Any, into: dict[Kind, dict[str, Any]]) -> None:
    into.setdefault(kind, {}).setdefault(key(value), value)
    match kind:
        case Items(_, item):
            for each in value if isinstance(value, (list, tuple)) else sorted(value, key=key):
                _collect(item, each, into)
        case Row(_, items):
            for part, each in zip(items, value, strict=False):
                _collect(part, each, into)
        case Dictionary(of_key, of_part):
            for each, part in value.items():
                _collect(of_key, each, into)
                _collect(of_part, part, into)
        case Choice(kinds):
            for one in kinds:
                if fits(value, one):
                    _collect(one, value, into)
        case Scalar() | Fixed():
            pass


def _constants(reference: str) -> Iterator[Any]:
    for node in ast.walk(ast.parse(reference)):
        value = node.value if isinstance(node, ast.Constant) else None
        if type(value) in (int, float) or (isinstance(value, str) and 0 < len(value) <= _LONGEST_CONSTANT):
            yield value


def _texts(value: Any) -> Iterator[str]:
    for each in _leaves(value):
        if isinstance(each, str):
            yield each


def numbers(value: Any) -> Iterator[float]:
    """All ints and floats in a value."""
    for each in _leaves(value):
        if isinstance(each, (int, float)) and not isinstance(each, bool) and math.isfinite(each):
            yield each


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        for each, part in value.items():
            yield from _leaves(each)
            yield from _leaves(part)
    elif isinstance(value, (list, tuple, set, frozenset)):
        for each in value if isinstance(value, (list, tuple)) else sorted(value, key=key):
            yield from _leaves(each)
    else:
        yield value


def mutable(kind: Kind) -> bool:
    """Whether anything of such a value can be changed."""
    return any(not isinstance(each, Fixed) and each != Scalar("NoneType") for each in choices(kind))


def without_duplicates(values: Iterable[Arguments]) -> list[Arguments]:
    """In their order."""
    return list({key(value): value for value in values}.values())
