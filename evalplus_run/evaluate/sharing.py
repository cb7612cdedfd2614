"""Equal programs share a verdict: one of them is run, the others take what became of it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace

from evalplus_run.evaluate.cache import VerdictCache
from evalplus_run.evaluate.equality import line_at, place_of
from evalplus_run.evaluate.judging import each_suite
from evalplus_run.records import Program, SuiteVerdict, Verdict


@dataclass(frozen=True, slots=True)
class Asked:
    """A program whose verdict somebody waits for."""

    program: Program
    key: str
    """Of its verdict, see `judging.verdict_key`."""
    answer: Future[Verdict]


class SharedVerdicts:
    """What is known of programs by their key, and who waits for which; used from several threads."""

    def __init__(self, caches: Sequence[VerdictCache]) -> None:
        """A verdict is looked for in these caches in their order, and kept in all."""
        self._caches = caches
        self._lock = threading.Lock()
        self._waiting: dict[str, list[Asked]] = {}

    def give(
        self,
        shape: str,
        asked: Asked,
        run: Callable[[], Future[Verdict]],
        finish: Callable[[Verdict], Verdict] = lambda verdict: verdict,
    ) -> None:
        """Answer with what is kept under `shape`, or an equal program under way will get, else with what `run` gives.

        `finish` makes of that what is kept.
        """
        if self._is_new(shape, asked):
            try:
                running = run()
            except BaseException as error:
                self._fail(shape, error)
            else:
                running.add_done_callback(lambda done: self._ran(shape, asked.program, done, finish))

    def _is_new(self, shape: str, asked: Asked) -> bool:
        """Whether the program has to be run; else it gets its answer, now or later."""
        with self._lock:
            others = self._waiting.get(shape)
            if others is not None:
                others.append(asked)
                return False
            self._waiting[shape] = [asked]
        try:
            known = next((verdict for cache in self._caches if (verdict := cache.find(shape))), None)
        except BaseException as error:
            self._fail(shape, error)
            return False
        if known:
            self._answer(shape, known)
        return known is None

    def _ran(self, shape: str, program: Program, done: Future[Verdict], finish: Callable[[Verdict], Verdict]) -> None:
        try:
            verdict = _portable(finish(done.result()), program)
            for cache in self._caches:
                cache.keep(shape, verdict)
        except BaseException as error:
            self._fail(shape, error)
            return
        self._answer(shape, verdict)

    def _fail(self, shape: str, error: BaseException) -> None:
        for each in self._all_of(shape):
            each.answer.set_exception(error)

    def _answer(self, shape: str, verdict: Verdict) -> None:
        for each in self._all_of(shape):
            try:
                each.answer.set_result(_as_of(each, verdict))
            except Exception as error:
                each.answer.set_exception(error)

    def _all_of(self, shape: str) -> list[Asked]:
        with self._lock:
            return self._waiting.pop(shape)


def _portable(verdict: Verdict, program: Program) -> Verdict:
    """With places in the syntax tree instead of lines, which equal programs may not share."""

    def without_line(suite: SuiteVerdict) -> SuiteVerdict:
        return suite if suite.line is None else replace(suite, line=place_of(suite.line, program.solution))

    return each_suite(verdict, without_line)


def _as_of(asked: Asked, verdict: Verdict) -> Verdict:
    program = asked.program

    def with_line(suite: SuiteVerdict) -> SuiteVerdict:
        return suite if suite.line is None else replace(suite, line=line_at(suite.line, program.solution))

    return replace(each_suite(verdict, with_line), task_id=program.task_id, index=program.index, key=asked.key)
