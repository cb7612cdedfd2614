"""One OpenAI-compatible server: bounded tries, its dialect learnt, its answers read with distrust."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

import msgspec

from evalplus_run import json_text
from evalplus_run.models.answers import BYTES_PER_TOKEN, split_reasoning
from evalplus_run.models.dialect import Dialect
from evalplus_run.models.flight import AnswerFailed
from evalplus_run.models.retry import Patience, Transient, persist, retry_after
from evalplus_run.models.traffic import Traffic
from evalplus_run.records import FinishReason, UserError

if TYPE_CHECKING:
    from openai import APIStatusError

logger = logging.getLogger(__name__)

Endpoint = Literal["chat", "completions"]
_LOOPBACK = ("127.0.0.1", "localhost", "::1")
_NO_LIMIT = 65_536
WORDS = 400
"""Characters of a server's message that are passed on."""

FINISH: Mapping[str | None, FinishReason] = {
    "stop": "stop",
    "eos_token": "stop",
    "stop_sequence": "stop",
    "length": "length",
    "content_filter": "refusal",
}


class _Part(msgspec.Struct):
    text: str = ""


class _Message(msgspec.Struct):
    content: str | list[_Part] | None = None
    refusal: str | None = None
    reasoning_content: str | None = None
    reasoning: str | None = None


class _Choice(msgspec.Struct):
    message: _Message | None = None
    text: str | None = None
    finish_reason: str | None = None


class _Usage(msgspec.Struct):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class _Response(msgspec.Struct):
    choices: list[_Choice] = []
    usage: _Usage | None = None


