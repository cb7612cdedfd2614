"""The sandbox workers of one machine: what is asked of them is done at once, or again where a worker is lost."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from functools import partial
from types import TracebackType
from typing import Self, TypeVar

from evalplus_run.evaluate.judging import Attempt, Rules, judge, unrun
from evalplus_run.evaluate.reference_run import reference_failed
from evalplus_run.evaluate.references import prepare, timed_here
from evalplus_run.evaluate.suites import Expected, TaskTests, make_ready
from evalplus_run.records import Outcome, Program, RunFailed, Task, Verdict
from evalplus_run.sandbox.any_worker import AnyWorker, HostFault, TierUnavailable, WorkerDied, WorkerLost
from evalplus_run.sandbox.starting import start_worker

Answer = TypeVar("Answer")

_ALONE = 4
"""Programs that are tried again have this many times fewer neighbours than cores."""
_TRIES, _PAUSE = 4, 0.2
"""To begin a program where the host fails; seconds between them, growing."""
LIVES = 2
"""Workers that one program may take along."""


class CannotStart(RunFailed):
    """This machine runs no programs any more."""


class Workers:
    """Each call has a worker to itself; so many threads may call at once as there are to be workers."""

    def __init__(self, rules: Rules, number: int, hash_seed: int = 0) -> None:
        """`hash_seed` as in `sandbox.worker.Worker`; verdicts are made with the usual one alone."""
        self.number = number
        self.closed = False
        self._rules = rules
        self._hash_seed = hash_seed
        self._gives_way = False
        self._idle: queue.SimpleQueue[AnyWorker] = queue.SimpleQueue()
        self._started: dict[AnyWorker, bool] = {}
        """Each worker, and whether it gives way."""
        self._lock = threading.Lock()
        self._few = max(1, number // _ALONE)
        self._neighbours = threading.Semaphore(self._few)
        self._alone = threading.Lock()

    def __enter__(self) -> Self:
        """The workers themselves."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Kill and close."""
        self.kill()
        self.close()

    def kill(self) -> None:
        """End all workers with what they run; calls under way raise WorkerLost."""
        with self._lock:
            self.closed = True
            for worker in self._started:
                worker.kill()

    def close(self) -> None:
        """Free what they held, once no call is under way."""
        with ExitStack() as closing:  # all of them, also where one cannot be
            for worker in self._started:
                closing.callback(worker.close)
            self._started.clear()

    def give_way(self, gives: bool) -> None:
        """Whether programs that begin from now on run only when nothing else wants the cores."""
        self._gives_way = gives

    def warm(self) -> None:
        """Have a worker there before it is needed."""
        self.call(lambda worker: worker)

    def prepare(self, task: Task) -> TaskTests:
        """The task ready for judging; RunFailed where its reference fails."""
        return self._of_reference(task, prepare, task, self._rules)

    def adopt(self, task: Task, key: str, expected: Expected) -> TaskTests:
        """The task ready for judging, from what another machine's workers found out; raises RunFailed."""
        rules = self._rules
        here = self._of_reference(task, timed_here, task, key, expected, rules)
        return make_ready(task, key, here, rules.evaluate, rules.errata)

    def judge(self, tests: TaskTests, program: Program, attempt: Attempt) -> Verdict:
        """Judge one program; it waits here until it has as few neighbours as the attempt wants."""
        judge_it = partial(judge, first_try=attempt is Attempt.FIRST)
        try:
            with self._room(attempt):
                return self.call(judge_it, tests, program, self._rules)
        except WorkerDied as error:
            if self.closed:
                raise
            reason = f"its worker died twice {error}".strip()
            return unrun(program, tests, self._rules, Outcome.CRASH, reason)

    @contextmanager
    def _room(self, attempt: Attempt) -> Iterator[None]:
        places = {Attempt.FIRST: 0, Attempt.AGAIN: 1, Attempt.ALONE: self._few}[attempt]
        with self._alone if places else nullcontext():
            for _ in range(places):
                self._neighbours.acquire()
        try:
            yield
        finally:
            if places:
                self._neighbours.release(places)

    def _of_reference(self, task: Task, work: Callable[..., Answer], *arguments: object) -> Answer:
        try:
            return self.call(work, *arguments)
        except WorkerDied as error:
            if self.closed:
                raise
            raise reference_failed(task, f"its worker died twice {error}".strip()) from error

    def call(self, work: Callable[..., Answer], *arguments: object) -> Answer:
        """What `work(worker, …)` gives; where the worker dies meanwhile, once more with another.

        Where the host cannot even begin the program, a few times more; RunFailed in the end. Raises WorkerDied.
        """
        deaths = faults = 0
        while True:
            try:
                return self._call_once(work, *arguments)
            except WorkerDied:
                deaths += 1
                if self.closed or deaths == LIVES:
                    raise
            except HostFault as error:
                faults += 1
                if self.closed:
                    raise
                if faults == _TRIES:
                    raise CannotStart(f"No program can be started in the sandbox any more: {error}") from error
                time.sleep(faults * _PAUSE)

    def _call_once(self, work: Callable[..., Answer], *arguments: object) -> Answer:
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
            if not self.closed:
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
            return start_worker(
                *(rules.tier, rules.wrapper, rules.image),
                memory=rules.memory,
                idle_priority=gives_way,
                hash_seed=self._hash_seed,
            )
        except (TierUnavailable, OSError) as error:
            raise HostFault(str(error)) from error
