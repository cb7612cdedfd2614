"""From an input on which a program fails to a small one on which it fails in the same way."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

from evalplus_run.records import Arguments, Task
from evalplus_run.testgen.kinds import fits
from evalplus_run.testgen.relations import relations, repaired
from evalplus_run.testgen.signatures import argument_kinds
from evalplus_run.testgen.simpler import Rank, rank, simpler, simplest_characters
from evalplus_run.testgen.values import key

_TOGETHER = 150
"""Candidates that are run together."""
_CHARACTERS = 2_000_000
"""Of their texts."""
_MOST = 20_000
"""Candidates in all."""

Fails = Callable[[Sequence[Arguments]], Sequence[bool]]
"""Which of some inputs make the program fail in the way that is looked for."""


class Shape:
    """What an input of a task must be like beside its contract: as its own inputs are, and the failing one."""

    def __init__(self, task: Task, failing: Arguments) -> None:
        seeds = [each for each in task.base_inputs if len(each) == len(failing)]
        has_contract = bool(task.contract.strip())
        self._kinds = argument_kinds(task, [*seeds, failing])
        self._relations = [each for each in relations(seeds, has_contract=has_contract) if each.holds(failing)]
        # Without a contract other characters may be none that the task is about.
        self.letters = simplest_characters("ab01A" if has_contract else "".join(_characters([*seeds, failing])))

    def fitted(self, arguments: Arguments) -> Arguments | None:
        """The input with the relations that can be given to it; None where it is of other kinds, or lacks one."""
        if not all(map(fits, arguments, self._kinds)):
            return None
        made = repaired(arguments, self._relations)
        return made if all(each.holds(made) for each in self._relations) else None


@dataclass(frozen=True, slots=True)
class Shrunk:
    """The simplest input that was found."""

    arguments: Arguments
    tests: int
    """Candidates that were run."""
    is_least: bool
    """Whether no input that is one step simpler fails; else the search was given up."""


def shrink(arguments: Arguments, shape: Shape, fails: Fails) -> Shrunk:
    """Go from a failing input to the simplest of the next candidates that fail, until none does."""
    search = _Search(arguments, shape)
    while search.tests < _MOST:
        for batch in search.batches():
            if search.take([each for each, failed in zip(batch, fails(batch), strict=True) if failed]):
                break
        else:
            return Shrunk(search.best, search.tests, is_least=True)
    return Shrunk(search.best, search.tests, is_least=False)


class _Search:
    def __init__(self, start: Arguments, shape: Shape) -> None:
        self.best = start
        self.tests = 0
        self._rank = rank(start)
        self._shape = shape
        self._tried = {key(start)}
        self._first = 0
        """Where in the order of the candidates the last step was: what simplified one part may simplify the next."""
        self._places: dict[str, int] = {}

    def batches(self) -> Iterator[list[Arguments]]:
        """Candidates that were not tried before."""
        batch: list[Arguments] = []
        characters = 0
        for place, name, each in self._candidates():
            self._places[name] = place
            batch.append(each)
            characters += len(name)
            if len(batch) == _TOGETHER or characters > _CHARACTERS:
                self.tests += len(batch)
                yield batch
                batch, characters = [], 0
        if batch:
            self.tests += len(batch)
            yield batch

    def take(self, failing: Sequence[Arguments]) -> bool:
        """Whether there is one among them to go on from."""
        if failing:
            length, (self._rank, self.best) = self._rank[0], min(((rank(each), each) for each in failing), key=_first)
            # After a large step the large ones are worth another try.
            self._first = 0 if self._rank[0] < 3 * length // 4 else self._places[key(self.best)]
        return bool(failing)

    def _candidates(self) -> Iterator[tuple[int, str, Arguments]]:
        """(place in the order, key, input)."""
        letters = self._shape.letters
        around = (
            islice(enumerate(simpler(self.best, letters)), *ends) for ends in ((self._first, None), (self._first,))
        )
        for place, made in chain.from_iterable(around):
            each = self._shape.fitted(made) if self._is_new(key(made)) else None
            if each is None:
                continue
            name = key(each)
            if (name == key(made) or self._is_new(name)) and rank(each) < self._rank:
                yield place, name, each

    def _is_new(self, name: str) -> bool:
        """Whether nobody asked about the input of this key before."""
        is_new = name not in self._tried
        self._tried.add(name)
        return is_new


def _first(pair: tuple[Rank, Arguments]) -> Rank:
    return pair[0]


def _characters(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield from value
    elif isinstance(value, dict):
        for each, part in value.items():
            yield from _characters(each)
            yield from _characters(part)
    elif isinstance(value, (list, tuple, set, frozenset)):
        for each in value:
            yield from _characters(each)
