"""What answers cost: told before they are paid for, added up as they come, kept within a budget."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from evalplus_run.models.answers import BYTES_PER_TOKEN
from evalplus_run.models.base import Thinking
from evalplus_run.models.settings import ApiSettings, Price
from evalplus_run.records import Completion, Prompt, Request, RunFailed, Sampling, UserError
from evalplus_run.words import counted

_MILLION = 1_000_000
_TOKENS_OF_A_TURN = 32
"""More than a server's template puts around one."""


@dataclass(frozen=True, slots=True)
class Forecast:
    """What is about to be asked for, and what it takes."""

    prompts: int
    answers: int
    prompt_tokens: int
    """Of all answers; estimated from the prompts' length."""
    new_tokens: int
    """At most."""
    cost: float | None
    """At most, by that estimate, in the currency of the prices; None where the price is not known."""


class Purse:
    """The money of one run: its price, its budget, what was paid. Without a price nothing is counted."""

    def __init__(self, price: Price | None = None, budget: float | None = None, thinking_room: int = 0) -> None:
        """`budget` only with a price; `thinking_room` tokens may come on top of each answer's own."""
        self._thinking_room = thinking_room
        self.price = price
        self.budget = budget
        self._paid = 0.0
        self._answers = self._counted = 0

    @property
    def paid(self) -> float | None:
        """For all answers so far whose cost is known; None where that is none of them."""
        return self._paid if self._counted else None

    def pay(self, answer: Completion) -> Completion:
        """The answer with its cost, where that can be known; it is added to what was paid."""
        if answer.cost is None and answer.prompt_tokens is not None and answer.completion_tokens is not None:
            answer = replace(answer, cost=self._cost(answer.prompt_tokens, answer.completion_tokens))
        self._answers += 1
        self._counted += answer.cost is not None
        self._paid += answer.cost or 0.0
        return answer

    def check(self, answer: Completion) -> None:
        """UserError where the budget cannot be kept because the server does not tell what an answer took."""
        if self.budget is not None and answer.cost is None and answer.finish_reason != "refusal":
            raise UserError(
                "The server does not tell how many tokens an answer took, so model.budget cannot be kept:"
                " leave it out, and the same command goes on."
            )

    def split(self, requests: Sequence[Request], sampling: Sampling) -> tuple[list[Request], list[Request]]:
        """What the budget allows for certain, whatever the answers' length, and the rest; both in their order."""
        if self.budget is None:
            return list(requests), []
        left = self.budget - self._paid
        now, later = [], []
        for request in requests:
            most = sampling.max_tokens + self._thinking_room
            each = self._cost(_bytes(request.prompt) + _overhead(request.prompt), most) or 0.0
            count = len(request.indices) if each == 0 else min(len(request.indices), max(0, int(left / each)))
            left -= count * each
            now.append(replace(request, indices=request.indices[:count]))
            later.append(replace(request, indices=request.indices[count:]))
        return [request for request in now if request.indices], [request for request in later if request.indices]

    def reached(self, missing: int) -> RunFailed:
        """What the user is told where the budget ends."""
        return RunFailed(
            f"model.budget={self.budget:g} might not hold for one more answer: {self._paid:.4f} was paid for"
            f" {counted(self._answers, 'answer')}, kept all, and {counted(missing, 'answer')} to go;"
            " the same command with a higher model.budget goes on from here."
        )

    def forecast(self, requests: Sequence[Request], sampling: Sampling) -> Forecast:
        """What these requests take."""
        answers = sum(len(request.indices) for request in requests)
        prompts = sum(_bytes(request.prompt) * len(request.indices) for request in requests) // BYTES_PER_TOKEN
        new = answers * (sampling.max_tokens + self._thinking_room)
        return Forecast(len(requests), answers, prompts, new, self._cost(prompts, new))

    def words(self, forecast: Forecast) -> str:
        """The forecast in one sentence for people."""
        asked = f"{counted(forecast.answers, 'answer')} to {counted(forecast.prompts, 'prompt')}"
        tokens = f"about {forecast.prompt_tokens:,} prompt tokens and at most {forecast.new_tokens:,} new ones"
        if forecast.cost is None:
            return f"forecast: {asked}, {tokens}; model.prices does not hold this model, so the cost is not known"
        before = f" on top of {self._paid:.4f}" if self._paid else ""
        cost = f"at most about {forecast.cost:.4f}{before} in the currency of model.prices"
        is_short = self.budget is not None and self._paid + forecast.cost > self.budget
        end = f"; model.budget={self.budget:g} may end it" if is_short else ""
        return f"forecast: {asked}, {tokens}, {cost}{end}"

    def _cost(self, prompt_tokens: int, new_tokens: int) -> float | None:
        return None if self.price is None else _cost(self.price, prompt_tokens, new_tokens)


def purse_of(settings: object, answers: Iterable[Completion], thinking: Thinking = "auto") -> Purse:
    """That of a model's settings; `answers` were paid for before. UserError for a budget where no price is known."""
    if not isinstance(settings, ApiSettings):
        return Purse()
    if settings.budget is not None and settings.price is None:
        key = settings.name.replace(":", r"\:")
        raise UserError(
            f"model.budget needs the price of {settings.name}, for a million tokens:"
            f" 'model.prices={{{key}: {{input: …, output: …}}}}'."
        )
    purse = Purse(settings.price, settings.budget, settings.thinking_room(thinking))
    for answer in answers:
        purse.pay(answer)
    return purse


def _cost(price: Price, prompt_tokens: int, new_tokens: int) -> float:
    return (prompt_tokens * price.input + new_tokens * price.output) / _MILLION


def _bytes(prompt: Prompt) -> int:
    """No tokenizer of today makes more tokens of a text than it has bytes."""
    return len("".join([prompt.text, *(turn.content for turn in prompt.messages), prompt.prefill]).encode())


def _overhead(prompt: Prompt) -> int:
    return (len(prompt.messages) + 1) * _TOKENS_OF_A_TURN
