"""The unpacked content of a benchmark file, with the digests that name it."""

from __future__ import annotations

import gzip
import hashlib
import zlib
from dataclasses import dataclass, field
from pathlib import Path

from evalplus_run.files import read_whole
from evalplus_run.records import UserError

_GZIP_MAGIC = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class Content:
    """JSONL as bytes, and where it came from."""

    data: bytes = field(repr=False)
    sha256: str
    md5: str
    source: str


def read_content(path: Path) -> Content:
    """Read a JSONL file, packed by gzip or not. Raises UserError where it is missing or broken."""
    data = _unpacked(path)
    return Content(
        data=data,
        sha256=hashlib.sha256(data).hexdigest(),
        # EvalPlus's name for a dataset in its result files; nothing rests on its strength.
        md5=hashlib.md5(data, usedforsecurity=False).hexdigest(),
        source=str(path),
    )


def _unpacked(path: Path) -> bytes:
    try:
        data = read_whole(path)
        return gzip.decompress(data) if data.startswith(_GZIP_MAGIC) else data
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise UserError(f"{path} is a broken gzip file ({error}): replace it by a whole copy.") from None
    except OSError as error:
        raise UserError(
            f"{path} cannot be read ({error.strerror}): name a .jsonl or .jsonl.gz file that exists."
        ) from None
