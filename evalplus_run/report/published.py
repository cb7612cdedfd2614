"""A score that others have published of a model."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from evalplus_run.records import SuiteName

_Percent = Annotated[float, Meta(ge=0, le=100)] | None


class Published(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What was published of a model on one benchmark: pass@1 in percent."""

    source: str
    base: _Percent = None
    plus: _Percent = None

    def of(self, suite: SuiteName) -> float | None:
        """The score on one suite, between 0 and 1."""
        value = self.base if suite == "base" else self.plus
        return None if value is None else value / 100
