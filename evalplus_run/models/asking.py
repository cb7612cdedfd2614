"""Asking one API through its SDK: bounded tries, refused parameters learnt once, a verdict on every refusal.

An SDK's errors come in as two of ours, so that all APIs are treated alike.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

from evalplus_run.models.answers import stopped
from evalplus_run.models.dialect import Dialect
from evalplus_run.models.flight import AnswerFailed
from evalplus_run.models.retry import Patience, Transient, persist
from evalplus_run.models.traffic import Traffic
from evalplus_run.records import Completion, FinishReason, Prompt, UserError

logger = logging.getLogger(__name__)
Response = TypeVar("Response")
Given = TypeVar("Given")

WORDS = 400
"""Characters of a server's message that are passed on."""

_MOST_NAMES = 20

Send = Callable[[Mapping[str, Any]], Awaitable[Response]]
"""Posts a question with these parameters; raises Refused for a status, Transient where nothing came back,
TimeoutError where that took too long."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server answered; null content is empty text."""

    text: str
    reasoning: str
    finish_reason: FinishReason
    prompt_tokens: int | None
    completion_tokens: int | None
    seconds: float = 0.0
    model: str = ""
    """The name that the server gives to what has answered: a revision, behind a name that may come to mean another."""

    def as_completion(self, prompt: Prompt, index: int, stops: tuple[str, ...]) -> Completion:
        """The answer up to the earliest stop string, as sample `index` of the prompt's task."""
        text, reason = stopped(self.text, self.finish_reason, stops)
        return Completion(
            prompt.task_id,
            index,
            text,
            reasoning=self.reasoning,
            finish_reason=reason,
            prompt_tokens=self.prompt_tokens,
            completion_tokens=self.completion_tokens,
            seconds=self.seconds,
        )


class Refused(Exception):
    """A server's answer with an error status."""

    def __init__(
        self,
        status: int,
        words: str,
        *,
        param: str | None = None,
        wait: float = 0.0,
        is_final: bool = False,
        is_filtered: bool = False,
    ) -> None:
        super().__init__(words)
        self.status = status
        self.words = words
        self.param = param
        """The parameter that the server names as at fault, where it names one apart from its words."""
        self.wait = wait
        """Seconds that the server asks to wait."""
        self.is_final = is_final
        """Whether no other try can mend it, whatever its status."""
        self.is_filtered = is_filtered
        """Whether it is a filter's word on this prompt or its answer: no fault of ours, and what the model says."""


