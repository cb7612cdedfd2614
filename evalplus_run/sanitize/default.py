"""The default sanitizer: from whatever a model writes to the program that it meant."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from evalplus_run.records import FinishReason, Outcome, Task
from evalplus_run.sanitize.bodies import join_body
from evalplus_run.sanitize.candidates import (
    Candidate,
    find_candidate,
    other_readings,
    read_candidate,
    supplied,
)
from evalplus_run.sanitize.characters import clean, plain
from evalplus_run.sanitize.definitions import Choice, choose_definitions
from evalplus_run.sanitize.entry import definition_in_words, is_prompt
from evalplus_run.sanitize.methods import lift_method, why_no_entry_point
from evalplus_run.sanitize.notes import notes_of
from evalplus_run.sanitize.outcomes import is_cut_off, outcome_without_program
from evalplus_run.sanitize.reasoning import set_reasoning_apart
from evalplus_run.sanitize.segments import pieces_of
from evalplus_run.sanitize.settings import SanitizerSettings
from evalplus_run.sanitize.syntax import parses
from evalplus_run.sanitize.units import most_code, program_text

_MOST_PASSES = 3  # over what the pass before has made; one shows that nothing changes
_CODE_LINE = re.compile(r"(?m)^[ \t]+[^\s#]")


@dataclass(frozen=True, slots=True)
class Sanitized:
    """A program, or why there is none, and what was done."""

    solution: str = ""
    outcome: Outcome | None = None
    notes: Mapping[str, str] = field(default_factory=dict)
    settled: bool = False
    """Sanitizing the solution would change nothing."""


@dataclass(frozen=True, slots=True)
class _Answer:
    """What may hold the program."""

    front: str
    """The prompt, if the answer goes on from it."""
    text: str
    """The answer, its reasoning set apart."""
    is_program: bool
    """All of it parses."""
    reasoning: str = ""
    """What was set apart, if it came to an end."""

    @property
    def whole(self) -> str:
        return self.front + self.text

    @property
    def pieces(self) -> list[str]:
        return [self.text] if self.is_program else pieces_of(self.text)


def sanitize_by_default(
    raw: str | None, finish_reason: FinishReason, task: Task, settings: SanitizerSettings, *, prompt_in_front: bool
) -> Sanitized:
    """Choose the text, then the definitions; where there is no program, tell why.

    What comes of broken text is sanitized again until nothing changes, so that the solution is its own sanitized text.
    """
    done = _pass(clean(raw), joined_prompt(task) if prompt_in_front else "", finish_reason, task, settings)
    for _ in range(_MOST_PASSES):
        if done.settled or not done.solution:
            break
        again = _pass(done.solution, "", finish_reason, task, settings)
        settled = again.solution == done.solution
        done = replace(again, notes={**done.notes, **again.notes}, settled=settled)
    return done


def _pass(text: str, front: str, finish_reason: FinishReason, task: Task, settings: SanitizerSettings) -> Sanitized:
    answer, reasoning = _answer(text, front)
    found = (read_candidate if answer.is_program else find_candidate)(answer.whole, task)
    if found is not None and found.quality.full:
        done = replace(_program(found, task), settled=answer.is_program)
    else:
        done = _without_full_candidate(text, answer, found, finish_reason, task=task, settings=settings)
    if (
        done.outcome is Outcome.NO_CODE
        and answer.reasoning
        and (inside := _full(find_candidate(answer.reasoning, task)))
    ):
        done, reasoning = _program(inside, task), {"reasoning": "taken for the answer, the only one"}
    return replace(done, notes={**reasoning, **done.notes})


def joined_prompt(task: Task) -> str:
    """The prompt, ready for a completion to go on from."""
    return clean(task.prompt) + ("" if task.prompt.endswith("\n") else "\n")


def _answer(text: str, front: str) -> tuple[_Answer, dict[str, str]]:
    """The answer without its reasoning, unless the reasoning came to an end and nothing follows."""
    if parses(front + text):
        return _Answer(front, text, is_program=True), {}
    parts = set_reasoning_apart(plain(text))
    if not parts.reasoning:
        return _Answer(front, parts.text, is_program=False), {}
    if parts.closed and not parts.text.strip():
        return _Answer(front, parts.reasoning, is_program=False), {"reasoning": "taken for the answer, the only one"}
    told = {"reasoning": f"{len(parts.reasoning)} characters set apart"}
    return _Answer(front, parts.text, is_program=False, reasoning=parts.reasoning if parts.closed else ""), told


def _program(candidate: Candidate, task: Task) -> Sanitized:
    choice = _choice(candidate, task)
    for other in other_readings(candidate, choice.missing, task):
        fuller = _choice(other, task)
        if fuller.missing < choice.missing:
            candidate, choice = other, fuller
    return Sanitized(program_text(choice.kept), None, notes_of(candidate, choice))


def _choice(candidate: Candidate, task: Task) -> Choice:
    """What stays of a candidate, and of what its answer says elsewhere, if it lacks that."""
    choice = choose_definitions(candidate.units, task.entry_point)
    if not choice.missing:
        return choice
    return choose_definitions(supplied(candidate, choice.missing, task), task.entry_point)


def _without_full_candidate(
    text: str,
    answer: _Answer,
    found: Candidate | None,
    finish_reason: FinishReason,
    *,
    task: Task,
    settings: SanitizerSettings,
) -> Sanitized:
    """A body for the prompt, a stub that the model wrote, a method, other code, or nothing."""
    pieces = answer.pieces
    units, broken = most_code(pieces), _broken(answer, pieces, task)
    code = broken or program_text(units)
    cut_off = is_cut_off(answer.whole, finish_reason) or is_cut_off(code, finish_reason)
    candidate = join_body(pieces, task) or _full(read_candidate(broken, task)) or found
    if candidate is not None and not is_prompt(candidate.definition, task) and not (cut_off and candidate.is_cut_stub):
        return _program(candidate, task)
    lifted = lift_method(units, task) if settings.lift_methods else None
    if lifted is not None:
        done = _program(lifted, task)
        return replace(done, notes={**done.notes, "lifted": "the entry point calls the method of a class"})
    outcome = outcome_without_program(text, finish_reason, cut_off=cut_off)
    if outcome is not Outcome.NO_CODE or not code.strip():
        return Sanitized(outcome=outcome)
    why = "its definition does not parse" if broken else why_no_entry_point(units, task)
    return Sanitized(code, None, {"entry_point": why})


def _broken(answer: _Answer, pieces: Sequence[str], task: Task) -> str:
    """The last attempt at the entry point's definition, for the judge to name its fault; empty if there is none."""
    if answer.front and not _CODE_LINE.search(answer.text):
        return ""
    attempts = [attempt for piece in pieces if (attempt := definition_in_words(piece, task))]
    if answer.front and not attempts:
        attempts = [definition_in_words(answer.whole, task)]
    # Cut again: what hid a mark, an open string perhaps, may stand before the definition.
    again = pieces_of(attempts[-1]) if attempts else []
    return again[0].strip() + "\n" if again else ""


def _full(candidate: Candidate | None) -> Candidate | None:
    return candidate if candidate is not None and candidate.quality.full else None
