"""What the models behind an API with a library of its own have in common; each asks and reads in its own way."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import Any, Generic, Literal, NamedTuple, TypeVar

from evalplus_run.models.address import checked_address
from evalplus_run.models.answers import BYTES_PER_TOKEN, sample_seed, stop_strings
from evalplus_run.models.asking import Answer, Asking
from evalplus_run.models.base import Thinking
from evalplus_run.models.dialect import Dialect
from evalplus_run.models.families import Family
from evalplus_run.models.flight import fly
from evalplus_run.models.retry import Patience
from evalplus_run.models.settings import HostedSettings
from evalplus_run.models.traffic import Traffic
from evalplus_run.records import Completion, Prompt, Rendered, Request, Sampling, UserError

SettingsT = TypeVar("SettingsT", bound=HostedSettings)


class Connection(NamedTuple):
    """What a client that was made is known by."""

    url: str
    secrets: tuple[str, ...]
    """What must not be told, whoever repeats it."""
    key_remedy: str
    """What to tell where they are refused."""


class Hosted(ABC, Generic[SettingsT]):
    """Asks one request a sample, each with its own seed where the API takes one.

    `no_such` are parameters that the API does not have at all. A model that may think gets
    `model.thinking_tokens` on top of the answer's limit, no begun answer, and stop strings on our side only.
    """

    local = False
    chat = True
    no_such: tuple[str, ...] = ()
    own_url: str
    """The API's own address."""

    def __init__(self, settings: SettingsT, patience: Patience | None = None) -> None:
        self.settings = settings
        self.prefills = False
        self._patience = patience
        self._asking: Asking | None = None
        self._thinking: Thinking = "auto"
        self._thinks = False

    async def start(self, thinking: Thinking = "auto") -> None:
        """Prepare the client; the first request tells whether the API can be reached."""
        if not self.settings.name:
            raise UserError("model.name is empty: name the model as the API knows it.")
        self._thinking = thinking
        self._thinks = self.settings.thinking_room(thinking) > 0
        self.prefills = not self._thinks and "prefill" not in self._family.refuses
        url, secrets, remedy = self._connect()
        dialect = Dialect(self._refused())
        self._asking = Asking(
            url,
            secrets,
            key_remedy=remedy,
            timeout_s=self.settings.timeout_s,
            traffic=Traffic.of(self.settings),
            dialect=dialect,
            patience=self._patience,
        )

    def identity(self) -> Mapping[str, str]:
        """The model, the server and what is asked of it; never the key."""
        settings = self.settings
        return {
            "kind": settings.kind,
            "name": settings.name,
            "revision": settings.revision,
            "base_url": self._url,
            "takes": " ".join(sorted(settings.takes)),
            "refuses": " ".join(sorted(settings.refuses)),
            "thinking_tokens": str(settings.thinking_tokens),
        }

    def versions(self) -> Mapping[str, str]:
        """The client's version, what is asked of thinking, and which parameters are not sent."""
        notes = self._asking.notes() if self._asking else {}
        told = {"engine": self._engine(), "base_url": self._url, "thinking": self._thinking}
        return told | {"may_think": str(self._thinks).lower()} | notes

    async def render(self, prompt: Prompt) -> Rendered:
        """The turns as they are sent; the API's template stays unknown."""
        turns = [f"[{turn.role}]\n{turn.content}" for turn in prompt.messages]
        return Rendered("\n".join([*turns, f"[assistant]\n{prompt.prefill}"] if prompt.prefill else turns))

    def complete(self, requests: Sequence[Request], sampling: Sampling) -> AsyncGenerator[Completion, None]:
        """Raises UserError at once for a refused key or request, RunFailed at the end for answers not to be had."""
        jobs = (
            partial(self._answer, request.prompt, index, sampling) for request in requests for index in request.indices
        )
        return fly(jobs, self.settings.concurrency)

    async def _answer(self, prompt: Prompt, index: int, sampling: Sampling) -> Completion:
        if self._asking is None:
            raise RuntimeError("complete before start")
        parameters = self._parameters(prompt, index, sampling)
        size = sum(len(turn.content.encode()) for turn in prompt.messages) // BYTES_PER_TOKEN
        expected = size + parameters["max_tokens"]
        (answer,) = await self._asking.ask(
            partial(self._send, prompt), lambda response: [self._read(response)], parameters, expected
        )
        return self._completion(prompt, index, answer, sampling)

    def _completion(self, prompt: Prompt, index: int, answer: Answer, sampling: Sampling) -> Completion:
        # The begun answer was sent without the white space at its end; the model then begins with that.
        text = answer.text.removeprefix(prompt.prefill[len(prompt.prefill.rstrip()) :])
        return replace(answer, text=text).as_completion(prompt, index, stop_strings(prompt, sampling))

    def _parameters(self, prompt: Prompt, index: int, sampling: Sampling) -> dict[str, Any]:
        if not prompt.messages:
            raise UserError(f"model={self.settings.kind} takes chats only: leave prompt=evalplus or prompt=plain.")
        limit = sampling.max_tokens + self.settings.thinking_room(self._thinking)
        parameters: dict[str, Any] = {"max_tokens": limit, "temperature": sampling.temperature}
        if sampling.temperature > 0:
            seed = sample_seed(sampling.seed, prompt.task_id, index)
            parameters |= {"top_p": sampling.top_p, "seed": seed}
        # A stop string must not end the thinking, and one of white space alone is refused.
        stops = [stop for stop in stop_strings(prompt, sampling) if stop.strip()]
        if stops and not self._thinks:
            parameters["stop"] = stops
        return parameters

    @cached_property
    def _family(self) -> Family:
        return self.settings.family

    def _refused(self) -> dict[str, str]:
        """The parameters that are known to be refused, with the reason."""
        known = self._family.refused(self.settings.name, self.settings.refuses)
        # These APIs have one name for the limit, and are asked for one answer at a time.
        for name in ("max_tokens", "n"):
            known.pop(name, None)
        return known | dict.fromkeys(self.no_such, "this API has no such parameter")

    @cached_property
    def _url(self) -> str:
        return checked_address(self.settings.base_url.rstrip("/") or self.own_url, "https://host")

    @abstractmethod
    def _engine(self) -> str:
        """The client library and its version."""

    @abstractmethod
    def _connect(self) -> Connection:
        """Make the client."""

    @abstractmethod
    async def _send(self, prompt: Prompt, parameters: Mapping[str, Any]) -> Any:
        """What the API gives back; raises as `asking.Send` says."""

    @abstractmethod
    def _read(self, response: Any) -> Answer:
        """What `_send` gave as an answer; raises Transient for what cannot be read."""

    @abstractmethod
    async def close(self) -> None:
        """Close the connections."""


def key_in(variable: str) -> str:
    """The key in this environment variable. Raises UserError without one."""
    key = os.environ.get(variable, "").strip()
    if not key:
        raise UserError(f"The environment variable {variable} is not set: export the key there.")
    return key


def key_remedy(variable: str) -> str:
    """What to tell where the key in this environment variable is refused."""
    return f"set the environment variable {variable} to a key that is valid there"


def system_of(prompt: Prompt) -> str:
    """The system turn, which these APIs take apart from the others; empty without one."""
    return "\n\n".join(turn.content for turn in prompt.messages if turn.role == "system")


def turns_of(prompt: Prompt) -> list[tuple[Literal["user", "assistant"], str]]:
    """The other turns, each with its role, and the begun answer, which must not end in white space."""
    turns: list[tuple[Literal["user", "assistant"], str]] = [
        (turn.role, turn.content) for turn in prompt.messages if turn.role != "system"
    ]
    return [*turns, ("assistant", prompt.prefill.rstrip())] if prompt.prefill else turns
