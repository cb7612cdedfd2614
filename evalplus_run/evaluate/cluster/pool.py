"""The pool of workers on the nodes of a Ray cluster; the cache of verdicts, and who waits for which, stay here."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import CancelledError, Future
from functools import partial
from types import TracebackType
from typing import Any, Self, TypeVar

from evalplus_run.evaluate.cache import VerdictCache
from evalplus_run.evaluate.cluster.crew import Crew, Member
from evalplus_run.evaluate.cluster.dispatch import Dispatch, NodesDied
from evalplus_run.evaluate.cluster.node import Reference
from evalplus_run.evaluate.cluster.terms import Terms
from evalplus_run.evaluate.judging import Attempt, Rules, after_another_try, shape_key, unrun, verdict_key
from evalplus_run.evaluate.reference_run import reference_failed
from evalplus_run.evaluate.sharing import Asked, SharedVerdicts
from evalplus_run.evaluate.suites import TaskTests, make_ready
from evalplus_run.records import Outcome, Program, Task, Verdict

Answer = TypeVar("Answer")


class RayPool:
    """The `Pool` of a cluster."""

    def __init__(
        self, rules: Rules, terms: Terms, crew: Crew, cache: VerdictCache | None, say: Callable[[str], None]
    ) -> None:
        self._rules = rules
        self._dispatch = Dispatch(crew, terms, rules, say)
        self._of_run = VerdictCache(None)
        self._shared = SharedVerdicts([self._of_run, *([cache] if cache else [])])
        self._again = SharedVerdicts([self._of_run])
        self._open: set[Future[Any]] = set()
        self._places: dict[str, Any] = {}
        """Where the references of tasks lie in Ray's store, from where each node fetches them once."""

    def __enter__(self) -> Self:
        """The pool itself, its nodes on the way."""
        self._dispatch.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close."""
        self.close()

    def close(self) -> None:
        """End all workers on all nodes with what they run; what still waits is dropped."""
        self._dispatch.close()
        for answer in [*self._open]:
            if not answer.cancel() and not answer.done():
                answer.set_exception(CancelledError())
        self._of_run.close()

    @property
    def workers(self) -> int:
        """As `Pool` says."""
        return self._dispatch.workers

    def give_way(self, gives: bool) -> None:
        """As `Pool` says."""
        self._dispatch.hand(self._dispatch.give_way, gives)

    def prepare(self, tasks: Iterable[Task]) -> list[Future[TaskTests]]:
        """As `Pool` says; each on one of the nodes."""
        return [self._answer(partial(self._prepare, task)) for task in tasks]

    def submit(self, tests: TaskTests, program: Program) -> Future[Verdict]:
        """As `Pool` says."""
        return self._answer(partial(self._judge, tests, program))

    def again(self, tests: TaskTests, program: Program, first: Verdict, *, alone: bool = False) -> Future[Verdict]:
        """As `Pool` says; others may be at work on other nodes."""
        attempt = Attempt.ALONE if alone else Attempt.AGAIN
        return self._answer(partial(self._judge_again, tests, program, first, attempt))

    def _answer(self, begin: Callable[[Future[Answer]], None]) -> Future[Answer]:
        answer: Future[Answer] = Future()
        self._open.add(answer)
        answer.add_done_callback(self._open.discard)
        self._dispatch.hand(_unless_cancelled, begin, answer)
        return answer

    def _prepare(self, task: Task, answer: Future[TaskTests]) -> None:
        def prepared(done: Future[tuple[Reference, bool]]) -> None:
            try:
                (made, key, expected), made_again = done.result()
                answer.set_result(
                    make_ready(made, key, expected, self._rules.evaluate, self._rules.errata, made_again=made_again)
                )
            except NodesDied as error:
                answer.set_exception(reference_failed(task, f"the nodes that ran it died: {error}"))
            except BaseException as error:
                answer.set_exception(error)

        self._dispatch.do(lambda member: member.actor.prepare.remote(task)).add_done_callback(prepared)

    def _judge(self, tests: TaskTests, program: Program, answer: Future[Verdict]) -> None:
        if program.outcome is not None:
            answer.set_result(unrun(program, tests, self._rules, program.outcome))
            return
        shape = shape_key(program, tests, self._rules)
        self._give(self._shared, shape, tests, Asked(program, self._key(program, tests), answer), Attempt.FIRST)

    def _judge_again(
        self, tests: TaskTests, program: Program, first: Verdict, attempt: Attempt, answer: Future[Verdict]
    ) -> None:
        shape = f"{shape_key(program, tests, self._rules)} {attempt}"
        self._give(self._again, shape, tests, Asked(program, self._key(program, tests), answer), attempt, first)

    def _give(
        self,
        shared: SharedVerdicts,
        shape: str,
        tests: TaskTests,
        asked: Asked,
        attempt: Attempt,
        first: Verdict | None = None,
    ) -> None:
        """Answer with what is known of an equal program, else with what some node makes of it."""

        def judged(done: Future[Verdict]) -> None:
            try:
                verdict = done.result()
            except NodesDied as error:
                # Whoever was there at the time is under suspicion, and tried again without neighbours.
                verdict = unrun(asked.program, tests, self._rules, Outcome.HOST_FAULT, f"its nodes died: {error}")
            except BaseException as error:
                shared.fail(shape, error)
                return
            shared.tell(shape, asked.program, after_another_try(first, verdict, attempt) if first else verdict)

        if shared.is_new(shape, asked):
            send = partial(self._send, tests, asked.program, attempt)
            self._dispatch.do(send, alone=attempt is Attempt.ALONE).add_done_callback(judged)

    def _send(self, tests: TaskTests, program: Program, attempt: Attempt, member: Member) -> Any:
        name = f"{program.task_id} {tests.key}"
        places = [] if name in member.loaded else [self._place(name, tests)]
        member.loaded.add(name)
        bare = Program(program.task_id, program.index, program.solution)
        return member.actor.judge.remote(name, places, bare, attempt)

    def _place(self, name: str, tests: TaskTests) -> Any:
        import ray

        if name not in self._places:
            reference: Reference = (tests.task, tests.key, tests.expected)
            self._places[name] = ray.put(reference)
        return self._places[name]

    def _key(self, program: Program, tests: TaskTests) -> str:
        return verdict_key(program, tests, self._rules)


def _unless_cancelled(begin: Callable[[Future[Answer]], None], answer: Future[Answer]) -> None:
    if not answer.set_running_or_notify_cancel():
        return
    try:
        begin(answer)
    except BaseException as error:
        # Nobody looks at what was handed over: without an answer, who asked would wait for ever.
        if not answer.done():
            answer.set_exception(error)
