"""Models on Amazon Bedrock by its Converse API; AWS's library knows no asyncio, so each request has a thread."""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from evalplus_run.models.asking import Answer, Refused
from evalplus_run.models.claude import refused_with_thinking, thinking_field
from evalplus_run.models.counts import counted
from evalplus_run.models.hosted import Connection, Hosted, system_of, turns_of
from evalplus_run.models.retry import Patience, Transient, in_words, retry_after
from evalplus_run.models.settings import BedrockSettings
from evalplus_run.records import FinishReason, Prompt, UserError

if TYPE_CHECKING:
    from botocore.exceptions import ClientError

T = TypeVar("T")

FINISH: Mapping[str | None, FinishReason] = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "content_filtered": "refusal",
    "guardrail_intervened": "refusal",
}
_NAMES = {"max_tokens": "maxTokens", "top_p": "topP", "stop": "stopSequences"}
"""What this API calls a parameter."""
_REMEDY = "see that your AWS credentials are valid and may use this model in this region"
_CREDENTIALS = ("UnrecognizedClientException", "ExpiredTokenException", "InvalidSignatureException")
"""Errors of status 403 that are about the key."""


class _ReasoningText(msgspec.Struct):
    text: str = ""


class _Reasoning(msgspec.Struct, rename="camel"):
    reasoning_text: _ReasoningText | None = None


class _Block(msgspec.Struct, rename="camel"):
    text: str = ""
    reasoning_content: _Reasoning | None = None

    def reasoning(self) -> str:
        thought = self.reasoning_content.reasoning_text if self.reasoning_content else None
        return thought.text if thought else ""


class _Message(msgspec.Struct):
    content: list[_Block] = []


class _Output(msgspec.Struct):
    message: _Message


class _Response(msgspec.Struct, rename="camel"):
    output: _Output
    stop_reason: str | None = None
    usage: Any = None


class Bedrock(Hosted[BedrockSettings]):
    """One conversation a sample; reasoning comes in blocks of its own."""

    no_such = ("seed",)
    own_url = "https://bedrock-runtime.amazonaws.com"

    def __init__(self, settings: BedrockSettings, patience: Patience | None = None) -> None:
        super().__init__(settings, patience)
        self._client: Any = None

    def identity(self) -> Mapping[str, str]:
        """Besides, the region."""
        return {**super().identity(), "region": self.settings.region}

    def _engine(self) -> str:
        import boto3

        return f"boto3 {boto3.__version__}"

    def _connect(self) -> Connection:
        import boto3
        from botocore.config import Config
        from botocore.exceptions import BotoCoreError

        settings = self.settings
        config = Config(
            read_timeout=settings.timeout_s,
            max_pool_connections=settings.concurrency,
            retries={"mode": "standard", "total_max_attempts": 1},
        )
        try:
            session = boto3.Session()
            self._client = session.client(
                "bedrock-runtime",
                region_name=settings.region or None,
                endpoint_url=self._url if settings.base_url else None,
                config=config,
            )
            secrets = _secrets(session)
        except BotoCoreError as error:
            raise UserError(f"Bedrock cannot be asked ({error}): set model.region, and {_REMEDY}.") from None
        return Connection(self._client.meta.endpoint_url, secrets, _REMEDY)

    def _refused(self) -> dict[str, str]:
        return super()._refused() | refused_with_thinking(self._thinking_field())

    async def _send(self, prompt: Prompt, parameters: Mapping[str, Any]) -> Any:
        from botocore.exceptions import BotoCoreError, ClientError, ConnectionError, HTTPClientError
        from botocore.parsers import ResponseParserError

        converse = partial(self._client.converse, **self._question(prompt, parameters))
        try:
            return await _in_thread(converse)
        except ClientError as error:
            raise _refusal(error) from None
        except (HTTPClientError, ConnectionError, ResponseParserError, RecursionError) as error:
            raise Transient(in_words(error)) from None
        except BotoCoreError as error:
            raise UserError(f"Bedrock cannot be asked ({error}): {_REMEDY}.") from None
        except (AttributeError, TypeError, ValueError) as error:
            # AWS's library trusts an answer's types.
            raise Transient(f"the answer cannot be read: {error!r}") from None

    def _question(self, prompt: Prompt, parameters: Mapping[str, Any]) -> dict[str, Any]:
        question: dict[str, Any] = {
            "modelId": self.settings.name,
            "messages": [{"role": role, "content": [{"text": text}]} for role, text in turns_of(prompt)],
            "inferenceConfig": {_NAMES.get(name, name): value for name, value in parameters.items()},
        }
        if system := system_of(prompt):
            question["system"] = [{"text": system}]
        if thinking := self._thinking_field():
            question["additionalModelRequestFields"] = {"thinking": thinking}
        return question

    def _thinking_field(self) -> dict[str, Any]:
        return thinking_field(self._family, self._thinking, self.settings.thinking_tokens)

    def _read(self, response: Any) -> Answer:
        try:
            given = msgspec.convert(response, _Response)
        except msgspec.ValidationError as error:
            raise Transient(f"the answer cannot be read: {error}") from None
        blocks = given.output.message.content
        return Answer(
            "".join(block.text for block in blocks),
            "\n\n".join(filter(None, (block.reasoning() for block in blocks))),
            FINISH.get(given.stop_reason, "unknown"),
            counted(given.usage, "inputTokens"),
            counted(given.usage, "outputTokens"),
        )

    async def close(self) -> None:
        """Close the connections; a request in flight is left to itself."""
        if self._client is not None:
            self._client.close()


async def _in_thread(call: Callable[[], T]) -> T:
    """What `call` gives, made in a thread of its own, for which the program's end does not wait."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()

    def settle(settling: Callable[[], None]) -> None:
        if not done.done():
            settling()

    def work() -> None:
        try:
            result = call()
        except Exception as error:
            settling = partial(done.set_exception, error)
        else:
            settling = partial(done.set_result, result)
        with contextlib.suppress(RuntimeError):  # nobody waits any more: the loop is closed
            loop.call_soon_threadsafe(settle, settling)

    threading.Thread(target=work, daemon=True).start()
    return await done


def _secrets(session: Any) -> tuple[str, ...]:
    found = session.get_credentials()
    frozen = found.get_frozen_credentials() if found else None
    keys = (frozen.access_key, frozen.secret_key, frozen.token) if frozen else ()
    return tuple(filter(None, (*keys, os.environ.get("AWS_BEARER_TOKEN_BEDROCK"))))


def _refusal(error: ClientError) -> Refused:
    told, about = error.response.get("Error", {}), error.response.get("ResponseMetadata", {})
    code = told.get("Code", "")
    status = 401 if code in _CREDENTIALS else about.get("HTTPStatusCode", 500)
    return Refused(status, f"{code}: {told.get('Message', '')}", wait=retry_after(about.get("HTTPHeaders", {})))
