"""Any OpenAI-compatible server: OpenAI, vLLM, llama.cpp, Ollama, DeepSeek, OpenRouter."""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from evalplus_run.models.address import checked_address
from evalplus_run.models.answers import in_groups, sample_seed, stop_strings
from evalplus_run.models.asking import Answer
from evalplus_run.models.base import Thinking
from evalplus_run.models.batch_desk import Pauses
from evalplus_run.models.batch_notes import BatchNotes
from evalplus_run.models.batches import Batches, Questions
from evalplus_run.models.compatible import CompatibleServer, read_answers
from evalplus_run.models.dialect import Dialect
from evalplus_run.models.flight import fly_together
from evalplus_run.models.openai_batches import OpenAIBatches
from evalplus_run.models.retry import Patience
from evalplus_run.models.settings import THINKING_TOKENS, OpenAISettings
from evalplus_run.models.traffic import Traffic
from evalplus_run.records import Completion, Prompt, Rendered, Request, Sampling, UserError

OPENAI_URL = "https://api.openai.com/v1"
_THINKING: Mapping[tuple[str, Thinking], Mapping[str, Any]] = {
    ("chat_template_kwargs", "on"): {"chat_template_kwargs": {"enable_thinking": True}},
    ("chat_template_kwargs", "off"): {"chat_template_kwargs": {"enable_thinking": False}},
    ("reasoning_effort", "on"): {"reasoning_effort": "medium"},
    ("reasoning_effort", "off"): {"reasoning_effort": "none"},
}
"""How thinking is asked for, by `model.thinking_by`."""


