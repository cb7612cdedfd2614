"""Batches as a whole: submitted once whatever happens, found again, waited for.

The note of a batch is on the disk before it is submitted, and its name at the provider as soon as that is known. A
command that finds a note without a name looks through the provider's list before it submits anything.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from evalplus_run.models.asking import Asking, Refused
from evalplus_run.models.batch_notes import BatchNotes, Note
from evalplus_run.models.batch_office import Look, Office, Result, Undecided
from evalplus_run.records import UserError
from evalplus_run.words import counted

logger = logging.getLogger(__name__)
T = TypeVar("T")

_PATIENT = 5
"""A server that is gone while nothing but time is lost is waited for so many times as long as for an answer."""

_TIMED_OUT = (408, 409)
"""What may have been taken though it was refused."""


@dataclass(frozen=True, slots=True)
class Pauses:
    """Seconds between two looks at the batches that are under way."""

    first: float = 2.0
    growth: float = 1.5
    longest: float = 60.0
    settling: float = 10.0
    """How long a batch that was just submitted may be missing from the provider's list."""

    def after(self, pause: float) -> float:
        """The pause that follows this one."""
        return min(self.longest, pause * self.growth)


class BatchDesk:
    """Deals with one provider's office for one run.

    Everything is told as warnings, since that is what is shown; what it comes to is waited for for hours.
    """

    def __init__(self, office: Office, asking: Asking, notes: BatchNotes, pauses: Pauses) -> None:
        self.office = office
        self.asking = asking
        self.notes = notes
        self._pauses = pauses

    async def submitted(self, note: Note, lines: Sequence[bytes]) -> Note:
        """The note with the batch's id. Raises Refused for what no other try can mend, RunFailed and UserError."""
        file_id = await self.asking.call(partial(self.office.deposit, note.key, lines))
        noted = replace(note, file_id=file_id)

        async def create() -> str:
            nonlocal noted
            noted = replace(noted, begun=time.time())
            self.notes.write(noted)
            try:
                return await self.office.create(noted, lines)
            except Refused as refusal:
                if refusal.status < 500 and refusal.status not in _TIMED_OUT:
                    # It was surely not taken.
                    noted = replace(noted, begun=0.0)
                    self.notes.strike_out(noted)
                raise

        async def once() -> str:
            # Outside the time that one request may take: the end of another batch may have to be waited for.
            if noted.begun and (found := await self._found(noted)):
                return found
            return await self.asking.attempt(create)

        batch_id = await self.asking.persist(once)
        named = replace(noted, batch_id=batch_id)
        self.notes.write(named)
        logger.warning("submitted: batch %s, of %s", batch_id, _requests(note))
        return named

    async def picked_up(self, note: Note) -> Note | None:
        """The note of an earlier command with the batch's id; None, and struck out, where it was never submitted."""
        batch_id = note.batch_id or await self._found(note)
        if not batch_id:
            self.notes.strike_out(note)
            return None
        named = replace(note, batch_id=batch_id)
        self.notes.write(named)
        logger.warning("picked up: batch %s, of %s", batch_id, _requests(note))
        return named

    async def ended(self, out: Sequence[Note]) -> tuple[Note, Look]:
        """The first of them that has ended; how far they are is told meanwhile."""
        told: dict[str, int | None] = {}
        pause = self._pauses.first
        while True:
            for note in out:
                look = await self._call(partial(self.office.look, note.batch_id))
                if look.ended:
                    return note, look
                if look.done is not None and told.get(note.batch_id) != look.done:
                    told[note.batch_id] = look.done
                    logger.warning("batch %s: %d of %s done", note.batch_id, look.done, _requests(note))
            await asyncio.sleep(pause)
            pause = self._pauses.after(pause)

    async def results(self, look: Look) -> Sequence[Result]:
        """Those of a batch that has ended."""
        return await self._call(partial(self.office.results, look))

    async def _found(self, note: Note) -> str:
        """Its id at the provider, where it did arrive there; else empty."""
        others = frozenset(each.batch_id for each in self.notes.read() if each.batch_id)
        pause, told = self._pauses.first, ""
        settling = min(self._pauses.settling, max(0.0, note.begun + self._pauses.settling - time.time()))
        while True:
            try:
                found = await self.asking.call(partial(self.office.find, note, others))
            except Undecided as other:
                if told != (told := str(other)):
                    logger.warning("waiting for %s, which may be a batch of this run: that shows at its end", told)
                await asyncio.sleep(pause)
                pause = self._pauses.after(pause)
                continue
            except Refused as refusal:
                raise UserError(
                    "Nobody can tell whether a batch of this run was submitted"
                    f" ({refusal.status}: {self.asking.clean(refusal.words)}): look for it at the provider, and remove"
                    f" {self.notes.path} to have its answers asked for again."
                ) from None
            if found or not settling:
                return found
            await asyncio.sleep(settling)
            settling = 0.0

    async def _call(self, send: Callable[[], Awaitable[T]]) -> T:
        """As `Asking.call`, about a batch whose id is known."""
        try:
            return await self.asking.call(send, times_as_patient=_PATIENT)
        except Refused as refusal:
            if refusal.status != 404:
                raise self.asking.verdict(refusal) from None
            raise UserError(
                f"A batch of this run is not there ({self.asking.clean(refusal.words)}): give the key that it was"
                f" submitted with, or remove {self.notes.path} to have its answers asked for and paid for again."
            ) from None


def _requests(note: Note) -> str:
    return counted(len(note.rows), "request")
