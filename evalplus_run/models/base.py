"""The seam between sampling and whoever answers."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Protocol

from evalplus_run.records import Completion, Prompt, Rendered, Request, Sampling


class Model(Protocol):
    """Answers prompts. One implementation per file; heavy imports inside its constructor or `start`."""

    chat: bool
    """Whether it takes a chat (`Prompt.messages`) rather than bare text."""
    prefills: bool
    """Whether an assistant turn that has begun (`Prompt.prefill`) is continued."""
    local: bool
    """Whether it computes on this machine's cores, so that judging must give way to it."""

    async def start(self) -> None:
        """Load or connect; called once, before anything else. Raises UserError for what the user can mend."""

    def identity(self) -> Mapping[str, str]:
        """What moves its samples, known without `start`: name, revision, kind, file hash, precision."""

    def versions(self) -> Mapping[str, str]:
        """The engine's name and version and what else the manifest should tell; after `start`."""

    async def render(self, prompt: Prompt) -> Rendered:
        """The prompt as the engine gets it: the chat template applied, exactly one BOS."""

    def complete(self, requests: Sequence[Request], sampling: Sampling) -> AsyncIterator[Completion]:
        """Answer all requests, in any order, as they are ready.

        All requests are in flight at once, bounded by the model's own concurrency. `sampling.n` is not
        looked at: each request names the indices wanted. Stop strings are `prompt.stop` and `sampling.stop`.
        An answer that fails for good is not yielded; its error is raised once the others are through.
        """

    async def close(self) -> None:
        """Free memory, stop children; safe to call twice and without `start`."""
