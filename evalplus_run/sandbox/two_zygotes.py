"""A worker of two zygotes: a light one for most programs, and one with numpy and the like for those that name them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from evalplus_run.sandbox.any_worker import AnyWorker, HostFault, TierUnavailable, WorkerDied
from evalplus_run.sandbox.execution import Execution, Job
from evalplus_run.sandbox.frames import OnBytes, OnFrame
from evalplus_run.sandbox.guest import protocol, stock
from evalplus_run.sandbox.worker import Stock, Worker

if TYPE_CHECKING:
    from evalplus_run.records import Arguments

_WORD = re.compile(r"\w+")
_RARE = frozenset(name.partition(".")[0] for name in stock.RARE.split())


class TwoZygotes(AnyWorker):
    """Which of them runs a program hangs on the program's text alone, so that it finds the same modules each time."""

    def __init__(self, start: Callable[[Stock], Worker], *, at_once: bool = False) -> None:
        """The second is started when it is first needed, or `at_once`. Raises TierUnavailable with the reason."""
        self._start = start
        self._inputs: dict[str, Sequence[Sequence[Arguments]]] = {}
        self._closed = False
        self._workers: dict[Stock, Worker] = {"common": start("common")}
        if at_once:
            self._workers["all"] = start("all")

    def load(self, key: str, suites: Sequence[Sequence[Arguments]]) -> None:
        """As `AnyWorker` says; each zygote is sent what it needs when it needs it."""
        self._inputs.pop(key, None)
        self._inputs[key] = suites
        if len(self._inputs) > protocol.KEPT_TASKS:
            del self._inputs[next(iter(self._inputs))]

    def run(self, job: Job, on_frame: OnFrame, *, on_bytes: OnBytes | None = None) -> Execution:
        """As `AnyWorker` says."""
        worker = self._worker(stock_of(job.program))
        worker.load(job.key, self._inputs[job.key])
        return worker.run(job, on_frame, on_bytes=on_bytes)

    def kill(self) -> None:
        """As `AnyWorker` says."""
        self._closed = True
        for worker in [*self._workers.values()]:
            worker.kill()

    def close(self) -> None:
        """As `AnyWorker` says."""
        self._closed = True
        for worker in self._workers.values():
            worker.close()

    def _worker(self, needed: Stock) -> Worker:
        worker = self._workers.get(needed)
        if worker is None:
            try:
                worker = self._workers[needed] = self._start(needed)
            except (TierUnavailable, OSError) as error:
                # The other one did start.
                raise HostFault(str(error)) from error
            if self._closed:
                # `kill` may have come before this one was there to be killed.
                worker.kill()
                raise WorkerDied("it was ended while it started")
        return worker


def stock_of(program: str) -> Stock:
    """Which modules a program is to find imported: all of them where a line that imports names a rare one."""
    lines = (line for line in program.splitlines() if "import" in line)
    return "common" if all(_RARE.isdisjoint(_WORD.findall(line)) for line in lines) else "all"
