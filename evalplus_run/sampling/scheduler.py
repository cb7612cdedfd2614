"""Which samples are still missing, all asked for at once."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Collection, Container, Sequence
from contextlib import aclosing
from dataclasses import replace

from evalplus_run.models.base import Model
from evalplus_run.records import Completion, Prompt, Request, SampleId, Sampling
from evalplus_run.sampling.costs import Purse


def missing(prompts: Sequence[Prompt], n: int, done: Container[SampleId]) -> list[Request]:
    """The requests for indices 0 to n - 1 of each prompt that are not done, in the prompts' order."""
    requests = (Request(prompt, _wanted(prompt.task_id, n, done)) for prompt in prompts)
    return [request for request in requests if request.indices]


def _wanted(task_id: str, n: int, done: Container[SampleId]) -> tuple[int, ...]:
    return tuple(index for index in range(n) if (task_id, index) not in done)


def _in_order(requests: Sequence[Request], first: Collection[SampleId]) -> list[Request]:
    """The same, but these samples before all others."""
    before = [_only(request, lambda sample_id: sample_id in first) for request in requests]
    after = [_only(request, lambda sample_id: sample_id not in first) for request in requests]
    return [request for request in (*before, *after) if request.indices]


def _only(request: Request, is_wanted: Callable[[SampleId], bool]) -> Request:
    task_id = request.prompt.task_id
    return replace(request, indices=tuple(index for index in request.indices if is_wanted((task_id, index))))


async def sample(
    model: Model,
    prompts: Sequence[Prompt],
    sampling: Sampling,
    done: Container[SampleId] = (),
    purse: Purse | None = None,
    first: Collection[SampleId] = (),
) -> AsyncGenerator[Completion, None]:
    """Draw what is missing, in any order, as it is ready; the model is not asked when nothing is.

    A budget is never overdrawn: asked at once is only what it allows were all answers as long as they may be, then
    again what is left of it allows; the samples that are being made already come `first`. Closing the generator ends
    everything in flight. Raises what `Model.complete` raises, after all answers that came before it, and RunFailed at
    the end of the budget.
    """
    purse = purse or Purse()
    rest = _in_order(missing(prompts, sampling.n, done), first)
    while rest:
        now, rest = purse.split(rest, sampling)
        if not now:
            raise purse.reached(sum(len(request.indices) for request in rest))
        async with aclosing(model.complete(now, sampling)) as completions:
            async for completion in completions:
                paid = purse.pay(completion)
                yield paid
                purse.check(paid)
