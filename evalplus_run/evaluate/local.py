"""The pool of workers on this machine."""

from __future__ import annotations

import os
import queue
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from types import TracebackType
from typing import Self, TypeVar

from evalplus_run.evaluate.cache import VerdictCache
from evalplus_run.evaluate.judging import (
    NOT_FINAL,
    Rules,
    judge,
    outcomes,
    settled,
    shape_key,
    unrun,
    verdict_key,
    with_second_try,
)
from evalplus_run.evaluate.reference_run import reference_failed
from evalplus_run.evaluate.references import prepare
from evalplus_run.evaluate.sharing import Asked, SharedVerdicts
from evalplus_run.evaluate.suites import TaskTests
from evalplus_run.records import Outcome, Program, RunFailed, Task, Verdict
from evalplus_run.sandbox.any_worker import AnyWorker, HostFault, TierUnavailable, WorkerDied, WorkerLost
from evalplus_run.sandbox.starting import start_worker

Answer = TypeVar("Answer")

_ALONE = 4
"""Programs that are tried again have this many times fewer neighbours than cores."""
_TRIES, _PAUSE = 4, 0.2
"""To begin a program where the host fails; seconds between them, growing."""
_LIVES = 2
"""Workers that one program may take along."""


class LocalPool:
    """Judges programs in worker processes, as many at once as there are workers; used from any thread."""

    def __init__(
        self,
        rules: Rules,
        *,
        workers: int | None = None,
        cache: VerdictCache | None = None,
    ) -> None:
        self.workers = workers or usable_cores()
        self._rules = rules
        self._gives_way = False
        self._of_run = VerdictCache(None)
        self._shared = SharedVerdicts([self._of_run, *([cache] if cache else [])])
        self._again = SharedVerdicts([self._of_run])
        self._open: set[Future[Verdict]] = set()
        self._threads = ThreadPoolExecutor(self.workers, thread_name_prefix="judge")
        self._idle: queue.SimpleQueue[AnyWorker] = queue.SimpleQueue()
        self._started: dict[AnyWorker, bool] = {}
        """Each worker, and whether it gives way."""
        self._closed = False
        self._lock = threading.Lock()
        self._few = max(1, self.workers // _ALONE)
        self._neighbours = threading.Semaphore(self._few)
        self._alone = threading.Lock()

    def __enter__(self) -> Self:
        """The pool itself, its first worker on the way."""
        self._threads.submit(self._with_worker, lambda worker: worker)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close."""
        self.close()

    def close(self) -> None:
        """End all workers with what they run; what is still queued is dropped."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        with self._lock:
            self._closed = True
            for worker in self._started:
                worker.kill()
            dropped = [*self._open]
        for answer in dropped:
            answer.cancel()
        self._threads.shutdown(wait=True)
        with ExitStack() as closing:  # all of them, also where one cannot be
            closing.callback(self._of_run.close)
            for worker in self._started:
                closing.callback(worker.close)
            self._started.clear()

    def give_way(self, gives: bool) -> None:
        """Whether programs that begin from now on run only when nothing else wants the cores."""
        self._gives_way = gives

    def prepare(self, tasks: Iterable[Task]) -> list[Future[TaskTests]]:
        """The tasks ready for judging, in their order; RunFailed where a reference fails."""
        return [self._threads.submit(self._prepare, task) for task in tasks]

    def submit(self, tests: TaskTests, program: Program) -> Future[Verdict]:
        """Judge one program; what `needs_another_try` is not final yet, see `again`.

        Programs whose syntax trees are equal are run once.
        """
        return self._answer(self._judge, tests, program)

    def again(self, tests: TaskTests, program: Program, first: Verdict, *, alone: bool = False) -> Future[Verdict]:
        """Judge once more what is not final in a `first` verdict, with few neighbours; for when all others are done.

        `alone` is for what the machine had no room for: without any neighbour.
        """
        return self._answer(partial(self._judge_again, first=first, alone=alone), tests, program)

    def _answer(self, judge: Callable[[TaskTests, Asked], None], tests: TaskTests, program: Program) -> Future[Verdict]:
        asked = Asked(program, verdict_key(program, tests, self._rules), Future())
        with self._lock:
            self._open.add(asked.answer)
        asked.answer.add_done_callback(self._open.discard)
        self._threads.submit(self._unless_cancelled, judge, tests, asked)
        return asked.answer

    def _unless_cancelled(self, judge: Callable[[TaskTests, Asked], None], tests: TaskTests, asked: Asked) -> None:
        if not asked.answer.set_running_or_notify_cancel():
            return
        try:
            judge(tests, asked)
        except BaseException as error:
            # Nobody looks at the thread's own end: without an answer, who asked would wait for ever.
            if not asked.answer.done():
                asked.answer.set_exception(error)

    def _prepare(self, task: Task) -> TaskTests:
        try:
            return self._with_worker(prepare, task, self._rules)
        except WorkerDied as error:
            if self._closed:
                raise
            raise reference_failed(task, f"its worker died twice {error}".strip()) from error

    def _judge(self, tests: TaskTests, asked: Asked) -> None:
        program = asked.program
        if program.outcome is not None:
            asked.answer.set_result(unrun(program, tests, self._rules, program.outcome))
            return
        shape = shape_key(program, tests, self._rules)
        self._shared.give(shape, asked, lambda: self._run(tests, program, first_try=True))

    def _judge_again(self, tests: TaskTests, asked: Asked, *, first: Verdict, alone: bool) -> None:
        def run() -> Verdict:
            with self._room(self._few if alone else 1):
                second = self._run(tests, asked.program, first_try=False)
            verdict = with_second_try(first, second)
            return settled(verdict) if alone else verdict

        self._again.give(f"{shape_key(asked.program, tests, self._rules)} {alone}", asked, run)

    @contextmanager
    def _room(self, places: int) -> Iterator[None]:
        with self._alone:
            for _ in range(places):
                self._neighbours.acquire()
        try:
            yield
        finally:
            self._neighbours.release(places)

    def _run(self, tests: TaskTests, program: Program, *, first_try: bool) -> Verdict:
        try:
            return self._with_worker(partial(judge, first_try=first_try), tests, program, self._rules)
        except WorkerDied as error:
            if self._closed:
                raise
            reason = f"its worker died twice {error}".strip()
            return unrun(program, tests, self._rules, Outcome.CRASH, reason)

    def _with_worker(self, work: Callable[..., Answer], *arguments: object) -> Answer:
        """Call `work(worker, …)`; where the worker dies meanwhile, once more with another.

        Where the host cannot even begin the program, a few times more; RunFailed in the end.
        """
        deaths = faults = 0
        while True:
            try:
                return self._with_one_worker(work, *arguments)
            except WorkerDied:
                deaths += 1
                if self._closed or deaths == _LIVES:
                    raise
            except HostFault as error:
                faults += 1
                if self._closed:
                    raise
                if faults == _TRIES:
                    raise RunFailed(f"No program can be started in the sandbox any more: {error}") from error
                time.sleep(faults * _PAUSE)

    def _with_one_worker(self, work: Callable[..., Answer], *arguments: object) -> Answer:
        worker = self._take_worker()
        try:
            return work(worker, *arguments)
        except WorkerLost:
            self._drop(worker)
            raise
        finally:
            if worker in self._started:
                self._idle.put(worker)

    def _take_worker(self) -> AnyWorker:
        gives_way = self._gives_way
        with suppress(queue.Empty):
            # A priority that was given up cannot be had back: another worker is needed then.
            while self._started.get(worker := self._idle.get_nowait()) is not gives_way:
                self._drop(worker)
            return worker  # one that was killed meanwhile says so itself
        worker = self._start_worker(gives_way)
        with self._lock:
            if not self._closed:
                self._started[worker] = gives_way
                return worker
        worker.close()
        raise HostFault("the pool was closed")

    def _drop(self, worker: AnyWorker) -> None:
        with self._lock:
            self._started.pop(worker, None)
        worker.close()

    def _start_worker(self, gives_way: bool) -> AnyWorker:
        """The tier is known to start here: what fails now is the host's fault, and may be over in a moment."""
        rules = self._rules
        try:
            return start_worker(rules.tier, rules.wrapper, rules.image, memory=rules.memory, idle_priority=gives_way)
        except (TierUnavailable, OSError) as error:
            raise HostFault(str(error)) from error


def needs_another_try(verdict: Verdict) -> bool:
    """Whether it says something that is final only when it is met again with few neighbours."""
    return bool(outcomes(verdict) & NOT_FINAL)


def wants_to_be_alone(verdict: Verdict) -> bool:
    """Whether the machine had no room for it."""
    return verdict.evalplus.is_host_fault or verdict.strict.is_host_fault


def longest_first(tests: Sequence[TaskTests]) -> list[TaskTests]:
    """The order in which a set known beforehand is judged fastest."""
    return sorted(tests, key=lambda each: -each.cost)


def usable_cores() -> int:
    """Cores that this process may use: its affinity, not the machine's size."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
