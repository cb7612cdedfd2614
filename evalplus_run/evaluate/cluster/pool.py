"""The pool of workers on the nodes of a Ray cluster; the cache of verdicts, and who waits for which, stay here."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import Future
from functools import partial
from typing import Any, Self

from evalplus_run.evaluate.cache import VerdictCache
from evalplus_run.evaluate.cluster.crew import Crew, Member
from evalplus_run.evaluate.cluster.dispatch import Dispatch, NodesDied
from evalplus_run.evaluate.cluster.node import Reference
from evalplus_run.evaluate.cluster.terms import Terms
from evalplus_run.evaluate.judging import Attempt, Rules, unrun
from evalplus_run.evaluate.reference_run import reference_failed
from evalplus_run.evaluate.sharing_pool import SharingPool
from evalplus_run.evaluate.suites import TaskTests, make_ready
from evalplus_run.records import Outcome, Program, Task, Verdict


class RayPool(SharingPool):
    """The `Pool` of a cluster; `again` runs a program while others may be at work on other nodes."""

    def __init__(
        self, rules: Rules, terms: Terms, crew: Crew, cache: VerdictCache | None, say: Callable[[str], None]
    ) -> None:
        super().__init__(rules, cache)
        self._dispatch = Dispatch(crew, terms, rules, say)
        self._places: dict[str, Any] = {}
        """Where the references of tasks lie in Ray's store, from where each node fetches them once."""

    def __enter__(self) -> Self:
        """The pool itself, its nodes on the way."""
        self._dispatch.start()
        return super().__enter__()

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

    def _hand(self, work: Callable[[], None]) -> None:
        self._dispatch.hand(work)

    def _stop(self) -> None:
        self._dispatch.close()

    def _prepare(self, task: Task, answer: Future[TaskTests], *, alone: bool = False) -> None:
        def prepared(done: Future[tuple[Reference, bool]]) -> None:
            try:
                (made, key, expected), made_again = done.result()
                answer.set_result(
                    make_ready(made, key, expected, self._rules.evaluate, self._rules.errata, made_again=made_again)
                )
            except NodesDied as error:
                if alone:
                    answer.set_exception(reference_failed(task, f"the nodes that ran it alone died: {error}"))
                else:
                    # It may only have been there, perhaps waiting, when nodes died of something else.
                    self._prepare(task, answer, alone=True)
            except BaseException as error:
                answer.set_exception(error)

        self._dispatch.do(lambda member: member.actor.prepare.remote(task), alone=alone).add_done_callback(prepared)

    def _run(self, tests: TaskTests, program: Program, attempt: Attempt) -> Future[Verdict]:
        verdict: Future[Verdict] = Future()

        def ran(done: Future[Verdict]) -> None:
            try:
                verdict.set_result(done.result())
            except NodesDied as error:
                # Whoever was there at the time is under suspicion, and tried again without neighbours.
                reason = f"its nodes died: {error}"
                verdict.set_result(unrun(program, tests, self._rules, Outcome.HOST_FAULT, reason))
            except BaseException as error:
                verdict.set_exception(error)

        send = partial(self._send, tests, program, attempt)
        self._dispatch.do(send, alone=attempt is Attempt.ALONE).add_done_callback(ran)
        return verdict

    def _send(self, tests: TaskTests, program: Program, attempt: Attempt, member: Member) -> Any:
        name = f"{program.task_id} {tests.key}"
        places = [] if name in member.loaded else [self._place(name, tests)]
        bare = Program(program.task_id, program.index, program.solution)
        sent = member.actor.judge.remote(name, places, bare, attempt)
        member.loaded.add(name)
        return sent

    def _place(self, name: str, tests: TaskTests) -> Any:
        import ray

        if name not in self._places:
            reference: Reference = (tests.task, tests.key, tests.expected)
            self._places[name] = ray.put(reference)
        return self._places[name]
