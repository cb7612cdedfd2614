"""The default sanitizer: from whatever a model writes to the program that it meant."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from evalplus_run.records import FinishReason, Outcome, Task
from evalplus_run.sanitize.bodies import join_body, lift_method, method_owner
from evalplus_run.sanitize.candidates import Candidate, find_candidate, read_candidate, supplied
from evalplus_run.sanitize.characters import clean, plain
from evalplus_run.sanitize.definitions import Choice, choose_definitions
from evalplus_run.sanitize.entry import Quality
from evalplus_run.sanitize.outcomes import is_cut_off, outcome_without_program
from evalplus_run.sanitize.reasoning import set_reasoning_apart
from evalplus_run.sanitize.segments import pieces_of
from evalplus_run.sanitize.settings import SanitizerSettings
from evalplus_run.sanitize.syntax import parses
from evalplus_run.sanitize.units import Unit, program_text, read_units

_LONGEST_NOTE = 200  # characters


@dataclass(frozen=True, slots=True)
class Sanitized:
    """A program, or why there is none, and what was done."""

    solution: str = ""
    outcome: Outcome | None = None
    notes: Mapping[str, str] = field(default_factory=dict)


def sanitize_by_default(
    raw: str | None, finish_reason: FinishReason, task: Task, settings: SanitizerSettings, *, prompt_in_front: bool
) -> Sanitized:
    """Choose the text, then the definitions; where there is no program, tell why."""
    text = clean(raw)
    if not text.strip():
        return Sanitized(outcome=outcome_without_program("", finish_reason, cut_off=is_cut_off("", finish_reason)))
    front = joined_prompt(task) if prompt_in_front else ""
    is_program = parses(front + text)
    answer, notes = (text, {}) if is_program else _answer(text)
    found = (read_candidate if is_program else find_candidate)(front + answer, task)
    if found is not None and found.quality.full:
        return _program(found, task, notes)
    pieces = [answer] if is_program else pieces_of(answer)
    cut_off = is_cut_off(front + answer, finish_reason)
    candidate = join_body(pieces, task) or (None if front else found)  # the prompt alone is no answer
    if candidate is not None and not (cut_off and _is_cut_stub(candidate)):
        return _program(candidate, task, notes)
    return _without_entry_point(
        pieces, task, settings, notes, outcome_without_program(text, finish_reason, cut_off=cut_off)
    )


def _without_entry_point(
    pieces: Sequence[str], task: Task, settings: SanitizerSettings, notes: dict[str, str], outcome: Outcome
) -> Sanitized:
    """The method of a class, or code that does not define the entry point, or nothing."""
    units = _most_code(pieces)
    lifted = lift_method(units, task) if settings.lift_methods else None
    if lifted is not None:
        notes["lifted"] = "the entry point calls the method of a class"
        return _program(Candidate(lifted, Quality(full=True, complete=True)), task, notes)
    if units and outcome is Outcome.NO_CODE:
        notes["entry_point"] = _why_missing(units, task)
        return Sanitized(program_text(units), None, notes)
    return Sanitized(outcome=outcome, notes=notes)


def joined_prompt(task: Task) -> str:
    """The prompt, ready for a completion to go on from."""
    return clean(task.prompt) + ("" if task.prompt.endswith("\n") else "\n")


def _answer(text: str) -> tuple[str, dict[str, str]]:
    """The answer without its reasoning, unless the reasoning came to an end and nothing follows."""
    parts = set_reasoning_apart(plain(text))
    if not parts.reasoning:
        return parts.text, {}
    if parts.closed and not parts.text.strip():
        return parts.reasoning, {"reasoning": "taken for the answer: there is no other"}
    return parts.text, {"reasoning": f"{len(parts.reasoning)} characters set apart"}


def _is_cut_stub(candidate: Candidate) -> bool:
    return not candidate.quality.full and not candidate.quality.complete


def _program(candidate: Candidate, task: Task, notes: dict[str, str]) -> Sanitized:
    choice = choose_definitions(candidate.units, task.entry_point)
    if choice.missing:
        choice = choose_definitions(supplied(candidate, choice.missing, task), task.entry_point)
    notes |= _notes(candidate, choice)
    return Sanitized(program_text(choice.kept), None, notes)


def _notes(candidate: Candidate, choice: Choice) -> dict[str, str]:
    faults = [unit.fault for unit in choice.kept if unit.fault and not unit.cut]
    notes = {
        "block": candidate.place,
        "reading": candidate.reading,
        "prompt_prepended": "true" if candidate.prompt_in_front else "",
        "dropped": _dropped(choice),
        "cut": "; ".join(unit.fault for unit in choice.kept if unit.cut),
        "syntax": "; ".join(faults),
        "missing": ", ".join(sorted(choice.missing)),
    }
    return {name: note[:_LONGEST_NOTE] for name, note in notes.items() if note}


def _dropped(choice: Choice) -> str:
    by_reason: dict[str, list[str]] = {}
    for reason, unit in choice.dropped:
        by_reason.setdefault(reason, []).append(_label(unit))
    return "; ".join(f"{reason}: {', '.join(labels)}" for reason, labels in by_reason.items())


def _label(unit: Unit) -> str:
    bound = ", ".join(sorted(unit.names.binds))
    return bound or unit.text.strip().split("\n")[-1].strip()[:40]


def _most_code(pieces: Sequence[str]) -> Sequence[Unit]:
    """The statements of the piece with the most code, the first of equals; none if no piece has any."""
    read = [read_units(piece) for piece in pieces]
    return max(read, key=_amount) if any(map(_amount, read)) else []


def _amount(units: Iterable[Unit]) -> int:
    """The lines of what binds names: prose that happens to parse does not."""
    return sum(unit.text.strip().count("\n") + 1 for unit in units if unit.names.binds)


def _why_missing(units: Sequence[Unit], task: Task) -> str:
    owner = method_owner(units, task)
    return f"only a method of class {owner.name}" if owner is not None else "not defined"
