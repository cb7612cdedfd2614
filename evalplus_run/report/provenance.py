"""The files behind a report, by their digests: whoever has the same files has the same result."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from evalplus_run.files import open_regular

_AT_ONCE = 1 << 20
"""Bytes read at a time."""


@dataclass(frozen=True, slots=True)
class FileDigest:
    """One file of a run's folder."""

    name: str
    size: int
    """In bytes."""
    sha256: str
    """In hexadecimal."""


def digests(paths: Iterable[Path]) -> tuple[FileDigest, ...]:
    """Those of the files that are there, in the order given. Raises OSError for what cannot be read."""
    return tuple(_digest(path) for path in paths if path.exists())


def _digest(path: Path) -> FileDigest:
    digest, size = hashlib.sha256(), 0
    with open_regular(path) as file:
        while part := file.read(_AT_ONCE):
            digest.update(part)
            size += len(part)
    return FileDigest(path.name, size, digest.hexdigest())
