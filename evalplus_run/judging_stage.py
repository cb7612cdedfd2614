"""Programs as they come, judged as fast as the workers go, verdicts stored as they are known."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from concurrent.futures import Future
from contextlib import aclosing
from functools import partial

from evalplus_run.evaluate.pool import Pool, needs_another_try, wants_to_be_alone
from evalplus_run.evaluate.suites import TaskTests
from evalplus_run.progress import Stage
from evalplus_run.records import Program, Verdict
from evalplus_run.runs import RowLog

_WAITING_FOR_EACH_WORKER = 16
"""Programs handed to the pool ahead of time, so that no worker waits and memory stays bounded."""


class JudgingStage:
    """Judges programs of the tasks in `tests` and appends their verdicts to `log`."""

    def __init__(self, pool: Pool, tests: Mapping[str, TaskTests], log: RowLog[Verdict], stage: Stage) -> None:
        self._pool = pool
        self._tests = tests
        self._log = log
        self._stage = stage
        self._under_way = 0
        self._judged_one = asyncio.Event()
        self._judged: asyncio.Queue[Verdict | None] = asyncio.Queue()
        self._again: list[tuple[Program, Verdict]] = []
        """To be tried once more, with what the first try came to."""

    async def run(self, programs: AsyncGenerator[Program, None]) -> None:
        """Until all programs are judged; those whose first verdict is not final, twice. Closes `programs`."""
        async with aclosing(programs), asyncio.TaskGroup() as group:
            writer = group.create_task(self._write())
            async with asyncio.TaskGroup() as jobs:
                async for program in programs:
                    await self._room()
                    jobs.create_task(self._judge(program))
            # All others are through: what is not final is tried once more, with few neighbours or none.
            async with asyncio.TaskGroup() as jobs:
                for program, first in self._again:
                    jobs.create_task(self._judge_again(program, first))
            self._judged.put_nowait(None)
            await writer

    async def _room(self) -> None:
        """Wait until one more may be handed over; workers come and go meanwhile."""
        while self._under_way >= max(self._pool.workers, 1) * _WAITING_FOR_EACH_WORKER:
            self._judged_one.clear()
            await self._judged_one.wait()
        self._under_way += 1

    async def _judge(self, program: Program) -> None:
        verdict = await self._ask(self._pool.submit, program)
        self._under_way -= 1
        self._judged_one.set()
        if needs_another_try(verdict):
            self._again.append((program, verdict))
        else:
            self._judged.put_nowait(verdict)

    async def _judge_again(self, program: Program, verdict: Verdict) -> None:
        if not wants_to_be_alone(verdict):
            verdict = await self._ask(partial(self._pool.again, first=verdict), program)
        if wants_to_be_alone(verdict):
            verdict = await self._ask(partial(self._pool.again, first=verdict, alone=True), program)
        self._judged.put_nowait(verdict)

    async def _ask(self, submit: Callable[[TaskTests, Program], Future[Verdict]], program: Program) -> Verdict:
        return await asyncio.wrap_future(submit(self._tests[program.task_id], program))

    async def _write(self) -> None:
        """Append in batches: as many verdicts as are there at once."""
        more = True
        while more:
            batch = [await self._judged.get()]
            while not self._judged.empty():
                batch.append(self._judged.get_nowait())
            verdicts = [verdict for verdict in batch if verdict is not None]
            more = len(verdicts) == len(batch)
            if verdicts:
                self._log.append(verdicts)
                self._stage.advance(len(verdicts))
