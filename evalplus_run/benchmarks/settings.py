"""Which benchmark a run looks at, and how much of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from msgspec import Meta

DatasetName = Literal["humaneval_plus", "mbpp_plus", "humaneval", "example", "custom"]
Variant = Literal["full", "mini", "noextreme"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetSettings:
    """The benchmark, the release of it, and the tasks that are looked at."""

    name: Annotated[DatasetName, Meta(description="the benchmark; custom is your own JSONL file, named by path")] = (
        "humaneval_plus"
    )
    version: Annotated[str, Meta(description="the release, for example v0.1.9; empty is the current one")] = ""
    variant: Annotated[
        Variant, Meta(description="full, mini (a reduced plus suite) or noextreme (no extremely large inputs)")
    ] = "full"
    path: Annotated[str, Meta(description="a .jsonl or .jsonl.gz file to read in place of a download")] = ""
    limit: Annotated[
        Annotated[int, Meta(ge=1, le=1_000_000)] | None, Meta(description="only the first so many tasks")
    ] = None
    tasks: Annotated[tuple[str, ...], Meta(description="only these task ids, for example HumanEval/3")] = ()
