"""The choice of text: which piece of an answer is the program."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from evalplus_run.records import Task
from evalplus_run.sanitize.characters import readings
from evalplus_run.sanitize.entry import Quality, bound_in_words, definition_of, prompt_units, quality
from evalplus_run.sanitize.segments import segments, turns
from evalplus_run.sanitize.units import Unit, read_units

_GOOD = Quality(full=True, complete=True)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A piece of an answer that defines the entry point."""

    units: tuple[Unit, ...]
    definition: Unit
    """What defines the entry point, one of the units."""
    quality: Quality
    text: str = ""
    """The piece itself."""
    reading: str = ""
    """What was done to read it as code."""
    place: str = ""
    """Which of the pieces it is."""
    others: tuple[str, ...] = ()
    """The other pieces of the same turn, in order."""
    prompt_in_front: bool = False
    """It was only a body."""

    @property
    def is_cut_stub(self) -> bool:
        """Whether the body was lost with the end of the text."""
        return not self.quality.full and not self.quality.complete


def find_candidate(text: str, task: Task) -> Candidate | None:
    """The best piece of the first turn that has a good one, the last of equals; else the best there is."""
    best: Candidate | None = None
    for turn in turns(text):
        candidate = _best_of(segments(turn), task)
        if candidate is not None and (best is None or candidate.quality > best.quality):
            best = candidate
        if best is not None and best.quality >= _GOOD:
            break
    return best


def read_candidate(text: str, task: Task) -> Candidate | None:
    """One piece of text in its best reading; None if none defines the entry point."""
    if task.entry_point not in text:
        return None
    best: Candidate | None = None
    for reading, changed in readings(text):
        units = read_units(changed)
        candidate = candidate_of(units, task)
        if candidate is not None and (best is None or candidate.quality > best.quality):
            best = replace(candidate, text=text, reading=reading)
        if best is not None and best.quality >= _GOOD:
            break
    return best


def candidate_of(units: Sequence[Unit], task: Task) -> Candidate | None:
    """The statements as a candidate; None if they do not define the entry point."""
    definition = definition_of(units, task)
    return None if definition is None else Candidate(tuple(units), definition, quality(definition, units, task))


def other_readings(candidate: Candidate, missing: frozenset[str], task: Task) -> Iterator[Candidate]:
    """The candidate in readings that bind some of what it lacks: its entry point was good, but a helper is broken."""
    for reading, units in _readings_that_bind(candidate.text, missing):
        found = candidate_of(units, task)
        if found is not None and found.quality >= candidate.quality:
            yield replace(
                candidate, units=found.units, definition=found.definition, quality=found.quality, reading=reading
            )


def supplied(candidate: Candidate, missing: frozenset[str], task: Task) -> tuple[Unit, ...]:
    """The candidate with what it lacks put in front, from the prompt and from the other pieces."""
    bound = {name for unit in candidate.units for name in unit.names.binds} | {task.entry_point}
    lacking = set(missing)
    found: list[Unit] = []
    others = (unit for piece in candidate.others for unit in _units(piece, missing))
    for unit in reversed([*prompt_units(task), *others]):
        names = unit.names
        gives = names.binds | names.now.changes | names.now.touches
        if gives & lacking and not names.binds & bound:
            found.append(unit)
            lacking |= names.uses
    return _future_first([*reversed(found), *candidate.units])


def _best_of(pieces: Sequence[str], task: Task) -> Candidate | None:
    best: Candidate | None = None
    for number, piece in enumerate(pieces):
        candidate = read_candidate(piece, task)
        if candidate is not None and (best is None or _improves(candidate, best)):
            others = (*pieces[:number], *pieces[number + 1 :])
            best = replace(candidate, place=f"{number + 1} of {len(pieces)}", others=others)
    return best


def _improves(later: Candidate, best: Candidate) -> bool:
    """Whether a later piece is at least as good: one that repeats the best and was cut short is not."""
    return later.quality >= best.quality and not later.definition.is_beginning_of(best.definition)


def _units(piece: str, missing: frozenset[str]) -> list[Unit]:
    """The statements of another piece that are whole, in a reading that binds some of what is missing."""
    _, units = next(_readings_that_bind(piece, missing), ("", read_units(piece)))
    return [unit for unit in units if not unit.cut]


def _readings_that_bind(text: str, names: frozenset[str]) -> Iterator[tuple[str, Sequence[Unit]]]:
    """The readings that bind some of these names; none where its words do not say that the text means to."""
    for reading, changed in readings(text) if names & bound_in_words(text) else ():
        units = read_units(changed)
        if any(unit.names.binds & names for unit in units if not unit.cut):
            yield reading, units


def _future_first(units: Iterable[Unit]) -> tuple[Unit, ...]:
    """Imports of `__future__` stand before all others."""
    return tuple(sorted(units, key=lambda unit: not unit.is_future_import))
