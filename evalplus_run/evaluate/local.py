"""The pool of workers on this machine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Self

from evalplus_run.evaluate.cache import VerdictCache
from evalplus_run.evaluate.judging import Attempt, Rules
from evalplus_run.evaluate.settings import ExecutorSettings
from evalplus_run.evaluate.sharing_pool import SharingPool
from evalplus_run.evaluate.suites import TaskTests
from evalplus_run.evaluate.workers import Workers
from evalplus_run.machine import usable_cores
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


class LocalPool(SharingPool):
    """The `Pool` of this machine: as many programs at once as there are workers, each in a thread."""

    def __init__(
        self,
        rules: Rules,
        *,
        workers: int | None = None,
        cache: VerdictCache | None = None,
    ) -> None:
        super().__init__(rules, cache)
        self.workers = workers or usable_cores()
        self._threads = ThreadPoolExecutor(self.workers, thread_name_prefix="judge")
        self._workers = Workers(rules, self.workers)

    def __enter__(self) -> Self:
        """The pool itself, its first worker on the way."""
        self._threads.submit(self._workers.warm)
        return super().__enter__()

    def give_way(self, gives: bool) -> None:
        """As `Pool` says."""
        self._workers.give_way(gives)

    def prepare(self, tasks: Iterable[Task]) -> list[Future[TaskTests]]:
        """As `Pool` says."""
        return [self._threads.submit(self._workers.prepare, task) for task in tasks]

    def _hand(self, work: Callable[[], None]) -> None:
        self._threads.submit(work)

    def _run(self, tests: TaskTests, program: Program, attempt: Attempt) -> Future[Verdict]:
        verdict: Future[Verdict] = Future()
        verdict.set_result(self._workers.judge(tests, program, attempt))
        return verdict

    def _stop(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._workers.kill()
        self._threads.shutdown(wait=True)
        self._workers.close()
