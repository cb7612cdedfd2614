"""What a chat template makes of thinking, and whether an answer may be begun for it.

A pre-filled answer inside an open thinking section, or in place of one, would silently measure the model
without its thinking.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from evalplus_run.models.answers import THINK_CLOSE, THINK_OPEN
from evalplus_run.models.base import Thinking
from evalplus_run.records import UserError

_SECTION = re.compile(r"think|reasoning_content|<\|channel\|>", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Habit:
    """How one template treats thinking."""

    thinking: Literal["on", "off", "none"]
    """What is measured; none: the template knows no thinking."""
    opened: bool = False
    """The prompt ends inside a thinking section, so the answer begins there."""

    @property
    def prefills(self) -> bool:
        """Whether the answer itself may be begun."""
        return self.thinking != "on" and not self.opened


def has_section(source: str) -> bool:
    """Whether a template, as Jinja source, knows thinking."""
    return _SECTION.search(source) is not None


def habit(source: str, header: str, asked: Thinking) -> Habit:
    """From the template's source and a chat it rendered up to where the answer begins.

    A template that knows thinking is taken to think unless asked not to, even where its header does not show it:
    hybrid models open the section themselves.
    """
    if not has_section(source):
        return Habit("none")
    if header.rfind(THINK_OPEN) > header.rfind(THINK_CLOSE):
        return Habit("on", opened=True)
    return Habit("off" if asked == "off" else "on")


def obeyed(found: Habit, asked: Thinking, name: str) -> Habit:
    """The same habit. Raises UserError where the model of this name thinks although asked not to."""
    if asked == "off" and found.thinking == "on":
        raise UserError(f"The template of {name} always opens a thinking section: leave prompt.thinking=auto.")
    return found
