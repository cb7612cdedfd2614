"""The pool of workers on this machine."""

from __future__ import annotations

import contextlib
import os
import queue
import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import Self, TypeVar

from evalplus_run.evaluate.cache import VerdictCache, key_of
from evalplus_run.evaluate.judging import Rules, judge, outcomes, unrun
from evalplus_run.evaluate.references import prepare
from evalplus_run.evaluate.suites import TaskTests
from evalplus_run.records import Outcome, Program, Task, Verdict
from evalplus_run.sandbox.settings import TierName
from evalplus_run.sandbox.worker import Worker, WorkerDied

Answer = TypeVar("Answer")

_ALONE = 4
"""Programs that are tried again have this many times fewer neighbours than cores."""


class LocalPool:
    """Judges programs in worker processes, as many at once as there are workers; used from any thread."""

    def __init__(
        self,
        tier: TierName,
        rules: Rules,
        *,
        workers: int | None = None,
        idle_priority: bool = False,
        cache: VerdictCache | None = None,
    ) -> None:
        self.workers = workers or usable_cores()
        self._tier = tier
        self._rules = rules
        self._idle_priority = idle_priority
        self._cache = cache
        self._threads = ThreadPoolExecutor(self.workers, thread_name_prefix="judge")
        self._idle: queue.SimpleQueue[Worker] = queue.SimpleQueue()
        self._alone = threading.Semaphore(max(1, self.workers // _ALONE))

    def __enter__(self) -> Self:
        """The pool itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close."""
        self.close()

    def close(self) -> None:
        """End all workers; what is still queued is dropped."""
        self._threads.shutdown(wait=True, cancel_futures=True)
        with contextlib.suppress(queue.Empty):
            while True:
                self._idle.get_nowait().close()

    def prepare(self, tasks: Iterable[Task]) -> list[Future[TaskTests]]:
        """The tasks ready for judging, in their order; RunFailed where a reference fails."""
        return [self._threads.submit(self._with_worker, prepare, task, self._rules) for task in tasks]

    def submit(self, tests: TaskTests, program: Program) -> Future[Verdict]:
        """Judge one program; a time-out among its outcomes is not final yet, see `again`."""
        return self._threads.submit(self._judge, tests, program)

    def again(self, tests: TaskTests, program: Program) -> Future[Verdict]:
        """Judge a program that ran out of time once more, with few neighbours; for when all others are done."""
        return self._threads.submit(self._judge_alone, tests, program)

    def _judge(self, tests: TaskTests, program: Program) -> Verdict:
        key = key_of(program, tests, self._rules)
        found = self._cache.find(key, program) if self._cache else None
        if found is not None:
            return found
        verdict = self._run(tests, program)
        if self._cache:
            self._cache.keep(key, verdict)
        return verdict

    def _judge_alone(self, tests: TaskTests, program: Program) -> Verdict:
        with self._alone:
            return self._run(tests, program)

    def _run(self, tests: TaskTests, program: Program) -> Verdict:
        try:
            return self._with_worker(judge, tests, program, self._rules)
        except WorkerDied as error:
            return unrun(program, Outcome.CRASH, f"its worker died twice {error}".strip())

    def _with_worker(self, work: Callable[..., Answer], *arguments: object) -> Answer:
        """Call `work(worker, …)`; where the worker is lost on the way, once more with another."""
        try:
            return self._with_one_worker(work, *arguments)
        except WorkerDied:
            return self._with_one_worker(work, *arguments)

    def _with_one_worker(self, work: Callable[..., Answer], *arguments: object) -> Answer:
        worker = self._take_worker()
        try:
            answer = work(worker, *arguments)
        except WorkerDied:
            worker.close()
            raise
        except BaseException:
            self._idle.put(worker)
            raise
        self._idle.put(worker)
        return answer

    def _take_worker(self) -> Worker:
        try:
            return self._idle.get_nowait()
        except queue.Empty:
            return Worker(self._tier, idle_priority=self._idle_priority)


def needs_another_try(verdict: Verdict) -> bool:
    """Whether a time-out is among its outcomes: final only when it is met again with few neighbours."""
    return Outcome.TIMEOUT in outcomes(verdict)


def longest_first(tests: Sequence[TaskTests]) -> list[TaskTests]:
    """The order in which a set known beforehand is judged fastest."""
    return sorted(tests, key=lambda each: -each.cost)


def usable_cores() -> int:
    """Cores that this process may use: its affinity, not the machine's size."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
