"""Which batches of a run are at the provider: written down before one is submitted, struck out once it is read."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import msgspec

from evalplus_run import json_text
from evalplus_run.files import read_whole, reason, write_whole
from evalplus_run.records import Request, RunFailed, SampleId, UserError


@dataclass(frozen=True, slots=True)
class Note:
    """One batch."""

    key: str
    """Unlike any other's: the rows' names at the provider begin with it."""
    rows: tuple[tuple[str, tuple[int, ...]], ...]
    """A task's id and the indices of its samples, by the row's number."""
    refused: Mapping[str, str] = field(default_factory=dict)
    """The parameters that were left out of it or renamed, with the reason."""
    file_id: str = ""
    """Of the rows' own file at the provider, where it has such."""
    begun: float = 0.0
    """When it was first tried to submit it, in seconds since 1970."""
    batch_id: str = ""
    """Empty as long as the provider has not told it."""
    settled: tuple[SampleId, ...] = ()
    """The samples that are done with, while others of the batch are not wanted now."""

    @property
    def under_way(self) -> set[SampleId]:
        """The samples whose answers are still to be fetched."""
        return {(task_id, index) for task_id, indices in self.rows for index in indices} - set(self.settled)

    def name_of(self, number: int) -> str:
        """What its row of this number is called at the provider."""
        return f"{self.key}-{number}"

    def row_of(self, name: str) -> tuple[str, tuple[int, ...]] | None:
        """The row that goes by this name; None where that is none of ours."""
        key, _, number = name.partition("-")
        is_ours = key == self.key and number.isdecimal() and int(number) < len(self.rows)
        return self.rows[int(number)] if is_ours else None


_NOTES = msgspec.json.Decoder(tuple[Note, ...])


class BatchNotes:
    """The notes of one run, in a file of its folder; what was written is on the disk."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> tuple[Note, ...]:
        """All of them. Raises UserError for a file that cannot be read."""
        try:
            return json_text.decode_as(read_whole(self.path), _NOTES)
        except FileNotFoundError:
            return ()
        except (OSError, ValueError) as error:
            raise UserError(
                f"{self.path} is not readable ({reason(error)}): it names batches that are paid for; mend it, or remove"
                " it to have their answers asked for again."
            ) from error

    def write(self, note: Note) -> None:
        """In place of the one with its key, or as a new one. Raises RunFailed where the disk is full or gone."""
        self._put((*self._others(note), note))

    def strike_out(self, note: Note) -> None:
        """It is done with."""
        self._put(self._others(note))

    def put_away(self, note: Note, asked: Collection[SampleId]) -> None:
        """The samples asked for are done with; it stays for the others, if it holds any."""
        rest = note.under_way - set(asked)
        if rest:
            self.write(replace(note, settled=tuple(sorted({*note.settled, *(note.under_way - rest)}))))
        else:
            self.strike_out(note)

    def under_way(self) -> set[SampleId]:
        """The samples of all batches whose answers are still to be fetched."""
        return {sample_id for note in self.read() for sample_id in note.under_way}

    def refuse_under_way(self, requests: Collection[Request]) -> None:
        """UserError where some of the answers are being made by a batch already."""
        wanted = {(request.prompt.task_id, index) for request in requests for index in request.indices}
        if names := [note.batch_id or note.key for note in self.read() if note.under_way & wanted]:
            raise UserError(
                f"Answers of this run are in a batch at the provider already ({', '.join(names)}): fetch them with"
                f" model.batch=true, or remove {self.path} to have them asked for and paid for again."
            )

    def _others(self, note: Note) -> tuple[Note, ...]:
        return tuple(each for each in self.read() if each.key != note.key)

    def _put(self, notes: tuple[Note, ...]) -> None:
        try:
            write_whole(self.path, json_text.encode(notes))
            # What comes next is paid for: a machine that goes down must not forget the file's new name.
            folder = os.open(self.path.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
        except OSError as error:
            raise RunFailed(f"Cannot write {self.path} ({error.strerror}).") from error
