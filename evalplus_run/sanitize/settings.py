"""What a user can choose about sanitizing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from msgspec import Meta

SanitizerName = Literal["auto", "default", "evalplus", "none"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SanitizerSettings:
    """How a model's text becomes a program."""

    name: Annotated[
        SanitizerName,
        Meta(
            description="default loses no correct program; evalplus gives EvalPlus's text; none leaves it as it is;"
            " auto: none for programs that are given, default for what a model wrote"
        ),
    ] = "default"
    lift_methods: Annotated[
        bool,
        Meta(
            description="call the entry point's method where the answer is one class (`class Solution`) that can be"
            " constructed without arguments; otherwise such an answer has no entry point (default only)"
        ),
    ] = True
    compare: Annotated[
        bool,
        Meta(
            description="also judge what the other sanitizer makes of the same answers, and the answers whole, and tell"
            " which samples pass only so; the score is the same without"
        ),
    ] = True
