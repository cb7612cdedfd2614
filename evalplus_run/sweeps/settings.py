"""The settings of a sweep."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from msgspec import Meta


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepSettings:
    """Where the runs of one command lie, and what a failure among them does."""

    dir: Annotated[
        str, Meta(description="the folder of all runs; with -m, what became of each job is below its jobs/")
    ] = "outputs"
    fail_fast: Annotated[bool, Meta(description="with -m: the first job that fails ends the sweep")] = False
