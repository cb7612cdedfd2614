"""One answer as it grows, token by token: where it ends, and what is drawn for it."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from evalplus_run.models.answers import THINK_CLOSE, THINK_OPEN
from evalplus_run.records import FinishReason, Prompt

_MARGIN = 4
"""Tokens decoded beside those looked at: some tokenizers drop the first one's leading space."""
_HEAD = 8
"""Tokens within which a thinking section begins, if one does."""


class Reader:
    """From tokens to text."""

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer

    def text(self, ids: Sequence[int]) -> str:
        """Special tokens left out, spaces as they are."""
        decoded: str = self._tokenizer.decode(ids, skip_special_tokens=True, clean_up_tokenization_spaces=False)
        return decoded


@dataclass(slots=True, eq=False)
class Row:
    """One sample; the only thing here that changes, and only in the thread that generates."""

    prompt: Prompt
    index: int
    ids: tuple[int, ...]
    """Of the prompt."""
    ends: frozenset[int]
    """Tokens that end the answer."""
    stops: tuple[str, ...]
    limit: int
    """Tokens of the answer at most."""
    seed: int
    opened: bool = False
    """The prompt ends inside a thinking section."""
    thinking: int = 0
    """Tokens that may be made on top of the answer's, for thinking."""
    made: list[int] = field(default_factory=list)
    finish_reason: FinishReason | None = None
    """None while it grows."""
    begun: float = 0.0
    ended: float = 0.0
    """By the monotonic clock, in seconds."""
    _answer_from: int | None = None
    """The token from which stop strings count; None inside a thinking section, or while that is open."""

    @property
    def length(self) -> int:
        """Tokens of the prompt and the answer so far."""
        return len(self.ids) + len(self.made)

    def draw(self) -> float:
        """The number in [0, 1) that the next token is drawn with: it depends on the seed and the place alone."""
        digest = hashlib.sha256(f"{self.seed}\n{len(self.made)}".encode()).digest()
        return (int.from_bytes(digest[:8], "big") >> 11) / (1 << 53)

    @property
    def most(self) -> int:
        """Tokens made at most, of thinking and answer."""
        return self.thinking + self.limit

    def take(self, token: int, reader: Reader) -> None:
        """Add a token, and end the answer where it ends with it."""
        self.made.append(token)
        if token in self.ends or self._stopped(reader):
            self.finish_reason = "stop"
        elif self._is_full(reader):
            self.finish_reason = "length"
        if self.finish_reason is not None:
            self.ended = time.monotonic()

    def text(self, reader: Reader) -> str:
        """The answer's raw text; read behind the prompt's end, so that a leading space is kept."""
        made = self.made[:-1] if self.made and self.made[-1] in self.ends else self.made
        before = self.ids[-_MARGIN:]
        return reader.text([*before, *made])[len(reader.text(before)) :]

    def _is_full(self, reader: Reader) -> bool:
        """Whether no token more may be made: thinking may use up the answer's too, an answer has only its own."""
        if self.thinking:
            self._answers(reader)
        answer = 0 if self._answer_from is None else len(self.made) - self._answer_from
        return len(self.made) >= self.most or answer >= self.limit

    def _stopped(self, reader: Reader) -> bool:
        """Whether the last token completes a stop string."""
        if not self.stops or not self._answers(reader):
            return False
        # A token stands for one byte at least.
        seen = max(len(stop.encode()) for stop in self.stops) + _MARGIN
        tail = reader.text(self.made[max(self._answer_from or 0, len(self.made) - seen) :])
        return any(stop in tail for stop in self.stops)

    def _answers(self, reader: Reader) -> bool:
        """Whether the text is past its thinking section, or has none; none is looked for behind the first tokens."""
        if self._answer_from is not None:
            return True
        inside = self.opened or reader.text(self.made[:_HEAD]).lstrip().startswith(THINK_OPEN)
        if not inside:
            if len(self.made) >= _HEAD:
                self._answer_from = 0
            return True
        if THINK_CLOSE in reader.text(self.made[-len(THINK_CLOSE) - _MARGIN :]):
            self._answer_from = len(self.made)
        return False
