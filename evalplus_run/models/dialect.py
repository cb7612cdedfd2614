"""Which parameters a server takes: learnt from its refusals, remembered for the run, told in the manifest."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

RENAMED = {"max_tokens": "max_completion_tokens"}
"""OpenAI's reasoning models know the limit by another name only."""

DROPPABLE = ("temperature", "top_p", "seed", "stop", "chat_template_kwargs")
"""What an answer can be had without. Stop strings are applied on our side too."""

_REFUSED = re.compile(
    r"unsupported|not support|unknown|unrecogni[sz]ed|not permitted|not allowed|unexpected|extra (inputs|fields)"
    r"|deprecated|at most|too long|too_long|too many|maximum length",
    re.IGNORECASE,
)


class Dialect:
    """The parameters of one server, as far as its refusals have taught them."""

    def __init__(self) -> None:
        self._renamed: set[str] = set()
        self._dropped: dict[str, str] = {}

    def translate(self, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """The parameters as this server takes them."""
        return {
            RENAMED[name] if name in self._renamed else name: value
            for name, value in parameters.items()
            if name not in self._dropped
        }

    def learn(self, sent: Mapping[str, Any], param: str | None, words: str) -> str | None:
        """Take in the refusal of a request; the parameter it named, where it can be dropped or renamed.

        `param` is what the server names as at fault, `words` its message.
        """
        for name in (*RENAMED, *DROPPABLE):
            if name in sent and _REFUSED.search(words) and _names(name, param, words):
                if name in RENAMED and RENAMED[name] not in words:
                    continue
                self._note(name, words)
                return name
        return None

    def _note(self, name: str, words: str) -> None:
        if name in RENAMED:
            self._renamed.add(name)
        else:
            self._dropped[name] = words

    def notes(self) -> dict[str, str]:
        """What was changed, for the manifest; empty where the server took everything."""
        renamed = {f"parameter {name}": f"sent as {RENAMED[name]}" for name in self._renamed}
        return renamed | {f"parameter {name}": f"not sent: {words}" for name, words in self._dropped.items()}


def _names(name: str, param: str | None, words: str) -> bool:
    if param:
        return param.split(".")[-1] == name
    return re.search(rf"\b{name}\b", words) is not None
