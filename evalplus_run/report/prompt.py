"""What a model was sent for a task, from the first prompt of its run as the manifest keeps it.

All prompts of a run are alike but for the task's text, which every style and template takes in once and as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from evalplus_run.records import Task


@dataclass(frozen=True, slots=True)
class PromptForm:
    """What stands around the task's text in the prompts of a run: the chat template, instructions, a begun answer."""

    before: str
    after: str

    def of(self, task: Task) -> str:
        """The prompt of this task."""
        return f"{self.before}{task.asked}{self.after}"


def prompt_form(manifest: Mapping[str, Any]) -> PromptForm | None:
    """That of the run; None where nobody knows what a model got: samples that were given, answers that are replayed."""
    match manifest:
        case {"model": {"kind": "replay"}}:
            return None
        case {"first_prompt": {"text": str(text), "task_at": [int(start), int(end)]}}:
            return PromptForm(text[:start], text[end:])
        case _:
            return None