class OpenAI:
    """Asks one request a sample, each with its own seed, or one for a few samples, with the seed of the first."""

    local = False
    prefills = False
    """A pre-filled turn is continued by few servers and silently closed by the others."""

    def __init__(
        self, settings: OpenAISettings, patience: Patience | None = None, pauses: Pauses | None = None
    ) -> None:
        self.settings = settings
        self.notes: BatchNotes | None = None
        self._pauses = pauses
        self.chat = settings.endpoint == "chat"
        self._patience = patience
        self._server: CompatibleServer | None = None
        self._thinking: Thinking = "auto"

    async def start(self, thinking: Thinking = "auto") -> None:
        """Prepare the client; the first request tells whether the server is there."""
        if not self.settings.name:
            raise UserError("model.name is empty: name the model as the server knows it.")
        self._thinking = thinking
        self._server = CompatibleServer(
            self._url(),
            self._key(),
            timeout_s=self.settings.timeout_s,
            key_remedy=f"set the environment variable {self.settings.api_key_env} to a key that is valid there",
            patience=self._patience,
            traffic=Traffic.of(self.settings),
            dialect=Dialect(self.settings.family.refused(self.settings.name, self.settings.refuses)),
        )

    def identity(self) -> Mapping[str, str]:
        """The model, the server and the endpoint; never the key."""
        return {
            "kind": "openai",
            "name": self.settings.name,
            "revision": self.settings.revision,
            "base_url": self._url(),
            "endpoint": self.settings.endpoint,
            **self._ways(),
        }

    def versions(self) -> Mapping[str, str]:
        """The client's version, what was asked for and how, and which parameters are not sent."""
        import openai

        notes = self._server.asking.notes() if self._server else {}
        told = {"engine": f"openai {openai.__version__}", "base_url": self._url(), "thinking": self._thinking}
        return told | {"batch": str(self.settings.batch).lower()} | notes

    async def render(self, prompt: Prompt) -> Rendered:
        """The turns as they are sent; the server's template stays unknown."""
        turns = "\n".join(f"[{turn.role}]\n{turn.content}" for turn in prompt.messages)
        return Rendered(turns if prompt.messages else prompt.text)

    def complete(self, requests: Sequence[Request], sampling: Sampling) -> AsyncGenerator[Completion, None]:
        """Raises UserError at once for a refused key or request, RunFailed at the end for answers not to be had."""
        if self.settings.batch:
            return self._batches(requests, sampling).answers()
        if self.notes is not None:
            self.notes.refuse_under_way(requests)
        jobs = (partial(self._answers, group, sampling) for group in self._groups(requests, sampling))
        return fly_together(jobs, self.settings.concurrency)

    def _groups(self, requests: Sequence[Request], sampling: Sampling) -> Iterator[Request]:
        """The samples that are asked for together; that they cannot be may turn out on the way."""
        for request in requests:
            yield from in_groups(request, self._size(sampling))

    def _size(self, sampling: Sampling) -> int:
        # Greedy answers are all the same, and some servers refuse to give several.
        is_alone = sampling.temperature == 0 or "n" in self._running.dialect.dropped
        return 1 if is_alone else self.settings.n_per_request

    async def _answers(self, group: Request, sampling: Sampling) -> AsyncGenerator[Completion, None]:
        """Those of a group; what the server left out is asked for again."""
        while group.indices:
            answers = await self._running.ask_for_all(
                self.settings.endpoint, self._question(group.prompt), self._parameters(group, sampling)
            )
            for index, answer in zip(group.indices, answers, strict=False):
                yield self._completion(group.prompt, index, answer, sampling)
            group = Request(group.prompt, group.indices[len(answers) :])

    def _completion(self, prompt: Prompt, index: int, answer: Answer, sampling: Sampling) -> Completion:
        return answer.as_completion(prompt, index, stop_strings(prompt, sampling))

    def _batches(self, requests: Sequence[Request], sampling: Sampling) -> Batches:
        if self.notes is None:
            raise RuntimeError("a batch without a place for its note")
        questions = Questions(
            self._running.asking,
            size=partial(self._size, sampling),
            parameters=self._parameters,
            body=lambda prompt, sent: {**self._question(prompt), **sent},
            read=read_answers,
            completion=self._completion,
        )
        office = OpenAIBatches(self._running.client, self.settings.endpoint)
        return Batches(office, questions, self.notes, requests, sampling, self._pauses)

    @property
    def _running(self) -> CompatibleServer:
        if self._server is None:
            raise RuntimeError("complete before start")
        return self._server

    def _question(self, prompt: Prompt) -> dict[str, Any]:
        if self.chat != bool(prompt.messages):
            raise UserError(
                f"model.endpoint={self.settings.endpoint} does not fit the prompt:"
                " a chat needs model.endpoint=chat, prompt=base needs model.endpoint=completions."
            )
        if not self.chat:
            return {"model": self.settings.name, "prompt": prompt.text}
        turns = [{"role": turn.role, "content": turn.content} for turn in prompt.messages]
        return {"model": self.settings.name, "messages": turns}

    def _parameters(self, group: Request, sampling: Sampling) -> dict[str, Any]:
        prompt, indices = group.prompt, group.indices
        room = self.settings.thinking_room(self._thinking) if self.chat else 0
        parameters: dict[str, Any] = {"max_tokens": sampling.max_tokens + room, "temperature": sampling.temperature}
        if sampling.temperature > 0:
            seed = sample_seed(sampling.seed, prompt.task_id, indices[0])
            parameters |= {"top_p": sampling.top_p, "seed": seed}
            if self.settings.n_per_request > 1:
                parameters["n"] = len(indices)
        # A stop string must not end the thinking.
        if (stops := stop_strings(prompt, sampling)) and not room:
            parameters["stop"] = list(stops)
        if self.chat and self._thinking != "auto":
            parameters |= _THINKING[self.settings.thinking_by, self._thinking]
        return parameters

    def _ways(self) -> dict[str, str]:
        """Those that the user chose to ask in another way than usual."""
        settings = self.settings
        chosen = {"takes": " ".join(sorted(settings.takes)), "refuses": " ".join(sorted(settings.refuses))}
        if settings.thinking_by != "chat_template_kwargs":
            chosen["thinking_by"] = settings.thinking_by
        if settings.n_per_request > 1:
            chosen["n_per_request"] = str(settings.n_per_request)
        # Any model may be ordered to think.
        if settings.family.by_itself or settings.thinking_tokens != THINKING_TOKENS:
            chosen["thinking_tokens"] = str(settings.thinking_tokens)
        return {name: words for name, words in chosen.items() if words}

    def _url(self) -> str:
        url = self.settings.base_url.rstrip("/") or OPENAI_URL
        return checked_address(url, "http://host:port/v1", self.settings.api_key_env)

    def _key(self) -> str:
        key = os.environ.get(self.settings.api_key_env, "").strip()
        if not key and not self.settings.base_url:
            raise UserError(
                f"The environment variable {self.settings.api_key_env} is not set: export the key there,"
                " or set model.base_url for a server without one."
            )
        return key

    async def close(self) -> None:
        """Close the connections."""
        if self._server is not None:
            await self._server.close()
