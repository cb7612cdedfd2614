"""What families of models behind APIs take, as far as it is known beforehand; refusals teach the rest."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Literal

from evalplus_run.models.base import Thinking
from evalplus_run.records import UserError

Refusable = Literal["temperature", "top_p", "n", "stop", "seed", "max_tokens", "prefill"]
"""What a family may take or refuse; `max_tokens` is refused where the limit has a newer name only."""


@dataclass(frozen=True, slots=True)
class Family:
    """What the models of one family have in common."""

    refuses: frozenset[str] = frozenset()
    thinking: Literal["none", "budget", "adaptive"] = "none"
    """How thinking is asked for: not at all, with a budget of tokens, or by leaving its length to the model."""
    by_itself: bool = False
    """Whether it may think where nothing is said of thinking."""
    always: bool = False
    """Whether nothing keeps it from thinking."""

    def refused(self, name: str, by_the_user: Collection[str]) -> dict[str, str]:
        """The parameters that are not to be sent to the model `name`, with the reason."""
        known = dict.fromkeys(self.refuses - {"prefill"}, f"{name} is not known to take it")
        return known | {each: "model.refuses names it" for each in by_the_user if each in known}

    def thinks(self, asked: Thinking, name: str) -> bool:
        """Whether an answer may begin with thinking. Raises UserError for what the model `name` cannot do."""
        if asked == "on" and self.thinking == "none" and not self.by_itself:
            raise UserError(f"{name} is not known to take an order to think: leave prompt.thinking=auto.")
        if asked == "off" and self.always:
            raise UserError(f"{name} always thinks: leave prompt.thinking=auto.")
        return asked == "on" or (asked == "auto" and self.by_itself)


_PREFILL = frozenset({"prefill"})
_SAMPLING = frozenset({"temperature", "top_p"})
_ONE = frozenset({"n"})

_CLAUDE = Family(_SAMPLING | _PREFILL | _ONE, "adaptive", by_itself=True)
_GEMINI = Family(_PREFILL, "adaptive", by_itself=True, always=True)

_FAMILIES: tuple[tuple[str, Family], ...] = (
    ("claude-(?:fable|mythos)", replace(_CLAUDE, always=True)),
    ("claude-[a-z]+-4[-.][78]", replace(_CLAUDE, by_itself=False)),
    ("claude-[a-z]+-4[-.]6", Family(_PREFILL | _ONE | {"top_p"}, "adaptive")),
    ("claude-(?:opus-4[-.][15]|sonnet-4[-.]5|haiku-4[-.]5)", Family(_ONE | {"top_p"}, "budget")),
    ("claude-(?:opus-4|sonnet-4|3[-.]7)", Family(_ONE, "budget")),
    ("claude-(?:3|2|instant)", Family(_ONE)),
    ("claude", _CLAUDE),
    ("gemma|gemini-(?:1|2[.]0)", Family(_PREFILL)),
    ("gemini-2[.]5-flash", Family(_PREFILL, "budget", by_itself=True)),
    ("gemini", _GEMINI),
    ("^deepseek-reasoner", Family(_PREFILL | _ONE, by_itself=True, always=True)),
    ("^deepseek-chat", Family(_PREFILL | _ONE)),
    ("deepseek[-./]r1|gpt-oss", Family(_PREFILL, by_itself=True, always=True)),
    ("^(?:o[134]|gpt-5)", Family(_PREFILL | {"max_tokens"}, by_itself=True)),
)
"""By what is found in a model's name, the first that is; a new model is taken for the newest of its kind."""

_OTHERS = Family(_PREFILL)


def family_of(name: str, takes: Collection[str] = (), refuses: Collection[str] = ()) -> Family:
    """The family of a model by its name; what the user says it takes or refuses stands above the table."""
    known = next((family for pattern, family in _FAMILIES if re.search(pattern, name, re.IGNORECASE)), _OTHERS)
    return replace(known, refuses=known.refuses - set(takes) | set(refuses))
