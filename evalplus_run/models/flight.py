"""All answers in flight at once, bounded: shared by every engine that is asked one answer at a time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import aclosing
from functools import partial

from evalplus_run.records import Completion, RunFailed
from evalplus_run.words import counted

Job = Callable[[], Awaitable[Completion]]
Jobs = Callable[[], AsyncGenerator[Completion, None]]
"""What gives several answers, one after the other; those before an error count."""

AHEAD = 2
"""Jobs under way and answers not yet taken at most, together, in units of the jobs that may run at once: a process
that is killed loses no more, however slow the disk is that answers go to."""

PATIENCE = 8
"""Answers that may fail for good in a row before the engine is taken for gone."""


class AnswerFailed(RunFailed):
    """One answer could not be had; the others may be."""


def fly(jobs: Iterable[Job], concurrency: int) -> AsyncGenerator[Completion, None]:
    """As `fly_together`, each job for one answer."""
    return fly_together((partial(_alone, job) for job in jobs), concurrency)


async def fly_together(jobs: Iterable[Jobs], concurrency: int) -> AsyncGenerator[Completion, None]:
    """Run the jobs, `concurrency` at a time, and yield what they give as it lands.

    Jobs go on while the consumer is busy, but not far ahead of it; closing the generator ends them. `AnswerFailed`
    is kept until the other answers are through, then raised as RunFailed; any other error ends the flight at once.
    """
    landed: asyncio.Queue[Completion | Exception | None] = asyncio.Queue()
    room = asyncio.Semaphore(AHEAD * concurrency)
    waiting = iter(jobs)
    is_over = False

    async def work() -> None:
        nonlocal is_over
        try:
            while await room.acquire() and not is_over and (job := next(waiting, None)):
                try:
                    async with aclosing(job()) as completions:
                        async for completion in completions:
                            landed.put_nowait(completion)
                            await room.acquire()
                    # That was for one answer more, and there was none.
                    room.release()
                except Exception as error:
                    # The consumer hears of it later, and no other request goes out until then.
                    is_over = is_over or not isinstance(error, AnswerFailed)
                    landed.put_nowait(error)
        finally:
            landed.put_nowait(None)

    workers = [asyncio.create_task(work()) for _ in range(concurrency)]
    try:
        async for completion in _landings(landed, len(workers), room):
            yield completion
    finally:
        for worker in workers:
            worker.cancel()
        await asyncio.gather(*workers, return_exceptions=True)


async def _alone(job: Job) -> AsyncGenerator[Completion, None]:
    yield await job()


async def _landings(
    landed: asyncio.Queue[Completion | Exception | None], flying: int, room: asyncio.Semaphore
) -> AsyncGenerator[Completion, None]:
    failures: list[AnswerFailed] = []
    in_a_row = 0
    while flying:
        match await landed.get():
            case None:
                flying -= 1
            case AnswerFailed() as failure:
                failures.append(failure)
                in_a_row += 1
                if in_a_row >= PATIENCE:
                    for completion in _landed_behind(landed):
                        yield completion
                    break
            case Exception() as error:
                for completion in _landed_behind(landed):
                    yield completion
                raise error
            case completion:
                in_a_row = 0
                yield completion
        room.release()
    if failures:
        raise RunFailed(report(failures))


def _landed_behind(landed: asyncio.Queue[Completion | Exception | None]) -> Iterator[Completion]:
    """What was there already when the flight ended: it was paid for."""
    while not landed.empty():
        if isinstance(completion := landed.get_nowait(), Completion):
            yield completion


def report(failures: Sequence[AnswerFailed]) -> str:
    """What the user is told of answers that failed, at least one."""
    count = counted(len(failures), "answer")
    return f"{count} could not be had ({failures[0]}): the same command again asks only for what is missing."
