"""On what terms a cluster judges: one tier and one memory limit for all programs of a run, whichever node has them.

A verdict must not hang on where a program came to run. So all nodes judge in the strongest tier that they all start;
those that could only judge unsafely, or with other versions, are left out where others can do better.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evalplus_run.evaluate.cluster.node import Offer
from evalplus_run.records import UserError
from evalplus_run.sandbox import TierName, tiers
from evalplus_run.sandbox.settings import WrapperName


@dataclass(frozen=True, slots=True)
class Terms:
    """What every node must be able to do."""

    tier: TierName
    memory: int
    """Bytes that one program may have."""
    versions: Mapping[str, str]
    wrapper: WrapperName = "none"

    def lacking(self, offer: Offer) -> str:
        """Why a node cannot judge on these terms; empty where it can, as far as its offer tells."""
        if offer.refusal:
            return offer.refusal
        other = [f"{name} {offer.versions.get(name)} in place of {own}" for name, own in self.versions.items()
                 if offer.versions.get(name) != own]  # fmt: skip
        if other:
            return f"it has {', '.join(other)}"
        if _strength(offer.tier) > _strength(self.tier):
            return f"it starts no {tiers.words(self.tier, self.wrapper)}, only {offer.tier}"
        if offer.memory < self.memory:
            return f"a program could have {offer.memory >> 20} MiB there, and {self.memory >> 20} elsewhere"
        return ""


def agree(offers: Sequence[Offer], versions: Mapping[str, str], wrapper: WrapperName) -> Terms:
    """The terms on which the most can judge; UserError where no node can."""
    able = [offer for offer in offers if not offer.refusal and offer.versions == versions]
    if not able:
        anything = Terms("none", 0, versions)
        reasons = "; ".join(sorted({f"{offer.host}: {anything.lacking(offer)}" for offer in offers}))
        raise UserError(f"No node of the Ray cluster can judge programs ({reasons}).")
    chosen = [offer for offer in able if not tiers.warning(offer.tier, wrapper)] or able
    return Terms(
        tier=max((offer.tier for offer in chosen), key=_strength),
        memory=min(offer.memory for offer in chosen),
        versions=versions,
        wrapper=wrapper,
    )


def _strength(tier: TierName) -> int:
    """The smaller the stronger."""
    return tiers.STRONGEST_FIRST.index(tier)
