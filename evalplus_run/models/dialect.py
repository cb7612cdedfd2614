"""Which parameters a server takes: known of a family or learnt from refusals, remembered for the run, told in the
manifest.

Parameters go by OpenAI's names here, whatever an API calls them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

RENAMED = {"max_tokens": "max_completion_tokens"}
"""OpenAI's reasoning models know the limit by another name only."""

DROPPABLE = ("n", "top_p", "temperature", "seed", "stop", "chat_template_kwargs", "reasoning_effort")
"""What an answer can be had without. Stop strings are applied on our side too, and further answers asked for apart.

Of two that are refused together the first is given up: of `top_p` and `temperature`, the nucleus."""

_REFUSED = re.compile(
    r"unsupported|not support|unknown|unrecogni[sz]ed|not permitted|not allowed|unexpected|extra (inputs|fields)"
    r"|deprecated|at most|too long|too_long|too many|maximum length|cannot both",
    re.IGNORECASE,
)


_N = re.compile(
    r"['\"`]n['\"`]|\bn\s?(?:=|>|must|is|value|should)|(?:parameter|value|field):? n\b"
    r"|only one (?:completion )?choice",
    re.IGNORECASE,
)
"""How servers speak of `n`, which is a letter of prompts too."""

_OTHER_NAMES = {
    "top_p": ("topP",),
    "stop": ("stop_sequences", "stopSequences"),
}
"""What other APIs call a parameter."""


class Dialect:
    """The parameters of one server, as far as its refusals have taught them.

    `refused` are those that are known to be refused, each with the reason that is told.
    """

    def __init__(self, refused: Mapping[str, str] | None = None) -> None:
        self._renamed: dict[str, str] = {}
        self.dropped: dict[str, str] = {}
        """The parameters that are not sent, each with the reason."""
        for name, words in (refused or {}).items():
            self.note(name, words)

    def translate(self, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """The parameters as this server takes them."""
        return {
            RENAMED[name] if name in self._renamed else name: value
            for name, value in parameters.items()
            if name not in self.dropped
        }

    def learn(self, sent: Collection[str], param: str | None, words: str) -> str | None:
        """Take in the refusal of a request; the parameter it named, where it can be dropped or renamed.

        `sent` are the names of what was sent, `param` is what the server names as at fault, `words` its message.
        """
        for name in (*RENAMED, *DROPPABLE):
            if name in sent and _is_refused(name, words) and _is_named(name, param, words):
                if name in RENAMED and RENAMED[name] not in words:
                    continue
                self.note(name, words)
                return name
        return None

    def note(self, name: str, words: str) -> None:
        """Send it no more, or by its other name, for the reason given."""
        if name in RENAMED:
            self._renamed[name] = words
        else:
            self.dropped[name] = words

    @property
    def refused(self) -> dict[str, str]:
        """All that is not sent under its own name, each with the reason: another dialect made of it is the same."""
        return self._renamed | self.dropped

    def notes(self) -> dict[str, str]:
        """What was changed, for the manifest; empty where the server took everything."""
        renamed = {f"parameter {name}": f"sent as {RENAMED[name]}" for name in self._renamed}
        return renamed | {f"parameter {name}": f"not sent: {words}" for name, words in self.dropped.items()}


def _is_refused(name: str, words: str) -> bool:
    # Whatever is wrong with a wish for several answers at once: they can be had one by one.
    return name == "n" or _REFUSED.search(words) is not None


def _is_named(name: str, param: str | None, words: str) -> bool:
    names = (name, *_OTHER_NAMES.get(name, ()))
    if param:
        return param.split(".")[-1] in names
    if name == "n":
        return _N.search(words) is not None
    return re.search(rf"\b(?:{'|'.join(names)})\b", words, re.IGNORECASE) is not None
