"""What all pools do alike: equal programs share a verdict, and whoever asks is answered, whatever goes wrong."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from functools import partial
from types import TracebackType
from typing import Any, Self, TypeVar

from evalplus_run.evaluate.cache import VerdictCache
from evalplus_run.evaluate.judging import Attempt, Rules, after_another_try, shape_key, unrun, verdict_key
from evalplus_run.evaluate.sharing import Asked, SharedVerdicts
from evalplus_run.evaluate.suites import TaskTests
from evalplus_run.records import Program, Verdict

Answer = TypeVar("Answer")


class SharingPool(ABC):
    """A `Pool`, but for what runs the programs and makes tasks ready."""

    def __init__(self, rules: Rules, cache: VerdictCache | None) -> None:
        self._rules = rules
        self._of_run = VerdictCache(None)
        self._shared = SharedVerdicts([self._of_run, *([cache] if cache else [])])
        self._again = SharedVerdicts([self._of_run])
        self._open: set[Future[Any]] = set()
        self._lock = threading.Lock()

    @abstractmethod
    def _hand(self, work: Callable[[], None]) -> None:
        """Have it done by a thread of the pool; nothing is done any more once the pool is closed."""

    @abstractmethod
    def _run(self, tests: TaskTests, program: Program, attempt: Attempt) -> Future[Verdict]:
        """Run a program that is like no other; called by a thread of the pool, which it may hold up."""

    @abstractmethod
    def _stop(self) -> None:
        """End all that runs; no thread of the pool is at work after that."""

    def __enter__(self) -> Self:
        """The pool itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close."""
        self.close()

    def close(self) -> None:
        """End all workers with what they run; what still waits is dropped."""
        try:
            self._stop()
        finally:
            with self._lock:
                dropped = [*self._open]
            for answer in dropped:
                if not answer.cancel() and not answer.done():
                    answer.set_exception(CancelledError())
            self._of_run.close()

    def submit(self, tests: TaskTests, program: Program) -> Future[Verdict]:
        """As `Pool` says."""
        return self._answer(partial(self._judge, tests, program))

    def again(self, tests: TaskTests, program: Program, first: Verdict, *, alone: bool = False) -> Future[Verdict]:
        """As `Pool` says."""
        attempt = Attempt.ALONE if alone else Attempt.AGAIN
        return self._answer(partial(self._judge_again, tests, program, first, attempt))

    def _answer(self, begin: Callable[[Future[Answer]], None]) -> Future[Answer]:
        answer: Future[Answer] = Future()
        with self._lock:
            self._open.add(answer)
        answer.add_done_callback(self._open.discard)
        self._hand(partial(_unless_cancelled, begin, answer))
        return answer

    def _judge(self, tests: TaskTests, program: Program, answer: Future[Verdict]) -> None:
        if program.outcome is not None:
            answer.set_result(unrun(program, tests, self._rules, program.outcome))
            return
        asked = Asked(program, verdict_key(program, tests, self._rules), answer)
        run = partial(self._run, tests, program, Attempt.FIRST)
        self._shared.give(shape_key(program, tests, self._rules), asked, run)

    def _judge_again(
        self, tests: TaskTests, program: Program, first: Verdict, attempt: Attempt, answer: Future[Verdict]
    ) -> None:
        asked = Asked(program, verdict_key(program, tests, self._rules), answer)
        run = partial(self._run, tests, program, attempt)
        shape = f"{shape_key(program, tests, self._rules)} {attempt}"
        self._again.give(shape, asked, run, lambda verdict: after_another_try(first, verdict, attempt))


def _unless_cancelled(begin: Callable[[Future[Answer]], None], answer: Future[Answer]) -> None:
    if not answer.set_running_or_notify_cancel():
        return
    try:
        begin(answer)
    except BaseException as error:
        # Nobody looks at what was handed over: without an answer, who asked would wait for ever.
        if not answer.done():
            answer.set_exception(error)
