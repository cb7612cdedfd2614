"""What an audit finds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from evalplus_run.evaluate.errata import Errata
from evalplus_run.records import SuiteName


class Kind(StrEnum):
    """What is wrong, or may be."""

    REFERENCE = "reference fails"
    CONTRACT = "contract refuses"
    ILL_TYPED = "ill-typed"
    UNSTEADY = "not deterministic"
    OWN_TESTS = "reference fails the text of its tests"
    CONTRACT_IN_DOUBT = "contract in doubt"
    ANOTHER_ANSWER = "programs agree on another answer"
    UNDECIDED = "accepted programs disagree"
    AGAINST_ABILITY = "verdicts go against ability"
    DUPLICATE = "duplicate"
    WEAK = "mutant survives"


FAULTS = (Kind.REFERENCE, Kind.CONTRACT, Kind.ILL_TYPED, Kind.UNSTEADY)
"""A test that has one of them says nothing of a program: it becomes an erratum. All others are for people to judge."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong, or may be, with a task or one of its tests."""

    kind: Kind
    task_id: str
    reason: str
    suite: SuiteName | None = None
    """None where it is the task as a whole."""
    test: int | None = None
    """Its number in the suite, from 0."""
    weight: float = 0.0
    """How strongly it speaks, from 0 to 1, where that is known: about the share of models that are against the test."""

    @property
    def is_fault(self) -> bool:
        """Whether it is a test that says nothing of a program."""
        return self.kind in FAULTS and self.test is not None


def errata_of(faults: Sequence[Finding]) -> Errata:
    """What they come to for the judge."""
    listed: dict[tuple[str, SuiteName], set[int]] = {}
    for each in faults:
        if each.suite is not None and each.test is not None:
            listed.setdefault((each.task_id, each.suite), set()).add(each.test)
    return Errata({place: frozenset(tests) for place, tests in listed.items()})
