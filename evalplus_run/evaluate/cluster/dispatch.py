"""Which node does what: never more than it can soon begin, and again on another one where it dies."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from evalplus_run.evaluate.cluster.crew import Crew, Member, cause_of, dismiss, words_of
from evalplus_run.evaluate.cluster.terms import Terms
from evalplus_run.evaluate.judging import Rules
from evalplus_run.evaluate.workers import LIVES, CannotStart
from evalplus_run.records import RunFailed

_AHEAD = 2
"""Jobs that a node has for each of its workers, so that none waits for the next."""
_LOOK_SECONDS = 2.0
"""Between looks at which nodes there are."""
_DESERTED_SECONDS = 600.0
"""How long jobs wait where no node is left."""
_CLOSING_SECONDS = 5.0


class NodesDied(Exception):
    """Each node that had the job died meanwhile."""


@dataclass(eq=False, slots=True)
class _Job:
    send: Callable[[Member], Any]
    """Calls the actor; gives where Ray will put the result."""
    answer: Future[Any]
    alone: bool
    deaths: int = 0
    """Nodes that died while they may have been at work on it."""


class Dispatch:
    """All that it knows of jobs and nodes belongs to one thread of its own, to which anybody may `hand` work."""

    def __init__(self, crew: Crew, terms: Terms, rules: Rules, say: Callable[[str], None]) -> None:
        self.workers = 0
        """Jobs that can be done at once, by now."""
        self._crew = crew
        self._terms = terms
        self._rules = rules
        self._say = say
        self._gives_way = False
        self._under_way: dict[Member, list[_Job]] = {}
        """By the nodes that do jobs, in the order in which they were sent."""
        self._waiting: deque[_Job] = deque()
        self._lonely: deque[_Job] = deque()
        """Those that want a node to themselves."""
        self._deserted = time.monotonic()
        """When there was last a node."""
        self._silence = ""
        """Why nobody knows which nodes there are; empty while Ray tells."""
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="cluster")
        self._closed = threading.Event()
        self._looking = threading.Thread(target=self._keep_looking, daemon=True)

    def start(self) -> None:
        """Take in the nodes of the crew, and from now on those that join."""
        for member in self._crew.last:
            self.hand(self._welcome, member)
        self._looking.start()

    def close(self) -> None:
        """End all that runs on the nodes; what waits is cancelled."""
        self._closed.set()
        self._thread.shutdown(wait=True, cancel_futures=True)
        here = [*self._under_way]
        jobs = [*self._waiting, *self._lonely, *(job for member in here for job in self._under_way[member])]
        wait([member.ask("close") for member in here], _CLOSING_SECONDS)
        for member in self._crew.members:
            dismiss(member)
        for job in jobs:
            if not job.answer.done():
                job.answer.set_exception(CancelledError())

    def hand(self, work: Callable[..., None], *arguments: Any) -> None:
        """Have it done in the thread, in the order in which it comes; nothing is done any more once it is closed."""
        with suppress(RuntimeError):
            self._thread.submit(work, *arguments)

    def give_way(self, gives: bool) -> None:
        """See `Pool`."""
        self._gives_way = gives
        for member in self._under_way:
            member.ask("give_way", gives)

    def do(self, send: Callable[[Member], Any], *, alone: bool = False) -> Future[Any]:
        """Have a job done by some node, without any other job there if `alone`; called in the thread.

        NodesDied where it may be the job that kills them.
        """
        job = _Job(send, Future(), alone)
        (self._lonely if alone else self._waiting).append(job)
        self._fill()
        return job.answer

    def _fill(self) -> None:
        """Hand out what waits, the idlest node first."""
        while self._under_way and self._give(min(self._under_way, key=self._load)):
            pass

    def _load(self, member: Member) -> float:
        jobs = self._under_way[member]
        has_itself = len(jobs) == 1 and jobs[0].alone
        return 1.0 if has_itself else len(jobs) / (_AHEAD * member.workers)

    def _give(self, member: Member) -> bool:
        """Whether the node took a job."""
        if self._load(member) >= 1.0:
            return False
        if self._waiting:
            self._send(self._waiting.popleft(), member)
        elif self._lonely and not self._under_way[member]:
            self._send(self._lonely.popleft(), member)
        else:
            return False
        return True

    def _send(self, job: _Job, member: Member) -> None:
        try:
            result = job.send(member).future()
        except Exception as error:
            # Whose job it is shall hear of it, and no other.
            job.answer.set_exception(error)
            return
        self._under_way[member].append(job)
        result.add_done_callback(lambda future: self.hand(self._returned, job, member, future))

    def _returned(self, job: _Job, member: Member, future: Future[Any]) -> None:
        error = future.exception()
        cause = cause_of(error) if error else None
        if error and (cause is None or isinstance(cause, CannotStart)):
            self._lose(member, error)
            self._once_more(job, error)
            self._fill()
            return
        if job in self._under_way.get(member, []):
            self._under_way[member].remove(job)
        if job.answer.done():
            pass  # the cluster was given up meanwhile
        elif cause is not None:
            job.answer.set_exception(cause)
        else:
            job.answer.set_result(future.result())
        while member in self._under_way and self._give(member):
            pass  # the others are as full as they were

    def _once_more(self, job: _Job, error: BaseException) -> None:
        if job.answer.done():
            return  # the cluster was given up meanwhile
        if job.deaths >= LIVES:
            job.answer.set_exception(NodesDied(words_of(error)))
        else:
            (self._lonely if job.alone else self._waiting).appendleft(job)

    def _lose(self, member: Member, error: BaseException) -> None:
        """What the node had under way comes back by itself."""
        jobs = self._under_way.pop(member, None)
        if jobs is None:
            return  # another of its jobs has told already
        for job in jobs[: member.workers]:
            job.deaths += 1  # those behind it waited for a worker
        self.workers -= member.workers
        self._deserted = time.monotonic()
        left = f"{len(self._under_way)} left" if self._under_way else "none left, waiting for one to join"
        self._say(f"node {member.host} is lost ({words_of(error)}); what it had goes to others ({left})")
        self._crew.lose(member, words_of(error))

    def _welcome(self, member: Member) -> None:
        """Once it has answered, and if it can judge on the terms of this run."""
        member.offering.add_done_callback(lambda offering: self.hand(self._look_at, member, offering.result()))

    def _look_at(self, member: Member, offer: Any) -> None:
        if member.lost or member.left_out:
            return  # the crew sees to it
        lacking = self._terms.lacking(offer)
        if lacking:
            self._crew.leave_out(member, lacking)
            return
        opened = member.ask("open", self._rules, self._gives_way)
        opened.add_done_callback(lambda future: self.hand(self._opened, member, future.exception()))

    def _opened(self, member: Member, error: BaseException | None) -> None:
        if error is not None:
            self._crew.fail(member, words_of(error))
            return
        self._crew.opened(member)
        # So one that dies idle is not found out by jobs that it never had.
        member.ask("live").add_done_callback(lambda future: self.hand(self._lose, member, future.exception()))
        # It may have changed while the node opened, which takes seconds.
        member.ask("give_way", self._gives_way)
        self._under_way[member] = []
        self.workers += member.workers
        self._fill()

    def _keep_looking(self) -> None:
        while not self._closed.wait(_LOOK_SECONDS):
            self.hand(self._look)

    def _look(self) -> None:
        try:
            for member in self._crew.look():
                self._welcome(member)
            is_there, self._silence = bool(self._under_way), ""
        except Exception as error:
            self._silence = f"Ray does not answer: {words_of(error)}"
            is_there = False
        if is_there:
            self._deserted = time.monotonic()
        elif time.monotonic() - self._deserted > _DESERTED_SECONDS:
            self._give_up()

    def _give_up(self) -> None:
        gone = {f"{each.host}: {each.left_out or each.lost}" for each in self._crew.members}
        why = self._silence or "; ".join(sorted(gone))
        jobs = [*self._waiting, *self._lonely, *(job for at_work in self._under_way.values() for job in at_work)]
        self._waiting.clear()
        self._lonely.clear()
        self._under_way = {member: [] for member in self._under_way}
        for job in jobs:
            job.answer.set_exception(RunFailed(f"No node of the Ray cluster is left ({why}): mend that, and go on."))
