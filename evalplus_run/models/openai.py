"""Any OpenAI-compatible server: OpenAI, vLLM, llama.cpp, Ollama, DeepSeek, OpenRouter."""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator, Mapping, Sequence
from functools import partial
from typing import Any

from evalplus_run.models.address import checked_address
from evalplus_run.models.answers import cut, sample_seed, stop_strings
from evalplus_run.models.base import Thinking
from evalplus_run.models.compatible import CompatibleServer
from evalplus_run.models.dialect import Dialect
from evalplus_run.models.flight import fly
from evalplus_run.models.retry import Patience
from evalplus_run.models.settings import OpenAISettings
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
    """Asks one request a sample, each with its own seed: raising n keeps every sample there is."""

    local = False
    prefills = False
    """A pre-filled turn is continued by few servers and silently closed by the others."""

    def __init__(self, settings: OpenAISettings, patience: Patience | None = None) -> None:
        self.settings = settings
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
        """The client's version, and which parameters the server refused."""
        import openai

        notes = self._server.dialect.notes() if self._server else {}
        return {"engine": f"openai {openai.__version__}", "base_url": self._url(), "thinking": self._thinking} | notes

    async def render(self, prompt: Prompt) -> Rendered:
        """The turns as they are sent; the server's template stays unknown."""
        turns = "\n".join(f"[{turn.role}]\n{turn.content}" for turn in prompt.messages)
        return Rendered(turns if prompt.messages else prompt.text)

    def complete(self, requests: Sequence[Request], sampling: Sampling) -> AsyncGenerator[Completion, None]:
        """Raises UserError at once for a refused key or request, RunFailed at the end for answers not to be had."""
        jobs = (
            partial(self._answer, request.prompt, index, sampling) for request in requests for index in request.indices
        )
        return fly(jobs, self.settings.concurrency)

    async def _answer(self, prompt: Prompt, index: int, sampling: Sampling) -> Completion:
        if self._server is None:
            raise RuntimeError("complete before start")
        parameters = self._parameters(prompt, index, sampling)
        answer = await self._server.ask(self.settings.endpoint, self._question(prompt), parameters)
        return Completion(
            prompt.task_id,
            index,
            cut(answer.text, stop_strings(prompt, sampling)),
            reasoning=answer.reasoning,
            finish_reason=answer.finish_reason,
            prompt_tokens=answer.prompt_tokens,
            completion_tokens=answer.completion_tokens,
            seconds=answer.seconds,
        )

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

    def _parameters(self, prompt: Prompt, index: int, sampling: Sampling) -> dict[str, Any]:
        limit = sampling.max_tokens + (self.settings.thinking_room(self._thinking) if self.chat else 0)
        parameters: dict[str, Any] = {"max_tokens": limit, "temperature": sampling.temperature}
        if sampling.temperature > 0:
            seed = sample_seed(sampling.seed, prompt.task_id, index)
            parameters |= {"top_p": sampling.top_p, "seed": seed}
        if stops := stop_strings(prompt, sampling):
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
        if settings.family.by_itself:
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
