"""The settings of judging."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from msgspec import Meta


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluateSettings:
    """How programs are judged."""

    details: Annotated[bool, Meta(description="run every test and list all that fail, not only the first")] = False
    shard: Annotated[
        str,
        Meta(
            description="i/n: draw and judge only this part of the samples, into shards/i-of-n of the run's folder; "
            "the same command without it puts the parts together"
        ),
    ] = ""
    cache: Annotated[
        bool, Meta(description="take verdicts of the same program on the same tests from earlier runs")
    ] = True
    errata: Annotated[
        str,
        Meta(
            description="tests that the strict profile leaves out; auto: what is shipped for the official release, "
            "else those whose input contradicts the declared types; none; or a file of them, see `audit`"
        ),
    ] = "auto"
    min_time_limit: Annotated[float, Meta(gt=0, le=3600, description="seconds of CPU time that any test may take")] = (
        4.0
    )
    time_factor: Annotated[
        float,
        Meta(ge=1, le=1000, description="a test may take this many times the reference's CPU time, if that is more"),
    ] = 4.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutorSettings:
    """Where programs are judged."""

    name: Annotated[
        Literal["local", "ray"],
        Meta(description="local: worker processes on this machine; ray: on all nodes of a Ray cluster"),
    ] = "local"
    workers: Annotated[
        Annotated[int, Meta(ge=1, le=4096)] | None,
        Meta(description="programs at once, on each node; null: one for each core, or for each CPU that Ray has there"),
    ] = None
    address: Annotated[
        str,
        Meta(
            description="for ray: HOST:PORT of a cluster, ray://HOST:10001 from outside it; local: one of this machine "
            "alone, for this run; auto: RAY_ADDRESS, or the cluster that this machine belongs to"
        ),
    ] = "auto"