class Asking:
    """Asks one server; `secrets` are taken out of its words, `key_remedy` is told when the key is refused."""

    def __init__(
        self,
        url: str,
        secrets: tuple[str, ...],
        *,
        key_remedy: str,
        timeout_s: float,
        traffic: Traffic,
        dialect: Dialect,
        patience: Patience | None = None,
    ) -> None:
        self.dialect = dialect
        self._url, self._secrets, self._remedy = url, secrets, key_remedy
        self._timeout_s = timeout_s
        self._traffic = traffic
        self._patience = patience or Patience()
        self.is_reached = False
        """Whether the server has ever answered, be it to refuse."""
        self._answered = False
        self._answered_by: set[str] = set()
        self._warned: set[str] = set()

    async def ask(
        self,
        send: Send[Response],
        read: Callable[[Response], Sequence[Answer]],
        parameters: Mapping[str, Any],
        expected: int,
    ) -> Sequence[Answer]:
        """The answers of one request, at least one. Raises UserError for what no other try can mend, AnswerFailed
        after the last try.

        `read` raises Transient for what cannot be read; `expected` tokens are used at most, with the prompt's.
        """
        answers = await self.persist(
            lambda: self._traffic.through(lambda: self._once(send, read, parameters), expected)
        )
        if all(each.prompt_tokens is not None and each.completion_tokens is not None for each in answers):
            used = sum((each.prompt_tokens or 0) + (each.completion_tokens or 0) for each in answers)
            self._traffic.give_back(expected - used)
        return answers

    async def call(self, send: Callable[[], Awaitable[Given]], *, times_as_patient: int = 1) -> Given:
        """What another of the API's endpoints gives, tried as often as a question, or so many times as often.

        `send` raises as `Send` says. Raises Refused for what no other try can mend, AnswerFailed after the last try,
        UserError where nothing was ever reached.
        """

        return await self.persist(partial(self.attempt, send), times_as_patient=times_as_patient)

    async def attempt(self, send: Callable[[], Awaitable[Given]]) -> Given:
        """One try of `call`. Raises Transient for what may go better at the next, else Refused."""
        try:
            return await self._reach(send())
        except Refused as refusal:
            if isinstance(verdict := self.verdict(refusal), Transient):
                raise verdict from None
            raise

    async def persist(self, call: Callable[[], Awaitable[Given]], *, times_as_patient: int = 1) -> Given:
        """What `call` gives, tried again while it raises Transient; then raises as `Asking.call` says."""
        patience = replace(self._patience, attempts=self._patience.attempts * times_as_patient)
        try:
            return await persist(call, patience, lambda: self.is_reached, lambda: self._traffic.answers)
        except Transient as error:
            if not self.is_reached:
                raise UserError(
                    f"Nothing answers at {self._url} ({error}): check model.base_url, and the network."
                ) from None
            raise AnswerFailed(str(error)) from None

    async def _once(
        self, send: Send[Response], read: Callable[[Response], Sequence[Answer]], parameters: Mapping[str, Any]
    ) -> Sequence[Answer]:
        sent = self.translated(parameters)
        began = time.monotonic()
        try:
            response = await self._reach(send(sent))
        except Refused as refusal:
            answers = self.settle(refusal, sent, parameters)
            if answers is None:
                return await self._once(send, read, parameters)
        else:
            answers = self.answers_in(response, read)
        seconds = time.monotonic() - began
        return [replace(answer, seconds=seconds) for answer in answers]

    async def _reach(self, sending: Awaitable[Given]) -> Given:
        try:
            # A client's own limit may begin again with each byte that arrives.
            async with asyncio.timeout(self._timeout_s):
                given = await sending
        except TimeoutError:
            raise Transient(f"no answer from {self._url} within {self._timeout_s:g} s (model.timeout_s)") from None
        except Transient as error:
            raise Transient(f"no answer from {self._url}: {self.clean(str(error))}") from None
        except Refused:
            self.is_reached = True
            raise
        self.is_reached = True
        return given

    def translated(self, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """The parameters as they are sent; what is left out is told once."""
        for name in sorted(parameters.keys() & self.dialect.dropped.keys()):
            self.warn_once(f"{self._url} is not sent the parameter {name}: {self.dialect.dropped[name]}")
        return self.dialect.translate(parameters)

    def answers_in(self, response: Response, read: Callable[[Response], Sequence[Answer]]) -> Sequence[Answer]:
        """The answers of a response; what the user can do for fuller ones is told once.

        Raises Transient where it cannot be read, in words without a key.
        """
        try:
            answers = read(response)
        except Transient as error:
            raise Transient(self.clean(str(error))) from None
        self._answered = True
        if len(self._answered_by) < _MOST_NAMES:
            self._answered_by |= {self.clean(answer.model) for answer in answers if answer.model}
        if any(not answer.text and answer.finish_reason == "length" for answer in answers):
            thought = any(answer.reasoning for answer in answers)
            ways = (
                " or say prompt.thinking=on, which gives thinking model.thinking_tokens of its own" if thought else ""
            )
            self.warn_once(f"an answer is empty because the token limit was used up: raise sampling.max_tokens{ways}")
        return answers

    def notes(self) -> dict[str, str]:
        """For the manifest: who has answered, and what was changed about the parameters."""
        names = {"answered_by": ", ".join(sorted(self._answered_by))} if self._answered_by else {}
        return names | self.dialect.notes()

    def settle(self, refusal: Refused, sent: Collection[str], parameters: Mapping[str, Any]) -> Sequence[Answer] | None:
        """The answers that a refusal is, or None where the same question may be asked again in other words.

        `sent` are the names of the `parameters` as they were sent. Raises Transient, AnswerFailed or UserError.
        """
        if refusal.is_filtered:
            # No other try will change that, and the answer is known, to all that were asked for together.
            return [Answer("", "", "refusal", None, None)] * parameters.get("n", 1)
        if self._is_reworded(refusal, sent, parameters):
            return None
        raise self.verdict(refusal) from None

    def _is_reworded(self, refusal: Refused, sent: Collection[str], parameters: Mapping[str, Any]) -> bool:
        """Whether the same question may be asked again in other words: each parameter is given up once."""
        if refusal.status not in (400, 422):
            return False
        if self.dialect.translate(parameters).keys() != set(sent):
            return True
        return self.dialect.learn(sent, refusal.param, self.clean(refusal.words)) is not None

    def verdict(self, refusal: Refused) -> UserError | Transient | AnswerFailed:
        """What is to be raised for it."""
        status, words = refusal.status, self.clean(refusal.words)
        if status == 401:
            return UserError(f"{self._url} refused the key (401): {words}; {self._remedy}.")
        if status == 403:
            return UserError(f"{self._url} refused access (403): {words}; {self._remedy}.")
        if (status in (408, 409, 424, 429) or status >= 500) and not refusal.is_final:
            return Transient(f"{self._url} answered {status}: {words}", refusal.wait, status)
        told = f"{self._url} refused the request ({status}): {words}"
        # Once others were answered it is about this one: too long for the model, or held back by a filter.
        return AnswerFailed(told) if self._answered and status in (400, 413, 422) else UserError(f"{told}.")

    def clean(self, words: str) -> str:
        """A server's message, short, on one line, without a key and without what would move a terminal."""
        for secret in self._secrets:
            words = words.replace(secret, "[key]")
        printable = "".join(letter if letter.isprintable() else " " for letter in words[:WORDS])
        return " ".join(printable.split()).rstrip(". ")

    def warn_once(self, words: str) -> None:
        """Tell it, unless it was told before."""
        if words not in self._warned:
            self._warned.add(words)
            logger.warning("%s", words)
