"""What else guides the search for a task's inputs, beside the benchmark's own inputs, the reference and its mutants."""

from __future__ import annotations

from dataclasses import dataclass

from evalplus_run.records import Completion
from evalplus_run.testgen.programs import UnderTest


@dataclass(frozen=True, slots=True)
class Guides:
    """Of one task."""

    answers: tuple[Completion, ...] = ()
    """A model's, to questions for inputs."""
    programs: tuple[UnderTest, ...] = ()
    """Of the samples; no two have equal syntax trees."""


NONE = Guides()
