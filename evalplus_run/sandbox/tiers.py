"""Which tier this machine gives: the strongest that passes its own self-test."""

from __future__ import annotations

import functools
from typing import get_args

from evalplus_run.records import UserError
from evalplus_run.sandbox.any_worker import TierUnavailable
from evalplus_run.sandbox.execution import TierName
from evalplus_run.sandbox.settings import SandboxSettings, WrapperName
from evalplus_run.sandbox.starting import start_worker
from evalplus_run.sandbox.wrappers import WRAPPERS

STRONGEST_FIRST: tuple[TierName, ...] = get_args(TierName)
_NEEDS_CONSENT: tuple[TierName, ...] = ("none",)
_MEMORY = 1 << 30
"""Bytes, for a trial in which no program runs."""


def choose_tier(settings: SandboxSettings) -> TierName:
    """The tier to use: the one asked for, or the strongest that starts here, inside the wrapper asked for.

    Raises UserError where the wrapper or the asked tier does not start, or where not even resource limits can be had
    and `sandbox.allow_unsafe` is not set.
    """
    wrapper, image = settings.wrapper, settings.image
    lacking = "" if wrapper == "none" else WRAPPERS[wrapper].missing(image)
    if lacking:
        raise UserError(f"sandbox.wrapper={wrapper} cannot be had on this machine: {lacking}.")
    if settings.tier != "auto":
        reason = why_not(settings.tier, wrapper, image)
        if reason:
            raise UserError(
                f"sandbox.tier={settings.tier} cannot be had on this machine{_inside(wrapper)}: {reason}. "
                "Leave it out to take the strongest that can."
            )
        tier: TierName = settings.tier
    else:
        started = strongest(wrapper, image)
        if started is None:
            reason = why_not("none", wrapper, image)
            raise UserError(f"No program can be started on this machine{_inside(wrapper)}: {reason}.")
        tier = started
    if tier in _NEEDS_CONSENT and not settings.allow_unsafe:
        failed = {tier: why_not(tier, wrapper, image) for tier in STRONGEST_FIRST}
        reasons = "; ".join(f"{tier}: {reason}" for tier, reason in failed.items() if reason)
        reach = "able to read and change your files" if wrapper == "none" else f"but for {wrapper}"
        raise UserError(
            f"Programs would run without any isolation, {reach}"
            f"{f' ({reasons})' if reasons else ''}. If they are harmless, "
            "say sandbox.allow_unsafe=true; the results are then stamped as unsafe."
        )
    return tier


def strongest(wrapper: WrapperName, image: str = "") -> TierName | None:
    """The strongest tier that starts inside the wrapper; None where nothing does."""
    return next((tier for tier in STRONGEST_FIRST if not why_not(tier, wrapper, image)), None)


@functools.cache
def why_not(tier: TierName, wrapper: WrapperName = "none", image: str = "") -> str:
    """Empty where the tier starts on this machine, else the reason."""
    try:
        start_worker(tier, wrapper, image, memory=_MEMORY).close()
    except TierUnavailable as error:
        return str(error) or "its zygote did not start"
    return ""


def words(tier: TierName, wrapper: WrapperName) -> str:
    """The isolation as people are told it: `lockdown in bubblewrap`."""
    return f"{tier}{_inside(wrapper)}"


def warning(tier: TierName, wrapper: WrapperName = "none") -> str:
    """What must be said aloud of results of this tier; empty for the normal ones."""
    if wrapper != "none" and tier in ("rlimits", "none"):
        return f"UNSAFE: within {wrapper}, programs ran with hardly any isolation from one another"
    return {
        "rlimits": "UNSAFE: programs ran with resource limits only: they opened no file, but could remove some",
        "none": "UNSAFE: programs ran without any isolation from this machine",
    }.get(tier, "")


def _inside(wrapper: WrapperName) -> str:
    return "" if wrapper == "none" else f" in {wrapper}"
