"""The executor of a Ray cluster: connected, its nodes asked what they can do, and the terms agreed on."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from types import TracebackType
from typing import Any, Self

from evalplus_run.evaluate.cache import VerdictCache
from evalplus_run.evaluate.cluster.connection import connected
from evalplus_run.evaluate.cluster.crew import Crew, Member
from evalplus_run.evaluate.cluster.node import versions
from evalplus_run.evaluate.cluster.pool import RayPool
from evalplus_run.evaluate.cluster.terms import Terms, agree
from evalplus_run.evaluate.judging import Rules
from evalplus_run.evaluate.settings import ExecutorSettings
from evalplus_run.records import UserError
from evalplus_run.sandbox import TierName, tiers
from evalplus_run.sandbox.settings import SandboxSettings

_PATIENCE = 60.0
"""Seconds for which nodes are waited for that have no CPUs to spare, once another has answered."""
_TOLD_AFTER = 10.0
_PAUSE = 0.05


class RayExecutor:
    """The `Executor` of a cluster; it can be asked for its terms once it is entered."""

    def __init__(self, settings: ExecutorSettings, sandbox: SandboxSettings, say: Callable[[str], None]) -> None:
        self._settings = settings
        self._sandbox = sandbox
        self._say = say
        self._held = ExitStack()
        self._crew = Crew(sandbox, settings.workers, say)
        self._terms: Terms | None = None

    def __enter__(self) -> Self:
        """Connected, with what the nodes can do. Raises UserError where no node can judge."""
        with ExitStack() as stack:
            stack.enter_context(connected(self._settings.address, self._settings.workers))
            offers = [member.offering.result() for member in self._first_to_answer()]
            self._terms = agree(offers, versions(), self._sandbox.wrapper)
            self._held = stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Disconnect."""
        self._held.close()

    @property
    def tier(self) -> TierName:
        """As `Executor` says."""
        return self._agreed.tier

    @property
    def memory(self) -> int:
        """As `Executor` says."""
        return self._agreed.memory

    @property
    def warnings(self) -> tuple[str, ...]:
        """As `Executor` says: which nodes had no part, and which have a stronger tier than was used."""
        out = [f"node {each.host} was left out: {each.left_out}" for each in self._crew.members if each.left_out]
        stronger = sorted({f"{each.host} ({tier})" for each in self._crew.members if (tier := self._unused(each))})
        less = f"programs ran in {self.tier}, as all nodes can; more could be had on {', '.join(stronger)}"
        return (*out, *([less] if stronger else []))

    @property
    def nodes(self) -> tuple[Mapping[str, Any], ...]:
        """As `Executor` says."""
        return tuple(member.described() for member in self._crew.members)

    def pool(self, rules: Rules, cache: VerdictCache | None) -> RayPool:
        """As `Executor` says."""
        return RayPool(rules, self._agreed, self._crew, cache, self._say)

    @property
    def _agreed(self) -> Terms:
        if self._terms is None:
            raise RuntimeError("the executor was not entered")
        return self._terms

    def _first_to_answer(self) -> list[Member]:
        """All nodes that can be had at once; at least one, however long its CPUs are in use."""
        begun, told = time.monotonic(), False
        while True:
            list(self._crew.look())
            members, waited = self._crew.last, time.monotonic() - begun
            answered = [member for member in members if member.offering.done()]
            if _are_enough(answered, members, is_late=waited > _PATIENCE):
                return answered
            if not members and waited > _PATIENCE:
                raise UserError("The Ray cluster has no node that lends a CPU: start one (ray start --num-cpus=…).")
            if waited > _TOLD_AFTER and not told:
                told = True
                self._say(f"cluster: waiting for the CPUs of {len(members) - len(answered)} of {len(members)} nodes")
            time.sleep(_PAUSE)

    def _unused(self, member: Member) -> TierName | None:
        """The stronger tier that a node would have had."""
        offer = member.offering.result() if member.offering.done() else None
        if offer is None or offer.refusal or member.left_out:
            return None
        order = tiers.STRONGEST_FIRST
        return offer.tier if order.index(offer.tier) < order.index(self.tier) else None


def _are_enough(answered: Sequence[Member], members: Sequence[Member], *, is_late: bool) -> bool:
    """Whether a run may begin, or end, with those that have answered by now."""
    if any(not member.offering.result().refusal for member in answered):
        return is_late or len(answered) == len(members)
    # None of them can judge; but a node whose actor was lost is tried again, while there is time.
    return 0 < len(answered) == len(members) and (is_late or not any(map(_is_tried_again, answered)))


def _is_tried_again(member: Member) -> bool:
    return bool(member.lost) and not member.left_out
