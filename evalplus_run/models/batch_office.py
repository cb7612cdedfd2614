"""The seam between our batches and the providers that take them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from evalplus_run.models.asking import Refused
from evalplus_run.models.batch_notes import Note

CLOCKS_DIFFER = 600
"""Seconds at most, by which a provider's clock may be behind ours."""
PAGE = 100
"""Batches of a provider's list at once."""


@dataclass(frozen=True, slots=True)
class Look:
    """How far a batch is."""

    batch_id: str
    ended: bool
    done: int | None
    """Rows, where the provider tells."""
    refusal: Refused | None = None
    """That of the batch as a whole."""
    files: tuple[str, ...] = ()
    """Where its results are, if not under its own name."""


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one row: a response, or a refusal, or neither where it was never asked."""

    name: str
    response: bytes | None = None
    refusal: Refused | None = None
    ending: str = ""
    """Why it was never asked, in the provider's word."""
    cancelled: bool = False
    """Whether somebody wanted that."""


class Undecided(Exception):
    """Another batch, named here, may be the one that is looked for, which shows once it has ended."""


class Office(Protocol):
    """Where a provider takes batches. All its calls raise as `asking.Send` says."""

    most_rows: int
    most_bytes: int
    """Of one batch."""

    def line(self, name: str, body: Mapping[str, Any]) -> bytes:
        """A row as JSON."""

    async def deposit(self, key: str, lines: Sequence[bytes]) -> str:
        """Bring the rows where the provider wants them apart from the batch, and their file's id; else nothing."""

    async def create(self, note: Note, lines: Sequence[bytes]) -> str:
        """Submit the batch; its id."""

    async def find(self, note: Note, others: frozenset[str]) -> str:
        """The id of a batch that may have been submitted, not one of the others; empty where there is none.

        Raises Undecided.
        """

    async def look(self, batch_id: str) -> Look:
        """How far it is."""

    async def results(self, look: Look) -> Sequence[Result]:
        """Those of a batch that has ended, in any order; lines that cannot be read are left out."""
