"""From a model's text to a program: pure, deterministic, in linear time, without raising."""

from __future__ import annotations

import gc
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from evalplus_run.records import Completion, Outcome, Program, Task
from evalplus_run.sanitize.default import joined_prompt, sanitize_by_default
from evalplus_run.sanitize.evalplus import reduce_as_evalplus
from evalplus_run.sanitize.outcomes import outcome_without_program
from evalplus_run.sanitize.settings import SanitizerName, SanitizerSettings

__all__ = ["SanitizerName", "SanitizerSettings", "sanitize"]


def sanitize(
    completion: Completion, task: Task, settings: SanitizerSettings, *, prompt_in_front: bool = False
) -> Program:
    """Make a program of a completion, with what was done in its notes.

    With `prompt_in_front` the completion goes on from the task's prompt, as a base model's does: the program is
    both. Where there is nothing to run, the outcome tells why and the solution is empty.
    """
    text = completion.text or ""
    outcome: Outcome | None = None
    notes = {"prompt_prepended": "true"} if prompt_in_front else {}
    with _uncollected(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the parser, about the model's code
        if settings.name == "default":
            done = sanitize_by_default(text, completion.finish_reason, task, settings, prompt_in_front=prompt_in_front)
            solution, outcome, notes = done.solution, done.outcome, {**notes, **done.notes}
        elif settings.name == "evalplus":
            # EvalPlus joins a file's completions to the prompt with a newline.
            solution = reduce_as_evalplus(f"{task.prompt}\n{text}" if prompt_in_front else text, task.entry_point)
        else:
            solution = joined_prompt(task) + text if prompt_in_front else text
    if outcome is None and not text.strip():
        reason = completion.finish_reason
        outcome = outcome_without_program(text, reason, cut_off=reason == "length")
    return Program(completion.task_id, completion.index, solution, outcome, settings.name, notes)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Syntax trees hold no cycles, and collecting while they grow takes longer than making them."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()
