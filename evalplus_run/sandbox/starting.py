"""Where workers are made: on this machine as it is, or in a wrapper."""

from __future__ import annotations

from evalplus_run.sandbox.any_worker import AnyWorker
from evalplus_run.sandbox.execution import TierName
from evalplus_run.sandbox.remote import RemoteWorker
from evalplus_run.sandbox.settings import WrapperName
from evalplus_run.sandbox.two_zygotes import TwoZygotes
from evalplus_run.sandbox.worker import Worker
from evalplus_run.sandbox.wrappers import WRAPPERS
from evalplus_run.sandbox.wrappers.inside import Inside

_OPENING_NO_FILES: tuple[TierName, ...] = ("seccomp-only", "rlimits")
"""There all that a program may import is imported before it begins, so one zygote does."""


def start_worker(
    tier: TierName,
    wrapper: WrapperName = "none",
    image: str = "",
    *,
    memory: int,
    idle_priority: bool = False,
    hash_seed: int = 0,
    at_once: bool = False,
) -> AnyWorker:
    """A worker of this tier; raises TierUnavailable with the reason.

    `memory` is in bytes, for one program; a wrapper allows what it needs besides. `image` is a container's. Whoever
    counts its processes wants them all `at_once`. `hash_seed` as in `Worker`.
    """
    if wrapper != "none":
        return RemoteWorker(Inside(tier, memory, idle_priority, hash_seed, image), WRAPPERS[wrapper].around)
    if tier in _OPENING_NO_FILES:
        return Worker(tier, idle_priority=idle_priority, hash_seed=hash_seed)
    return TwoZygotes(
        lambda stock: Worker(tier, idle_priority=idle_priority, hash_seed=hash_seed, stock=stock), at_once=at_once
    )
