"""Files that are whole or not there, and the folder where things lie that can be had again."""

from __future__ import annotations

import contextlib
import errno
import gzip
import os
import stat
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path
from typing import IO, BinaryIO, TextIO

CACHE_VARIABLE = "EVALPLUS_RUN_CACHE"
_NO_FILE = "it is no regular file"


def cache_folder(kind: str) -> Path:
    """The folder for one kind of thing below EVALPLUS_RUN_CACHE, or else below the user's cache folder."""
    from platformdirs import user_cache_dir

    return Path(os.environ.get(CACHE_VARIABLE) or user_cache_dir("evalplus_run")) / kind


def user_path(text: str) -> Path:
    """The path that a user typed, with the home folder put in for `~`; as in a shell, not for that of nobody."""
    with contextlib.suppress(RuntimeError):
        return Path(text).expanduser()
    return Path(text)


def open_regular(path: Path) -> BufferedReader:
    """A file open for reading. Raises OSError, of a pipe or a device too: those may never begin or never end."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except ValueError:  # a null character, a surrogate that stands for no byte
        raise OSError(errno.ENOENT, "no file can have that name", str(path)) from None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, _NO_FILE, str(path))
    return os.fdopen(descriptor, "rb")


def read_whole(path: Path) -> bytes:
    """All that a file holds, opened as by `open_regular`."""
    with open_regular(path) as file:
        return file.read()


@contextmanager
def unpacked(path: Path) -> Iterator[Iterable[bytes]]:
    """The lines of a file opened as by `open_regular`, unpacked on the way where its name ends in `.gz`.

    Reading raises OSError, EOFError and zlib.error where the packed file is broken.
    """
    with open_regular(path) as file:
        if path.suffix != ".gz":
            yield file
            return
        with gzip.open(file, "rb") as stream:
            yield stream


def reason(error: Exception) -> str:
    """Why a file cannot be read or written, without the file's name."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__


@contextmanager
def replacing(path: Path) -> Iterator[TextIO]:
    """A UTF-8 file that takes the place of `path` once it is written and on the disk; on an error `path` stays.

    Makes the folder. Raises OSError.
    """
    with _part(path) as part, part.open("w", encoding="utf-8", newline="\n") as stream:
        yield stream
        _to_disk(stream)


def write_whole(path: Path, content: bytes) -> None:
    """As `replacing`, with the whole content at hand."""
    with _part(path) as part, part.open("wb") as stream:
        stream.write(content)
        _to_disk(stream)


def _to_disk(stream: IO[str] | BinaryIO) -> None:
    stream.flush()
    os.fsync(stream.fileno())


@contextmanager
def _part(path: Path) -> Iterator[Path]:
    if path.exists() and not path.is_file():
        # A device would be lost to all others.
        raise OSError(errno.EINVAL, _NO_FILE, str(path))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:40]}.")
        os.close(handle)
        part = Path(name)
        try:
            yield part
            part.chmod(0o644)
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        # The name of the part, or none, would tell nobody anything.
        raise OSError(error.errno, error.strerror, str(path)) from error
