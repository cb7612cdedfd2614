"""What a user can choose about sending results on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from msgspec import Meta

SinkName = Literal["wandb", "mlflow", "trackio"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportSettings:
    """Where the results go once they are in the run's folder."""

    to: Annotated[
        tuple[SinkName, ...],
        Meta(description="also send scores, manifest and page to these: wandb, mlflow, trackio (each an extra)"),
    ] = ()
    project: Annotated[str, Meta(min_length=1, description="their project, or experiment")] = "evalplus-run"
    name: Annotated[str, Meta(description="the run's name in tables, on pages and there; empty: that of the model")] = (
        ""
    )
