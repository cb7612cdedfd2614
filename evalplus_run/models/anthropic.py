"""Claude by Anthropic's Messages API."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from evalplus_run.models.address import is_this_machine
from evalplus_run.models.anthropic_batches import AnthropicBatches
from evalplus_run.models.anthropic_errors import in_our_words
from evalplus_run.models.asking import Answer
from evalplus_run.models.batch_desk import Pauses
from evalplus_run.models.batch_notes import BatchNotes
from evalplus_run.models.batches import Batches, Questions
from evalplus_run.models.claude import refused_with_thinking, thinking_field
from evalplus_run.models.counts import counted
from evalplus_run.models.hosted import Connection, Hosted, key_in, key_remedy, system_of, turns_of
from evalplus_run.models.reading import read_as
from evalplus_run.models.retry import Patience
from evalplus_run.models.settings import AnthropicSettings
from evalplus_run.records import Completion, FinishReason, Prompt, Request, Sampling

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic

FINISH: Mapping[str | None, FinishReason] = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refusal",
}


class _Block(msgspec.Struct):
    type: str = ""
    text: str = ""
    thinking: str = ""


_OF_THE_PROMPT = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


class _Response(msgspec.Struct):
    content: list[_Block]
    stop_reason: str | None = None
    usage: Any = None
    model: Any = None


_RESPONSE = msgspec.json.Decoder(_Response)


class Anthropic(Hosted[AnthropicSettings]):
    """One message a sample; thinking comes in blocks of its own."""

    no_such = ("seed",)
    own_url = "https://api.anthropic.com"

    _client: AsyncAnthropic | None = None

    def __init__(
        self, settings: AnthropicSettings, patience: Patience | None = None, pauses: Pauses | None = None
    ) -> None:
        super().__init__(settings, patience)
        self.notes: BatchNotes | None = None
        self._pauses = pauses

    def versions(self) -> Mapping[str, str]:
        """As of all of them, and whether batches were used."""
        return {**super().versions(), "batch": str(self.settings.batch).lower()}

    def _engine(self) -> str:
        import anthropic

        return f"anthropic {anthropic.__version__}"

    def _connect(self) -> Connection:
        import anthropic

        variable = self.settings.api_key_env
        key = key_in(variable)
        self._client = anthropic.AsyncAnthropic(
            api_key=key,
            base_url=self._url,
            max_retries=0,
            timeout=self.settings.timeout_s,
            http_client=anthropic.DefaultAsyncHttpxClient(trust_env=not is_this_machine(self._url)),
        )
        return Connection(self._url, (key,), key_remedy(variable))

    def _refused(self) -> dict[str, str]:
        return super()._refused() | refused_with_thinking(self._thinking_field())

    def complete(self, requests: Sequence[Request], sampling: Sampling) -> AsyncGenerator[Completion, None]:
        """As for all of them, or by batches."""
        if not self.settings.batch:
            if self.notes is not None:
                self.notes.refuse_under_way(requests)
            return super().complete(requests, sampling)
        if self._client is None or self._asking is None or self.notes is None:
            raise RuntimeError("complete before start")
        questions = Questions(
            self._asking,
            size=lambda: 1,
            parameters=lambda group, sampling: self._parameters(group.prompt, group.indices[0], sampling),
            body=self._body,
            read=lambda response: [self._read(response)],
            completion=self._completion,
        )
        office = AnthropicBatches(self._client)
        return Batches(office, questions, self.notes, requests, sampling, self._pauses).answers()

    def _body(self, prompt: Prompt, parameters: Mapping[str, Any]) -> dict[str, Any]:
        body = {"stop_sequences" if name == "stop" else name: value for name, value in parameters.items()}
        if system := system_of(prompt):
            body["system"] = system
        if thinking := self._thinking_field():
            body["thinking"] = thinking
        messages = [{"role": role, "content": text} for role, text in turns_of(prompt)]
        return {"model": self.settings.name, "messages": messages} | body

    async def _send(self, prompt: Prompt, parameters: Mapping[str, Any]) -> bytes:
        if self._client is None:
            raise RuntimeError("asked before start")
        body = self._body(prompt, parameters)
        with in_our_words():
            response = await self._client.messages.with_raw_response.create(
                model=body.pop("model"),
                messages=body.pop("messages"),
                max_tokens=body.pop("max_tokens"),
                # Today's client has no arguments for some of these, which older models take.
                extra_body=body,
            )
            content: bytes = await response.read()
        return content

    def _thinking_field(self) -> dict[str, Any]:
        return thinking_field(self._family, self._thinking, self.settings.thinking_tokens)

    def _read(self, response: bytes) -> Answer:
        message = read_as(response, _RESPONSE)
        return Answer(
            "".join(block.text for block in message.content if block.type == "text"),
            "\n\n".join(block.thinking for block in message.content if block.type == "thinking" and block.thinking),
            FINISH.get(message.stop_reason, "unknown"),
            counted(message.usage, *_OF_THE_PROMPT),
            counted(message.usage, "output_tokens"),
            model=message.model if isinstance(message.model, str) else "",
        )

    async def close(self) -> None:
        """Close the connections."""
        if self._client is not None:
            await self._client.close()
