"""Which parameters a server takes: known of a family or learnt from refusals, remembered for the run, told in the
manifest.

Parameters go by OpenAI's names here, whatever an API calls them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

RENAMED = {"max_tokens": "max_completion_tokens"}
"""OpenAI's reasoning models know the limit by another name only."""

DROPPABLE = ("top_p", "temperature", "seed", "stop", "chat_template_kwargs", "reasoning_effort")
"""What an answer can be had without. Stop strings are applied on our side too.

Of two that are refused together the first is given up: of `top_p` and `temperature`, the nucleus."""

_REFUSED = re.compile(
    r"unsupported|not support|unknown|unrecogni[sz]ed|not permitted|not allowed|unexpected|extra (inputs|fields)"
    r"|deprecated|at most|too long|too_long|too many|maximum length|cannot both",
    re.IGNORECASE,
)


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
        self._renamed: set[str] = set()
        self.dropped: dict[str, str] = {}
        """The parameters that are not sent, each with the reason."""
        for name, words in (refused or {}).items():
            self._note(name, words)

    def translate(self, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """The parameters as this server takes them."""
        return {
            RENAMED[name] if name in self._renamed else name: value
            for name, value in parameters.items()
            if name not in self.dropped
        }

    def learn(self, sent: Mapping[str, Any], param: str | None, words: str) -> str | None:
        """Take in the refusal of a request; the parameter it named, where it can be dropped or renamed.

        `param` is what the server names as at fault, `words` its message.
        """
        for name in (*RENAMED, *DROPPABLE):
            if name in sent and _REFUSED.search(words) and _is_named(name, param, words):
                if name in RENAMED and RENAMED[name] not in words:
                    continue
                self._note(name, words)
                return name
        return None

    def _note(self, name: str, words: str) -> None:
        if name in RENAMED:
            self._renamed.add(name)
        else:
            self.dropped[name] = words

    def notes(self) -> dict[str, str]:
        """What was changed, for the manifest; empty where the server took everything."""
        renamed = {f"parameter {name}": f"sent as {RENAMED[name]}" for name in self._renamed}
        return renamed | {f"parameter {name}": f"not sent: {words}" for name, words in self.dropped.items()}


def _is_named(name: str, param: str | None, words: str) -> bool:
    names = (name, *_OTHER_NAMES.get(name, ()))
    if param:
        return param.split(".")[-1] in names
    return re.search(rf"\b(?:{'|'.join(names)})\b", words, re.IGNORECASE) is not None
