"""The seam between sampling and whoever answers."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import Literal, Protocol

from evalplus_run.records import Completion, Prompt, Rendered, Request, Sampling

Thinking = Literal["auto", "on", "off"]
"""What a chat template is asked for: a thinking section, none, or what the model does by itself."""


class Model(Protocol):
    """Answers prompts. One implementation per file; heavy imports inside its constructor or `start`."""

    chat: bool
    """Whether it takes a chat (`Prompt.messages`) rather than bare text; final after `start`."""
    prefills: bool
    """Whether an assistant turn that has begun (`Prompt.prefill`) is continued; final after `start`."""
    local: bool
    """Whether it computes on this machine's cores, so that judging must give way to it."""

    async def start(self, thinking: Thinking = "auto") -> None:
        """Load or connect; called once, before anything else. Raises UserError for what the user can mend."""

    def identity(self) -> Mapping[str, str]:
        """What moves its samples, known without `start`: name, revision, kind, file hash, precision."""

    def versions(self) -> Mapping[str, str]:
        """The engine's name and version and what else the manifest should tell.

        Complete only after the last answer: what a server refused on the way is told here too.
        """

    async def render(self, prompt: Prompt) -> Rendered:
        """The prompt as the engine gets it: the chat template applied, exactly one BOS."""

    def complete(self, requests: Sequence[Request], sampling: Sampling) -> AsyncGenerator[Completion, None]:
        """Answer all requests, in any order, as they are ready.

        All requests are in flight at once, bounded by the model's own concurrency; closing the generator
        ends them. `sampling.n` is not looked at: each request names the indices wanted. Stop strings are
        `prompt.stop` and `sampling.stop`; the text ends before the earliest of them, whatever the engine did.
        An answer that fails for good is not yielded; its error is raised once the others are through.
        """

    async def close(self) -> None:
        """Free memory, stop children; safe to call twice and without `start`."""
