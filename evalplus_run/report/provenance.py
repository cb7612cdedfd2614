"""The files behind a report, by their digests: whoever has the same files has the same result."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from evalplus_run.files import open_regular


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
    with open_regular(path) as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        return FileDigest(path.name, file.tell(), digest)
