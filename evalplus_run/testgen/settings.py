"""The settings of making inputs, and of choosing few of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from msgspec import Meta


@dataclass(frozen=True, slots=True, kw_only=True)
class TestgenSettings:
    """How inputs are made."""

    __test__ = False  # its name is like that of a class of tests

    n: Annotated[int, Meta(ge=1, le=100_000, description="new inputs for each task")] = 1000
    seed: Annotated[int, Meta(ge=0, le=(1 << 63) - 1, description="the same seed makes the same inputs")] = 0
    mutants: Annotated[int, Meta(ge=0, le=10_000, description="mutants of each reference that guide the search")] = 80
    calls: Annotated[
        int,
        Meta(
            ge=1,
            le=100,
            description="with a model: questions that it is asked about each task, in turn for hard inputs, for corner "
            "cases and for complex ones",
        ),
    ] = 3
    programs: Annotated[
        int, Meta(ge=1, le=1000, description="with samples: different programs of each task that guide the search")
    ] = 20
    steps: Annotated[
        int,
        Meta(ge=100, le=10_000_000, description="turns of loops and calls that a reference may take on one input"),
    ] = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ReduceSettings:
    """How a small suite is chosen."""

    tests: Annotated[
        int,
        Meta(
            ge=0,
            le=100_000,
            description="tests for each task on average, the base tests among them; "
            "0: as few as kill all that the whole suite kills",
        ),
    ] = 15
    mutants: Annotated[
        int, Meta(ge=0, le=10_000, description="mutants of each reference that the tests are tried on")
    ] = 120
    seed: Annotated[int, Meta(ge=0, le=(1 << 63) - 1, description="the same seed makes the same mutants")] = 0
    steps: Annotated[
        int,
        Meta(ge=100, le=10_000_000, description="turns of loops and calls after which a test is tried on no mutant"),
    ] = 20_000
    work: Annotated[
        int,
        Meta(ge=0, le=10**12, description="steps that all mutants of a task take together; quick tests go first"),
    ] = 6_000_000
