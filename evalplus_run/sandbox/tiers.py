"""Which tier this machine gives: the strongest that passes its own self-test."""

from __future__ import annotations

import functools
from typing import get_args

from evalplus_run.records import UserError
from evalplus_run.sandbox.settings import SandboxSettings, TierName
from evalplus_run.sandbox.worker import TierUnavailable, Worker

STRONGEST_FIRST: tuple[TierName, ...] = get_args(TierName)
_NEEDS_CONSENT: tuple[TierName, ...] = ("rlimits",)


def choose_tier(settings: SandboxSettings) -> TierName:
    """The tier to use: the one asked for, or the strongest that starts here.

    Raises UserError where the asked one does not start, or where only resource limits are left and
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
            raise UserError(f"No program can be started on this machine: {why_not('rlimits')}.")
        tier = started
    if tier in _NEEDS_CONSENT and not settings.allow_unsafe:
        reasons = "; ".join(f"{tier}: {why_not(tier)}" for tier in STRONGEST_FIRST if why_not(tier))
        raise UserError(
            "This machine cannot isolate programs: they would run with resource limits only, able to read and "
            f"change your files{f' ({reasons})' if reasons else ''}. If the programs are harmless, "
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
    if tier == "rlimits":
        return "UNSAFE: programs ran with resource limits only, not isolated from this machine"
    return ""
