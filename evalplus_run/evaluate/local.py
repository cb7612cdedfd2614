"""The pool of workers on this machine."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from types import TracebackType
from typing import Any, Self

from evalplus_run.evaluate.cache import VerdictCache
from evalplus_run.evaluate.judging import Attempt, Rules, after_another_try, shape_key, unrun, verdict_key
from evalplus_run.evaluate.settings import ExecutorSettings
from evalplus_run.evaluate.sharing import Asked, SharedVerdicts
from evalplus_run.evaluate.suites import TaskTests
from evalplus_run.evaluate.workers import Workers, usable_cores
from evalplus_run.records import Program, Task, Verdict
from evalplus_run.sandbox import memory, tiers
from evalplus_run.sandbox.settings import SandboxSettings


class LocalExecutor:
    """The `Executor` of this machine."""

    def __init__(self, settings: ExecutorSettings, sandbox: SandboxSettings, _: object = None) -> None:
        """Raises UserError where the sandbox that is asked for cannot be had."""
        self.tier = tiers.choose_tier(sandbox)
        self.memory = memory.at_most(sandbox.memory << 20)
        self.warnings: tuple[str, ...] = ()
        self.nodes: tuple[Mapping[str, Any], ...] = ()
        self._workers = settings.workers

    def __enter__(self) -> Self:
        """Nothing is held."""
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing is held."""

    def pool(self, rules: Rules, cache: VerdictCache | None) -> LocalPool:
        """As `Executor` says."""
        return LocalPool(rules, workers=self._workers, cache=cache)


class LocalPool:
    """The `Pool` of this machine: as many programs at once as there are workers, each in a thread."""

    def __init__(
        self,
        rules: Rules,
        *,
        workers: int | None = None,
        cache: VerdictCache | None = None,
    ) -> None:
        self.workers = workers or usable_cores()
        self._rules = rules
        self._of_run = VerdictCache(None)
        self._shared = SharedVerdicts([self._of_run, *([cache] if cache else [])])
        self._again = SharedVerdicts([self._of_run])
        self._open: set[Future[Verdict]] = set()
        self._lock = threading.Lock()
        self._threads = ThreadPoolExecutor(self.workers, thread_name_prefix="judge")
        self._workers = Workers(rules, self.workers)

    def __enter__(self) -> Self:
        """The pool itself, its first worker on the way."""
        self._threads.submit(self._workers.warm)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close."""
        self.close()

    def close(self) -> None:
        """End all workers with what they run; what is still queued is dropped."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._workers.kill()
        with self._lock:
            dropped = [*self._open]
        for answer in dropped:
            answer.cancel()
        self._threads.shutdown(wait=True)
        try:
            self._workers.close()
        finally:
            self._of_run.close()

    def give_way(self, gives: bool) -> None:
        """As `Pool` says."""
        self._workers.give_way(gives)

    def prepare(self, tasks: Iterable[Task]) -> list[Future[TaskTests]]:
        """As `Pool` says."""
        return [self._threads.submit(self._workers.prepare, task) for task in tasks]

    def submit(self, tests: TaskTests, program: Program) -> Future[Verdict]:
        """As `Pool` says."""
        return self._answer(self._judge, tests, program)

    def again(self, tests: TaskTests, program: Program, first: Verdict, *, alone: bool = False) -> Future[Verdict]:
        """As `Pool` says."""
        attempt = Attempt.ALONE if alone else Attempt.AGAIN
        return self._answer(partial(self._judge_again, first=first, attempt=attempt), tests, program)

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

    def _judge(self, tests: TaskTests, asked: Asked) -> None:
        program = asked.program
        if program.outcome is not None:
            asked.answer.set_result(unrun(program, tests, self._rules, program.outcome))
            return
        shape = shape_key(program, tests, self._rules)
        self._shared.give(shape, asked, lambda: self._workers.judge(tests, program, Attempt.FIRST))

    def _judge_again(self, tests: TaskTests, asked: Asked, *, first: Verdict, attempt: Attempt) -> None:
        def run() -> Verdict:
            return after_another_try(first, self._workers.judge(tests, asked.program, attempt), attempt)

        self._again.give(f"{shape_key(asked.program, tests, self._rules)} {attempt}", asked, run)
