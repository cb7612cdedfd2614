"""The values of a file of another tool: one JSON document, JSON lines, or a zip archive of JSON; by what is inside.

Such a file may be anything: how much is unpacked is bounded, nothing is written, nothing of it is run.
"""

from __future__ import annotations

import gzip
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, cast

from evalplus_run import json_text
from evalplus_run.files import open_regular, reason
from evalplus_run.interchange import zstd
from evalplus_run.json_text import long_integers
from evalplus_run.records import UserError

LONGEST_TEXT = 512 << 20
"""Bytes of one JSON text once it is unpacked: a line, a document, a member of an archive."""
LARGEST_FILE = 4 << 30
"""Bytes of all that is unpacked of one file."""

_GZIP, _ZIP = b"\x1f\x8b", b"PK\x03\x04"
_PACKINGS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zstd.METHOD}
"""Of members of archives; no tool uses others, some of which take memory as they like."""
_BROKEN = (OSError, EOFError, zlib.error, zipfile.BadZipFile, RuntimeError, NotImplementedError)
"""What reading raises; the last two of encrypted members and of versions that are not known."""


@dataclass(frozen=True, slots=True)
class Content:
    """A file as far as its form hangs on it."""

    path: Path
    first: Any
    """The value of a document, or of the first line; None where that is no JSON, or there is none."""
    whole: bool
    """`first` is all that there is."""
    members: tuple[str, ...] = ()
    """The names in an archive."""
    fault: str = ""
    """Why the first line is no JSON."""

    def rows(self) -> Iterator[tuple[str, Any]]:
        """The values of all lines, each with its place; UserError for a line that is no JSON."""
        with _told(self.path), _stream(self.path) as stream, long_integers():
            for number, line in enumerate(_lines(stream), 1):
                if line.strip():
                    place = f"{self.path}:{number}"
                    try:
                        value = json_text.decode(line)
                    except ValueError as error:
                        raise UserError(f"{place} is no sample ({error}): mend or remove that line.") from None
                    yield place, value

    def values(self, names: Iterable[str]) -> Iterator[Any]:
        """The values of members of an archive; of several of one name the last."""
        with _told(self.path), open_regular(self.path) as file, zipfile.ZipFile(file) as archive:
            for name in names:
                with _told(self.path, name), long_integers():
                    value = json_text.decode(_member(file, archive, name))
                yield value


def _member(file: BinaryIO, archive: zipfile.ZipFile, name: str) -> bytes:
    info = archive.getinfo(name)
    if info.file_size > LONGEST_TEXT:
        raise OSError(f"it would be {info.file_size:,} bytes")
    if info.compress_type not in _PACKINGS:
        raise zipfile.BadZipFile(f"it is packed by method {info.compress_type}, which is not known")
    return zstd.read(file, info) if info.compress_type == zstd.METHOD else archive.read(info)


def open_content(path: Path) -> Content:
    """What a file holds. Raises UserError where it cannot be read."""
    with _told(path), open_regular(path) as file:
        if file.read(len(_ZIP)) == _ZIP:
            return Content(path, None, whole=False, members=_members(file))
    with _told(path), _stream(path) as stream, long_integers():
        return _text(path, stream)


def _text(path: Path, stream: BinaryIO) -> Content:
    lines = (line for line in _lines(stream) if line.strip())
    first = next(lines, b"")
    try:
        value = json_text.decode(first) if first else None
    except ValueError as error:
        return _document(path, first, stream) or Content(path, None, whole=False, fault=str(error))
    return Content(path, value, whole=next(lines, None) is None)


def _document(path: Path, first: bytes, stream: BinaryIO) -> Content | None:
    """A document on several lines; None where it is none."""
    if not first.lstrip().startswith((b"{", b"[")):
        return None
    rest = stream.read(LONGEST_TEXT + 1)
    if len(rest) > LONGEST_TEXT:
        raise OSError(_too_long())
    try:
        return Content(path, json_text.decode(first + rest), whole=True)
    except ValueError:
        return None


def _members(file: BinaryIO) -> tuple[str, ...]:
    with zipfile.ZipFile(file) as archive:
        infos = {info.filename: info for info in archive.infolist()}
    if sum(info.file_size for info in infos.values()) > LARGEST_FILE:
        raise OSError(f"it would unpack to more than {LARGEST_FILE >> 20:,} MiB")
    return tuple(infos)


@contextmanager
def _stream(path: Path) -> Iterator[BinaryIO]:
    with open_regular(path) as file:
        packed = file.read(len(_GZIP)) == _GZIP
        file.seek(0)
        if not packed:
            yield file
            return
        with gzip.open(file, "rb") as unpacked:
            yield cast("BinaryIO", unpacked)


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    size = 0
    while line := stream.readline(LONGEST_TEXT + 1):
        size += len(line)
        if len(line) > LONGEST_TEXT:
            raise OSError(_too_long())
        if size > LARGEST_FILE:
            raise OSError(f"it unpacks to more than {LARGEST_FILE >> 20:,} MiB")
        yield line


def _too_long() -> str:
    return f"a JSON text in it has more than {LONGEST_TEXT >> 20:,} MiB"


@contextmanager
def _told(path: Path, member: str = "") -> Iterator[None]:
    try:
        yield
    except FileNotFoundError:
        raise UserError(f"{path} does not exist: name a file of samples or of results.") from None
    except MemoryError:
        raise UserError(f"{path} needs more memory to be read than there is: name another.") from None
    except (*_BROKEN, ValueError) as error:
        inside = f", {member} in it" if member else ""
        raise UserError(f"{path} cannot be read ({reason(error)}{inside}): get it again, or name another.") from error
