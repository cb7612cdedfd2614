"""Which samples are still missing, all asked for at once."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Container, Sequence
from contextlib import aclosing

from evalplus_run.models.base import Model
from evalplus_run.records import Completion, Prompt, Request, SampleId, Sampling
from evalplus_run.sampling.costs import Purse


def missing(prompts: Sequence[Prompt], n: int, done: Container[SampleId]) -> list[Request]:
    """The requests for indices 0 to n - 1 of each prompt that are not done, in the prompts' order."""
    requests = (Request(prompt, _wanted(prompt.task_id, n, done)) for prompt in prompts)
    return [request for request in requests if request.indices]


def _wanted(task_id: str, n: int, done: Container[SampleId]) -> tuple[int, ...]:
    return tuple(index for index in range(n) if (task_id, index) not in done)


async def sample(
    model: Model,
    prompts: Sequence[Prompt],
    sampling: Sampling,
    done: Container[SampleId] = (),
    purse: Purse | None = None,
) -> AsyncGenerator[Completion, None]:
    """Draw what is missing, in any order, as it is ready; the model is not asked when nothing is.

    A budget is never overdrawn: asked at once is only what it allows were all answers as long as they may be, then
    again what is left of it allows. Closing the generator ends everything in flight. Raises what `Model.complete`
    raises, after all answers that came before it, and RunFailed at the end of the budget.
    """
    purse = purse or Purse()
    rest = missing(prompts, sampling.n, done)
    while rest:
        now, rest = purse.split(rest, sampling)
        if not now:
            raise purse.reached(sum(len(request.indices) for request in rest))
        async with aclosing(model.complete(now, sampling)) as completions:
            async for completion in completions:
                paid = purse.pay(completion)
                yield paid
                purse.check(paid)
