"""The host's side of the folder that programs may write in."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import tempfile
from pathlib import Path

from evalplus_run.sandbox.guest import scratch

_BLOCK = 512
"""Bytes, in which a file's size on the disk is told, whatever its blocks are."""
_UNSEEN = (errno.EACCES, errno.EPERM, errno.ENAMETOOLONG)
_GONE, _OF_NO_FILE = b" (deleted)", b"/dev/zero (deleted)"
"""How the system names a removed file that is mapped, and memory that could be shared, which counts as memory."""
_MAPPED = 2
"""Removed files that may be mapped: how large they are is not told."""


def make() -> str:
    """A new folder; OSError where none can be made."""
    return tempfile.mkdtemp(prefix="evalplus_run-")


def is_full(folder: str, pid: int) -> bool:
    """Whether the process that writes there has more in it than it may.

    A folder that cannot be looked into (without rights, or too deep for any path) may hold anything: it is full.
    """
    used = count = 0
    folders = [(folder, 0)]
    try:
        for each, depth in folders:
            with contextlib.suppress(FileNotFoundError, NotADirectoryError), os.scandir(each) as entries:
                for entry in entries:
                    count += 1
                    if count > scratch.MOST_FILES or depth > scratch.DEEPEST:
                        return True
                    if entry.is_dir(follow_symlinks=False):
                        folders.append((entry.path, depth + 1))
                    used += _size(entry.path)
    except OSError as error:
        if error.errno not in _UNSEEN:
            raise
        return True
    return used + _nameless(pid) > scratch.LARGEST


def _nameless(pid: int) -> int:
    """Bytes of files that were removed while the process has them open, or could have: it maps them."""
    used = 0
    with contextlib.suppress(OSError), os.scandir(f"/proc/{pid}/fd") as descriptors:
        for descriptor in descriptors:
            with contextlib.suppress(OSError):
                found = os.stat(descriptor.path)  # noqa: PTH116 - read many times a second
                used += found.st_blocks * _BLOCK if stat.S_ISREG(found.st_mode) and not found.st_nlink else 0
    with contextlib.suppress(OSError):
        # Address, rights, offset, device, inode, path.
        lines = Path(f"/proc/{pid}/maps").read_bytes().split(b"\n")
        gone = [line.split(maxsplit=5) for line in lines if line.endswith(_GONE)]
        used += len({inode for *_, inode, path in gone if path != _OF_NO_FILE}) * scratch.LARGEST // _MAPPED
    return used


def _size(path: str) -> int:
    try:
        return os.lstat(path).st_blocks * _BLOCK
    except FileNotFoundError:
        return 0


def remove(folder: str) -> None:
    """With all that is in it."""
    if folder:
        scratch.remove(folder)
