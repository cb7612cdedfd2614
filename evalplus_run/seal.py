"""The seal on a finished run: the settings that it was made by, and the digests of its files.

A sweep passes over a run whose seal is whole. It is written last, so that a run which was killed has none, or that of
an earlier one, which its files or the settings no longer match.
"""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from evalplus_run import json_text
from evalplus_run.files import read_whole, write_whole
from evalplus_run.report.provenance import FileDigest, digests
from evalplus_run.runs import RunFolder


@dataclass(frozen=True, slots=True)
class _Seal:
    settings: str
    files: tuple[FileDigest, ...]


_SEAL = msgspec.json.Decoder(_Seal)


def seal(folder: RunFolder, settings: str) -> None:
    """Say that the folder's files are the whole result of these settings."""
    write_whole(folder.seal, json_text.encode(_Seal(settings, _files(folder))))


def is_sealed(folder: RunFolder, settings: str) -> bool:
    """Whether they are, and none of them has changed since."""
    try:
        found = json_text.decode_as(read_whole(folder.seal), _SEAL)
        return found == _Seal(settings, _files(folder))
    except (OSError, ValueError):
        return False


def _files(folder: RunFolder) -> tuple[FileDigest, ...]:
    return digests((*folder.results, folder.report))
