"""A file with a row for each task that is finished, so that a command which goes through tasks can go on where it was.

The first line says of which settings the rows are.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Generic, Protocol, TypeVar

import msgspec
from filelock import FileLock, Timeout

from evalplus_run import json_text
from evalplus_run.files import read_whole, write_whole
from evalplus_run.records import UserError


class OfTask(Protocol):
    """What is stored of one task."""

    @property
    def task_id(self) -> str:
        """Whose it is."""


Row = TypeVar("Row", bound=OfTask)


class TaskRows(Generic[Row]):
    """The file; a row that a crash cut off is made again."""

    def __init__(self, path: Path, kind: type[Row], identity: str) -> None:
        """Raises UserError where the file is of another identity, or a line is no row."""
        self._path = path
        self.made: dict[str, Row] = {}
        decoder = msgspec.json.Decoder(kind)
        head = json_text.encode({"identity": identity}) + b"\n"
        lines = read_whole(path).splitlines(keepends=True) if path.exists() else []
        if not lines or not lines[0].endswith(b"\n"):
            write_whole(path, head)
            return
        if lines[0] != head:
            raise UserError(
                f"{path} is of another dataset, model or samples, or of other settings: give another run_dir."
            )
        whole = [line for line in lines[1:] if line.endswith(b"\n")]
        if len(whole) < len(lines) - 1:
            write_whole(path, head + b"".join(whole))
        for number, line in enumerate(whole, 2):
            try:
                row = json_text.decode_as(line, decoder)
            except ValueError as error:
                raise UserError(f"{path}, line {number}: this is no row of this file ({error}).") from error
            self.made[row.task_id] = row

    def add(self, row: Row) -> None:
        """It counts once it is on the disk."""
        with self._path.open("ab") as stream:
            stream.write(json_text.encode(row) + b"\n")
            stream.flush()
            os.fsync(stream.fileno())
        self.made[row.task_id] = row


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """The folder, made where it is not there, for this process alone; UserError where another has it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(folder / ".lock", timeout=0):
            yield
    except Timeout as error:
        raise UserError(f"Another command is at work in {folder}: wait for that, or give another run_dir.") from error
