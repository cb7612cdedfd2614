"""The nodes of a cluster: each is given an actor and asked what it can do, those that join later too."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass, field
from math import inf
from typing import Any

from evalplus_run.evaluate.cluster.connection import Found, alive_nodes
from evalplus_run.evaluate.cluster.node import BESIDE, Node, Offer
from evalplus_run.sandbox.settings import SandboxSettings

_REST_SECONDS = 30.0
"""After an actor was lost: Ray takes a while to learn that a node is dead."""


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

    def __init__(self, sandbox: SandboxSettings, workers: int | None) -> None:
        """`workers` on each node; None for one for each of its CPUs."""
        self.members: list[Member] = []
        self._here: dict[str, Member] = {}
        self._lost: dict[str, float] = {}
        """When actors were lost, by node."""
        self._sandbox = sandbox
        self._workers = workers

    def look(self) -> Iterator[Member]:
        """Hire on the nodes that are new; they are told one by one."""
        for found in alive_nodes():
            rests = time.monotonic() - self._lost.get(found.node_id, -inf) < _REST_SECONDS
            if found.node_id not in self._here and not rests:
                member = self._hire(found)
                self._here[found.node_id] = member
                self.members.append(member)
                yield member

    def lose(self, member: Member) -> None:
        """Its actor is dead, or as good as that; where the node lives on, it will be hired anew in a while."""
        self._here.pop(member.node_id, None)
        self._lost[member.node_id] = time.monotonic()
        dismiss(member)

    def _hire(self, found: Found) -> Member:
        import ray
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        workers = self._workers or found.cpus
        actors = ray.remote(
            num_cpus=min(workers, found.cpus),
            max_concurrency=workers,
            concurrency_groups={BESIDE: 1},
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
