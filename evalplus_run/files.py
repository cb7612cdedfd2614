"""Files that are whole or not there, and the folder where things lie that can be had again."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, BinaryIO, TextIO

CACHE_VARIABLE = "EVALPLUS_RUN_CACHE"


def cache_folder(kind: str) -> Path:
    """The folder for one kind of thing below EVALPLUS_RUN_CACHE, or else below the user's cache folder."""
    from platformdirs import user_cache_dir

    return Path(os.environ.get(CACHE_VARIABLE) or user_cache_dir("evalplus_run")) / kind


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
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    os.close(handle)
    part = Path(name)
    try:
        yield part
        part.chmod(0o644)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
