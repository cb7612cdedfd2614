"""One OpenAI-compatible server: bounded tries, its dialect learnt, its answers read with distrust."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from evalplus_run import json_text
from evalplus_run.models.address import is_this_machine
from evalplus_run.models.answers import BYTES_PER_TOKEN, shares, split_reasoning
from evalplus_run.models.asking import Answer, Asking, Refused
from evalplus_run.models.counts import counted
from evalplus_run.models.dialect import Dialect
from evalplus_run.models.flight import AnswerFailed
from evalplus_run.models.reading import read_as
from evalplus_run.models.retry import Patience, Transient, in_words, retry_after
from evalplus_run.models.traffic import Traffic
from evalplus_run.records import FinishReason, UserError

if TYPE_CHECKING:
    from openai import APIStatusError

Endpoint = Literal["chat", "completions"]
_NO_LIMIT = 65_536

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


class _Response(msgspec.Struct):
    choices: list[_Choice] = []
    usage: Any = None
    model: Any = None
    system_fingerprint: Any = None


_RESPONSE = msgspec.json.Decoder(_Response)


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
            http_client=openai.DefaultAsyncHttpxClient(trust_env=not is_this_machine(base_url)),
        )
        self.asking = Asking(
            base_url,
            (api_key,) if api_key else (),
            key_remedy=key_remedy,
            timeout_s=timeout_s,
            traffic=traffic or Traffic(_NO_LIMIT),
            dialect=dialect or Dialect(),
            patience=patience,
        )

    @property
    def dialect(self) -> Dialect:
        """What the server takes, as far as it is known."""
        return self.asking.dialect

    async def ask(self, endpoint: Endpoint, question: Mapping[str, Any], parameters: Mapping[str, Any]) -> Answer:
        """As `ask_for_all`, where one answer is asked for."""
        return (await self.ask_for_all(endpoint, question, parameters))[0]

    async def ask_for_all(
        self, endpoint: Endpoint, question: Mapping[str, Any], parameters: Mapping[str, Any]
    ) -> Sequence[Answer]:
        """The answers of one request, at least one and not always as many as its parameter `n` says.

        `parameters` may be dropped or renamed when the server refuses them, `question` not. Raises UserError for what
        no other try can mend, AnswerFailed after the last try.
        """
        prompt_tokens = len(json_text.encode(question)) // BYTES_PER_TOKEN
        expected = prompt_tokens + parameters.get("n", 1) * parameters.get("max_tokens", 0)
        return await self.asking.ask(partial(self._send, endpoint, question), read_answers, parameters, expected)

    async def call(self, url: str, body: Mapping[str, Any]) -> Any:
        """What another of the server's endpoints gives, asked once. Raises UserError or AnswerFailed."""
        import openai

        try:
            given = await self.client.post(url, cast_to=object, body=body)
        except openai.APIConnectionError as error:
            raise AnswerFailed(f"no answer from {url}: {in_words(error.__cause__ or error)}") from None
        except openai.APIStatusError as error:
            words = self.asking.clean(_words(error))
            raise UserError(f"{url} refused ({error.status_code}): {words}.") from None
        self.asking.is_reached = True
        return given

    async def _send(self, endpoint: Endpoint, question: Mapping[str, Any], parameters: Mapping[str, Any]) -> bytes:
        resource = self.client.chat.completions if endpoint == "chat" else self.client.completions
        with in_our_words():
            response = await resource.with_raw_response.create(**question, extra_body=parameters)
        content: bytes = response.content
        return content

    async def close(self) -> None:
        """Close the connections."""
        await self.client.close()


@contextmanager
def in_our_words() -> Iterator[None]:
    """The library's errors inside are raised as `asking.Send` says."""
    import openai

    try:
        yield
    except openai.APITimeoutError:
        raise TimeoutError from None
    except openai.APIConnectionError as error:
        raise Transient(in_words(error.__cause__ or error)) from None
    except openai.APIStatusError as error:
        wait = retry_after(error.response.headers)
        raise refusal(error.status_code, error.body, otherwise=error.message, wait=wait) from None


def refusal(status: int, error: object, *, otherwise: str = "no words", wait: float = 0.0) -> Refused:
    """That of an error in OpenAI's form; `otherwise` are the words where it has none."""
    told = error if isinstance(error, dict) else {}
    code, param = told.get("code"), told.get("param")
    return Refused(
        status,
        str(told.get("message") or otherwise),
        param=param if isinstance(param, str) else None,
        wait=wait,
        is_final=code == "insufficient_quota",
        is_filtered=code == "content_filter",
    )


def _words(error: APIStatusError) -> str:
    return refusal(error.status_code, error.body, otherwise=error.message).words


def read_answers(content: bytes) -> Sequence[Answer]:
    """The answers that a response holds, at least one. Raises Transient for one that cannot be read or holds none.

    What the server counted for all of them together is shared out: the prompt's tokens go to the first, the new
    ones by the length of what was written.
    """
    response = read_as(content, _RESPONSE)
    if not response.choices:
        raise Transient(f"the answer holds no choice: {content.decode(errors='replace')}")
    choices = [choice for choice in response.choices if _is_whole(choice)]
    if not choices:
        raise Transient(f"the answer was broken off: {content.decode(errors='replace')}")
    texts = [_texts(choice) for choice in choices]
    of_the_prompt = shares(counted(response.usage, "prompt_tokens"), [1, *(0 for _ in texts[1:])])
    lengths = [len(reasoning) + len(text) for reasoning, text in texts]
    new = shares(counted(response.usage, "completion_tokens"), lengths)
    model = " ".join(name for name in (response.model, response.system_fingerprint) if isinstance(name, str))
    return [
        Answer(text, reasoning, _finish(choice), read, written, model=model)
        for choice, (reasoning, text), read, written in zip(choices, texts, of_the_prompt, new, strict=True)
    ]


def _is_whole(choice: _Choice) -> bool:
    is_there = choice.message is not None or choice.text is not None or choice.finish_reason == "content_filter"
    return is_there and choice.finish_reason != "error"


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
