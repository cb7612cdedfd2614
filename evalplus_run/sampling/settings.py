"""Settings of the prompt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from msgspec import Meta

from evalplus_run.models.base import Thinking


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptSettings:
    """How a task is put to the model."""

    style: Annotated[
        Literal["evalplus", "plain", "base"],
        Meta(description="evalplus: as published numbers were made; plain: one line and the task; base: no chat"),
    ] = "evalplus"
    thinking: Annotated[
        Thinking,
        Meta(description="what the chat template is asked for; auto: what the model does by itself"),
    ] = "auto"
    prefill: Annotated[bool, Meta(description="begin the assistant's turn, where the style and the model allow it")] = (
        True
    )
    system: Annotated[str, Meta(description="system turn; empty: the template's own")] = ""
    template: Annotated[
        str, Meta(description="your own text file in place of the style's user turn; {prompt} stands for the task")
    ] = ""
