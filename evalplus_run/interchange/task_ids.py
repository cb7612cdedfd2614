"""Which benchmark a file of verdicts is of that does not say so: by the ids of its tasks, where they are all there."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Set
from dataclasses import dataclass

from evalplus_run.benchmarks.registry import RELEASES, TITLES

_MBPP = "Mbpp/"
_HUMANEVAL = "77da7ef3747c414099876a7a633bba803d6349f5387bfdfedc8f42a6ffc2e6c3"
_HUMANEVAL_IDS = frozenset(f"HumanEval/{number}" for number in range(164))
_MBPP_PLUS = {
    "ab87c12073a8813261c6b93fc40269b6652dd607fcf7843ed963ad252db59818": "v0.2.0",
    "c2688bcaced1ff43431dbf6d70f6bb6ba7b75ebc5c11ab455856bef1f1f9e684": "v0.1.0",
}
"""SHA-256 of all task ids, sorted, one on each line without the last line's end; MBPP+'s tell the version."""


@dataclass(frozen=True, slots=True)
class Guess:
    """A benchmark that has just these tasks."""

    name: str
    """As in the registry."""
    version: str
    """Empty where several have them."""
    names: Mapping[str, str]
    """The benchmark's ids by those of the file."""

    def __str__(self) -> str:
        return f"{TITLES[self.name]} {self.version}".rstrip()


def part(told: str, task_ids: Set[str], *, has_plus: bool) -> Guess | None:
    """HumanEval, where a tool calls the benchmark so, and these are some of its tasks; `has_plus` as in `guess`."""
    if "humaneval" not in told.lower().replace("_", "").replace("-", "") or not task_ids <= _HUMANEVAL_IDS:
        return None
    return guess(_HUMANEVAL_IDS, has_plus=has_plus)


def guess(task_ids: Collection[str], *, has_plus: bool) -> Guess | None:
    """The benchmark whose tasks are these and no others; None where it is none that is known.

    HumanEval and HumanEval+ have the same ids: with verdicts on plus tests it is the latter. MBPP's tasks may go by
    their bare numbers.
    """
    names = {task_id: _MBPP + task_id if task_id.isdecimal() else task_id for task_id in task_ids}
    text = "\n".join(sorted(names.values()))
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    if digest == _HUMANEVAL and has_plus:
        return Guess("humaneval_plus", "", names)
    if digest == _HUMANEVAL:
        return Guess("humaneval", next(one.version for one in RELEASES if one.name == "humaneval"), names)
    return Guess("mbpp_plus", _MBPP_PLUS[digest], names) if digest in _MBPP_PLUS else None