_RESPONSE = msgspec.json.Decoder(_Response)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server answered; null content is empty text."""

    text: str
    reasoning: str
    finish_reason: FinishReason
    prompt_tokens: int | None
    completion_tokens: int | None
    seconds: float


class CompatibleServer:
    """Asks one server; the key may be empty. `key_remedy` is what to tell the user when it is refused."""

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        timeout_s: float,
        key_remedy: str,
        patience: Patience | None = None,
        traffic: Traffic | None = None,
        dialect: Dialect | None = None,
    ) -> None:
        import openai

        self.client = openai.AsyncOpenAI(
            base_url=base_url,
            api_key=api_key or "none",
            max_retries=0,
            timeout=timeout_s,
            # A proxy of the environment does not lead back to this machine.
            http_client=openai.DefaultAsyncHttpxClient(trust_env=urlsplit(base_url).hostname not in _LOOPBACK),
        )
        self.dialect = dialect or Dialect()
        self._url, self._key, self._remedy = base_url, api_key, key_remedy
        self._timeout_s = timeout_s
        self._patience = patience or Patience()
        self._traffic = traffic or Traffic(_NO_LIMIT)
        self._reached = False
        self._answered = False
        self._warned: set[str] = set()

    async def ask(self, endpoint: Endpoint, question: Mapping[str, Any], parameters: Mapping[str, Any]) -> Answer:
        """One answer. `parameters` may be dropped or renamed when the server refuses them, `question` not.

        Raises UserError for what no other try can mend, AnswerFailed after the last try.
        """
        expected = len(json_text.encode(question)) // BYTES_PER_TOKEN + parameters.get("max_tokens", 0)
        try:
            answer = await persist(
                lambda: self._traffic.through(lambda: self._once(endpoint, question, parameters), expected),
                self._patience,
                lambda: self._reached,
                lambda: self._traffic.answers,
            )
        except Transient as error:
            if not self._reached:
                raise UserError(f"Nothing answers at {self._url} ({error}): check model.base_url.") from None
            raise AnswerFailed(str(error)) from None
        if answer.prompt_tokens is not None and answer.completion_tokens is not None:
            self._traffic.give_back(expected - answer.prompt_tokens - answer.completion_tokens)
        if not answer.text and answer.finish_reason == "length":
            self._warn_once("an answer is empty because the token limit was used up: raise sampling.max_tokens")
        return answer

    async def call(self, url: str, body: Mapping[str, Any]) -> Any:
        """What another of the server's endpoints gives, asked once. Raises UserError or AnswerFailed."""
        import openai

        try:
            given = await self.client.post(url, cast_to=object, body=body)
        except openai.APIConnectionError as error:
            raise AnswerFailed(f"no answer from {url}: {error.__cause__ or error}") from None
        except openai.APIStatusError as error:
            raise UserError(f"{url} refused ({error.status_code}): {self._words(error)}.") from None
        self._reached = True
        return given

    async def _once(self, endpoint: Endpoint, question: Mapping[str, Any], parameters: Mapping[str, Any]) -> Answer:
        import openai

        sent = self.dialect.translate(parameters)
        began = time.monotonic()
        try:
            # The client's own limit begins again with each byte that arrives.
            async with asyncio.timeout(self._timeout_s):
                content = await self._post(endpoint, question, sent)
        except (openai.APITimeoutError, TimeoutError):
            raise Transient(f"no answer from {self._url} within {self._timeout_s:g} s (model.timeout_s)") from None
        except openai.APIConnectionError as error:
            raise Transient(f"no answer from {self._url}: {error.__cause__ or error}") from None
        except openai.APIStatusError as error:
            self._reached = True
            if error.code == "content_filter":
                # Of the prompt: no other try will change that, and the answer is known.
                return Answer("", "", "refusal", None, None, time.monotonic() - began)
            if self._reworded(error, sent, parameters):
                return await self._once(endpoint, question, parameters)
            raise self._verdict(error) from None
        self._reached = True
        answer = _read(content, time.monotonic() - began)
        self._answered = True
        return answer

    async def _post(self, endpoint: Endpoint, question: Mapping[str, Any], parameters: Mapping[str, Any]) -> bytes:
        resource = self.client.chat.completions if endpoint == "chat" else self.client.completions
        response = await resource.with_raw_response.create(**question, extra_body=parameters)
        content: bytes = response.content
        return content

    def _reworded(self, error: APIStatusError, sent: Mapping[str, Any], parameters: Mapping[str, Any]) -> bool:
        """Whether the same question may be asked again in other words: each parameter is given up once."""
        if error.status_code not in (400, 422):
            return False
        if self.dialect.translate(parameters).keys() != sent.keys():
            return True
        name = self.dialect.learn(sent, error.param, self._words(error))
        if name:
            logger.warning("%s refused the parameter %s: %s", self._url, name, self._words(error))
        return name is not None

    def _verdict(self, error: APIStatusError) -> UserError | Transient | AnswerFailed:
        status = error.status_code
        if status == 401:
            return UserError(f"{self._url} refused the key (401): {self._words(error)}; {self._remedy}.")
        if status == 403:
            return UserError(f"{self._url} refused access (403): {self._words(error)}; {self._remedy}.")
        if (status in (408, 409, 429) or status >= 500) and error.code != "insufficient_quota":
            wait = retry_after(error.response.headers)
            return Transient(f"{self._url} answered {status}: {self._words(error)}", wait, status)
        told = f"{self._url} refused the request ({status}): {self._words(error)}"
        # Once others were answered it is about this one: too long for the model, or held back by a filter.
        return AnswerFailed(told) if self._answered and status in (400, 413, 422) else UserError(f"{told}.")

    def _words(self, error: APIStatusError) -> str:
        """The server's own message, short, without the key."""
        body = error.body if isinstance(error.body, dict) else {}
        words = str(body.get("message") or error.message)
        return (words.replace(self._key, "[key]") if self._key else words)[:WORDS].rstrip(". \n")

    def _warn_once(self, words: str) -> None:
        if words not in self._warned:
            self._warned.add(words)
            logger.warning("%s", words)

    async def close(self) -> None:
        """Close the connections."""
        await self.client.close()


def _read(content: bytes, seconds: float) -> Answer:
    try:
        response = json_text.decode_as(content, _RESPONSE)
    except ValueError as error:
        raise Transient(f"the answer cannot be read: {error}") from None
    if not response.choices:
        raise Transient(f"the answer holds no choice: {content[:WORDS].decode(errors='replace')}")
    choice, usage = response.choices[0], response.usage or _Usage()
    is_there = choice.message is not None or choice.text is not None or choice.finish_reason == "content_filter"
    if not is_there or choice.finish_reason == "error":
        raise Transient(f"the answer was broken off: {content[:WORDS].decode(errors='replace')}")
    reasoning, text = _texts(choice)
    return Answer(text, reasoning, _finish(choice), usage.prompt_tokens, usage.completion_tokens, seconds)


def _texts(choice: _Choice) -> tuple[str, str]:
    if choice.message is None:
        return split_reasoning(choice.text or "")
    content = choice.message.content
    raw = "".join(part.text for part in content) if isinstance(content, list) else content or ""
    reasoning, text = split_reasoning(raw)
    return choice.message.reasoning_content or choice.message.reasoning or reasoning, text


def _finish(choice: _Choice) -> FinishReason:
    if choice.message is not None and choice.message.refusal:
        return "refusal"
    return FINISH.get(choice.finish_reason, "unknown")
