"""Which samples are still missing, all asked for at once."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Container, Sequence
from contextlib import aclosing

from evalplus_run.models.base import Model
from evalplus_run.records import Completion, Prompt, Request, SampleId, Sampling


def missing(prompts: Sequence[Prompt], n: int, done: Container[SampleId]) -> list[Request]:
    """The requests for indices 0 to n - 1 of each prompt that are not done, in the prompts' order."""
    requests = (Request(prompt, _wanted(prompt.task_id, n, done)) for prompt in prompts)
    return [request for request in requests if request.indices]


def _wanted(task_id: str, n: int, done: Container[SampleId]) -> tuple[int, ...]:
    return tuple(index for index in range(n) if (task_id, index) not in done)


async def sample(
    model: Model, prompts: Sequence[Prompt], sampling: Sampling, done: Container[SampleId] = ()
) -> AsyncGenerator[Completion, None]:
    """Draw what is missing, in any order, as it is ready; the model is not asked when nothing is.

    Closing the generator ends everything in flight. Raises what `Model.complete` raises, after all answers
    that came before it.
    """
    requests = missing(prompts, sampling.n, done)
    if not requests:
        return
    async with aclosing(model.complete(requests, sampling)) as completions:
        async for completion in completions:
            yield completion
