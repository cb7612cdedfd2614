"""Which tier this machine gives: the strongest that passes its own self-test."""

from __future__ import annotations

import functools
from typing import get_args

from evalplus_run.records import UserError
from evalplus_run.sandbox.execution import TierName
from evalplus_run.sandbox.settings import SandboxSettings
from evalplus_run.sandbox.worker import TierUnavailable, Worker

STRONGEST_FIRST: tuple[TierName, ...] = get_args(TierName)
_NEEDS_CONSENT: tuple[TierName, ...] = ("none",)


def choose_tier(settings: SandboxSettings) -> TierName:
    """The tier to use: the one asked for, or the strongest that starts here.

    Raises UserError where the asked one does not start, or where not even resource limits can be had and
    `sandbox.allow_unsafe` is not set.
    """
    if settings.tier != "auto":
        reason = why_not(settings.tier)
        if reason:
            raise UserError(
                f"sandbox.tier={settings.tier} cannot be had on this machine: {reason}. "
                "Leave it out to take the strongest that can."
            )
        tier: TierName = settings.tier
    else:
        started = next((tier for tier in STRONGEST_FIRST if not why_not(tier)), None)
        if started is None:
            raise UserError(f"No program can be started on this machine: {why_not('none')}.")
        tier = started
    if tier in _NEEDS_CONSENT and not settings.allow_unsafe:
        reasons = "; ".join(f"{tier}: {why_not(tier)}" for tier in STRONGEST_FIRST if why_not(tier))
        raise UserError(
            "Programs would run without any isolation, able to read and change your files"
            f"{f' ({reasons})' if reasons else ''}. If they are harmless, "
            "say sandbox.allow_unsafe=true; the results are then stamped as unsafe."
        )
    return tier


@functools.cache
def why_not(tier: TierName) -> str:
    """Empty where the tier starts on this machine, else the reason."""
    try:
        Worker(tier).close()
    except TierUnavailable as error:
        return str(error) or "its zygote did not start"
    return ""


def warning(tier: TierName) -> str:
    """What must be said aloud of results of this tier; empty for the normal ones."""
    return {
        "rlimits": "UNSAFE: programs ran with resource limits only: they opened no file, but could remove some",
        "none": "UNSAFE: programs ran without any isolation from this machine",
    }.get(tier, "")
