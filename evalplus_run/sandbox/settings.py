"""The settings of the sandbox."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from msgspec import Meta

from evalplus_run.sandbox.execution import TierName

WrapperName = Literal["none", "bubblewrap", "gvisor", "docker"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxSettings:
    """How programs are kept apart from the machine."""

    tier: Annotated[
        Literal["auto"] | TierName,
        Meta(description="how strongly; auto takes the strongest that this machine's self-test passes"),
    ] = "auto"
    wrapper: Annotated[WrapperName, Meta(description="put around the tier, for those who want more")] = "none"
    image: Annotated[
        str,
        Meta(
            description="for wrapper=docker: an image with this version of Python and numpy; "
            "empty: python:X.Y-slim, with the numpy that is installed here"
        ),
    ] = ""
    memory: Annotated[
        int,
        Meta(ge=64, le=1 << 24, description="MiB that one program may really have; less where the machine has less"),
    ] = 4096
    allow_unsafe: Annotated[
        bool,
        Meta(description="go on where programs cannot be isolated at all; results are stamped so"),
    ] = False
