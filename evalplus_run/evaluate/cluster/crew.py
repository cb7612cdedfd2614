"""The nodes of a cluster: each is given an actor and asked what it can do, those that join later too."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass, field
from math import inf
from typing import Any

from evalplus_run.evaluate.cluster.connection import Found, alive_nodes
from evalplus_run.evaluate.cluster.node import BESIDE, WATCH, Node, Offer
from evalplus_run.sandbox.settings import SandboxSettings

_REST_SECONDS = 30.0
"""After an actor was lost: Ray takes a while to learn that a node is dead."""
_TRIES = 3
"""Actors in a row that a node may lose before they judge."""


@dataclass(eq=False, slots=True)
class Member:
    """A node, with its actor."""

    node_id: str
    host: str
    workers: int
    actor: Any
    offering: Future[Offer]
    """Done once the node has the CPUs to spare and has answered, whatever went wrong there."""
    left_out: str = ""
    """Why it judges nothing."""
    lost: str = ""
    """Why it judges nothing any more."""
    followed_at: float = inf
    """When its node may have another actor; never, unless this one was lost."""
    loaded: set[str] = field(default_factory=set)
    """The tasks whose references it has."""

    def ask(self, method: str, *arguments: object) -> Future[Any]:
        """Call a method of the actor beside its judging."""
        answer: Future[Any] = getattr(self.actor, method).remote(*arguments).future()
        return answer

    def described(self) -> dict[str, Any]:
        """For the manifest."""
        offer = self.offering.result() if self.offering.done() else None
        return {
            "node": self.node_id,
            "host": self.host,
            "workers": self.workers,
            "tier": offer.tier if offer and not offer.refusal else None,
            "left_out": self.left_out or ("" if offer else "it had no CPUs to spare"),
            "lost": self.lost,
        }


class Crew:
    """All members, past and present; used from one thread at a time."""

    def __init__(self, sandbox: SandboxSettings, workers: int | None, say: Callable[[str], None]) -> None:
        """`workers` on each node; None for one for each of its CPUs."""
        self.members: list[Member] = []
        self._last: dict[str, Member] = {}
        """Of each node."""
        self._failed: Counter[str] = Counter()
        """Actors in a row that were lost before they judged, by node."""
        self._sandbox = sandbox
        self._workers = workers
        self._say = say

    @property
    def last(self) -> list[Member]:
        """Of each node that was ever there the last member, which may be lost or left out."""
        return [*self._last.values()]

    def look(self) -> Iterator[Member]:
        """Hire on the nodes that are new, and again where an actor was lost a while ago; they are told one by one."""
        for member in self.last:
            if member.lost and not member.left_out and member.followed_at == inf:
                self.fail(member, member.lost)  # before it made its offer
        for found in alive_nodes():
            last = self._last.get(found.node_id)
            if last is None or time.monotonic() > last.followed_at:
                member = self._last[found.node_id] = self._hire(found)
                self.members.append(member)
                yield member

    def opened(self, member: Member) -> None:
        """It can judge."""
        self._failed.pop(member.node_id, None)

    def lose(self, member: Member, why: str) -> None:
        """Its actor is dead, or as good as that; where the node lives on, it will have another in a while."""
        member.lost = why
        member.followed_at = time.monotonic() + _REST_SECONDS
        dismiss(member)

    def fail(self, member: Member, why: str) -> None:
        """The same before it could judge; a node where that goes on is given up."""
        self._failed[member.node_id] += 1
        if self._failed[member.node_id] == _TRIES:
            self.leave_out(member, f"{_TRIES} times in a row it was lost before it could judge ({why})")
        else:
            self._say(f"node {member.host} was lost before it could judge ({why}); it is tried again")
            self.lose(member, why)

    def leave_out(self, member: Member, why: str) -> None:
        """For good."""
        member.left_out = why
        self._say(f"node {member.host} is left out: {why}")
        dismiss(member)

    def _hire(self, found: Found) -> Member:
        import ray
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        workers = self._workers or found.cpus
        actors = ray.remote(
            num_cpus=min(workers, found.cpus),
            max_concurrency=workers,
            concurrency_groups={BESIDE: 1, WATCH: 1},
            scheduling_strategy=NodeAffinitySchedulingStrategy(found.node_id, soft=False),
        )(Node)
        actor = actors.remote(workers)
        member = Member(found.node_id, found.host, workers, actor, Future())
        member.ask("offer", self._sandbox).add_done_callback(_then(member))
        return member


def dismiss(member: Member) -> None:
    """End the actor with all that it runs."""
    import ray

    ray.kill(member.actor)


def cause_of(error: BaseException) -> BaseException | None:
    """What was raised by a node; None where the node is gone, or what ran there."""
    from ray.exceptions import RayTaskError

    if not isinstance(error, RayTaskError):
        return None
    cause: BaseException = error.cause
    return cause


def words_of(error: BaseException) -> str:
    """An error for people: of what Ray tells, the end."""
    from ray.exceptions import ActorUnavailableError

    if isinstance(error, ActorUnavailableError):
        return "it does not answer any more"
    lines = [line.strip() for line in str(cause_of(error) or error).splitlines() if line.strip()]
    return lines[-1] if lines else type(error).__name__


def _then(member: Member) -> Callable[[Future[Offer]], None]:
    def answered(future: Future[Offer]) -> None:
        error = future.exception()
        if error is None:
            member.offering.set_result(future.result())
            return
        if cause_of(error) is None:
            member.lost = words_of(error)
        member.offering.set_result(Offer(member.host, refusal=words_of(error)))

    return answered
