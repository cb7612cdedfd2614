"""How Claude is asked to think, alike at every API that has it."""

from __future__ import annotations

from typing import Any

from evalplus_run.models.base import Thinking
from evalplus_run.models.families import Family


def thinking_field(family: Family, asked: Thinking, tokens: int) -> dict[str, Any]:
    """The request's field `thinking`; empty where the model is left to itself.

    `tokens` is the budget for those models that are given one.
    """
    if asked == "off" and family.thinking == "adaptive":
        return {"type": "disabled"}
    if asked == "on" and family.thinking == "budget":
        return {"type": "enabled", "budget_tokens": tokens}
    if family.thinking == "adaptive" and (asked == "on" or family.always):
        # What newer models thought is told only where it is asked for.
        return {"type": "adaptive", "display": "summarized"}
    return {}


def refused_with_thinking(field: dict[str, Any]) -> dict[str, str]:
    """The parameters that cannot be had together with such a field, with the reason."""
    return dict.fromkeys(("temperature", "top_p"), "not taken together with thinking") if _orders(field) else {}


def _orders(field: dict[str, Any]) -> bool:
    return field.get("type") in ("enabled", "adaptive")
