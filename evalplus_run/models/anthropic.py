"""Claude by Anthropic's Messages API."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from evalplus_run import json_text
from evalplus_run.models.address import is_this_machine
from evalplus_run.models.asking import Answer, Refused
from evalplus_run.models.claude import refused_with_thinking, thinking_field
from evalplus_run.models.hosted import Connection, Hosted, key_in, key_remedy, system_of, turns_of
from evalplus_run.models.retry import Transient, retry_after
from evalplus_run.models.settings import AnthropicSettings
from evalplus_run.records import FinishReason, Prompt

if TYPE_CHECKING:
    from anthropic import APIStatusError, AsyncAnthropic

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


class _Usage(msgspec.Struct):
    input_tokens: int = 0
    output_tokens: int | None = None
    cache_creation_input_tokens: int | None = None
    cache_read_input_tokens: int | None = None

    def prompt_tokens(self) -> int:
        return self.input_tokens + (self.cache_creation_input_tokens or 0) + (self.cache_read_input_tokens or 0)


class _Response(msgspec.Struct):
    content: list[_Block]
    stop_reason: str | None = None
    usage: _Usage | None = None


_RESPONSE = msgspec.json.Decoder(_Response)


class Anthropic(Hosted[AnthropicSettings]):
    """One message a sample; thinking comes in blocks of its own."""

    no_such = ("seed",)
    own_url = "https://api.anthropic.com"

    _client: AsyncAnthropic | None = None

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

    async def _send(self, prompt: Prompt, parameters: Mapping[str, Any]) -> bytes:
        import anthropic

        if self._client is None:
            raise RuntimeError("asked before start")
        messages: list[Any] = [{"role": role, "content": text} for role, text in turns_of(prompt)]
        body = {"stop_sequences" if name == "stop" else name: value for name, value in parameters.items()}
        if system := system_of(prompt):
            body["system"] = system
        if thinking := self._thinking_field():
            body["thinking"] = thinking
        try:
            response = await self._client.messages.with_raw_response.create(
                model=self.settings.name,
                messages=messages,
                max_tokens=body.pop("max_tokens"),
                # Today's client has no arguments for some of these, which older models take.
                extra_body=body,
            )
            content: bytes = await response.read()
        except anthropic.APITimeoutError:
            raise TimeoutError from None
        except anthropic.APIConnectionError as error:
            raise Transient(str(error.__cause__ or error)) from None
        except anthropic.APIStatusError as error:
            wait = retry_after(error.response.headers)
            words = _words(error)
            is_filtered = error.status_code == 400 and "content filtering" in words
            raise Refused(error.status_code, words, wait=wait, is_filtered=is_filtered) from None
        return content

    def _thinking_field(self) -> dict[str, Any]:
        return thinking_field(self._family, self._thinking, self.settings.thinking_tokens)

    def _read(self, response: bytes) -> Answer:
        try:
            message = json_text.decode_as(response, _RESPONSE)
        except ValueError as error:
            raise Transient(f"the answer cannot be read: {error}") from None
        usage = message.usage
        return Answer(
            "".join(block.text for block in message.content if block.type == "text"),
            "\n\n".join(block.thinking for block in message.content if block.type == "thinking" and block.thinking),
            FINISH.get(message.stop_reason, "unknown"),
            usage.prompt_tokens() if usage else None,
            usage.output_tokens if usage else None,
        )

    async def close(self) -> None:
        """Close the connections."""
        if self._client is not None:
            await self._client.close()


def _words(error: APIStatusError) -> str:
    """The API's own message, where its answer has the form of one."""
    found = error.body.get("error") if isinstance(error.body, dict) else None
    return str((isinstance(found, dict) and found.get("message")) or error.message)
