"""What a chat template makes of thinking, whether an answer may be begun for it, and how long the thinking may be.

A pre-filled answer inside an open thinking section, or in place of one, would silently measure the model
without its thinking.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from evalplus_run.models.answers import THINK_CLOSE, THINK_OPEN
from evalplus_run.models.base import Thinking
from evalplus_run.records import Prompt, UserError

logger = logging.getLogger(__name__)

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


def template_options(asked: Thinking) -> Mapping[str, bool]:
    """What a template is given: the switch by both of its usual names; nothing where the model is left to itself."""
    return {} if asked == "auto" else dict.fromkeys(("enable_thinking", "thinking"), asked == "on")


def habit(source: str, header: str, asked: Thinking) -> Habit:
    """From the template's source and a chat it rendered up to where the answer begins.

    A template that knows thinking is taken to think unless asked not to, even where its header does not show it:
    hybrid models open the section themselves.
    """
    if not has_section(source):
        return Habit("none")
    if header.rfind(THINK_OPEN) > header.rfind(THINK_CLOSE):
        return Habit("on", opened=True)
    return Habit("off" if asked == "off" or header.rstrip().endswith(THINK_CLOSE) else "on")


def obeyed(found: Habit, asked: Thinking, name: str) -> Habit:
    """The same habit. Raises UserError where the model of this name does what it was asked not to do."""
    if asked == "off" and found.thinking == "on":
        raise UserError(f"The template of {name} always opens a thinking section: leave prompt.thinking=auto.")
    if asked == "on" and found.thinking == "off":
        raise UserError(f"The template of {name} closes the thinking section: leave prompt.thinking=auto.")
    return found


class ThinkingRoom:
    """The tokens that answers may take for thinking, on top of their own: as set, or as there is room for."""

    def __init__(self, habit: Habit, tokens: int) -> None:
        self._thinks = habit.thinking == "on"
        self._tokens = self._least = tokens
        self._context = 0

    def beside(self, prompt: Prompt, needed: int, context: int) -> int:
        """Of a context of so many tokens, `needed` of them for the prompt and the answer; 0 where nobody thinks."""
        if not self._thinks or not prompt.messages:
            return 0
        room = max(0, min(self._tokens, context - needed))
        if room < self._least:
            self._least, self._context = room, context
        return room

    def tell(self) -> None:
        """Warn where it was less than is set."""
        if self._least < self._tokens:
            logger.warning("thinking gets %s", self._words())

    def notes(self) -> Mapping[str, str]:
        """For the manifest; empty where nobody thinks."""
        return {"thinking_tokens": self._words()} if self._thinks else {}

    def _words(self) -> str:
        if self._least == self._tokens:
            return str(self._tokens)
        return f"{self._least} tokens in place of {self._tokens}: the context has {self._context} for all of an answer"
