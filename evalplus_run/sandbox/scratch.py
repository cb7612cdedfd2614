"""The host's side of the folder that programs may write in."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from evalplus_run.sandbox.guest import scratch

_BLOCK = 512
"""Bytes, in which a file's size on the disk is told, whatever its blocks are."""
_GONE = " (deleted)"
_MAPPED = 8
"""Removed files that may be mapped: how large they are is not told."""


def make() -> str:
    """A new folder; the empty string where none can be made, and programs then cannot write."""
    try:
        return tempfile.mkdtemp(prefix="evalplus_run-")
    except OSError:
        return ""


def is_full(folder: str, pid: int) -> bool:
    """Whether the process that writes there has more in it than it may."""
    used = count = 0
    folders = [(folder, 0)]
    for each, depth in folders:
        with contextlib.suppress(FileNotFoundError, PermissionError), os.scandir(each) as entries:
            for entry in entries:
                count += 1
                if count > scratch.MOST_FILES or depth > scratch.DEEPEST:
                    return True
                if entry.is_dir(follow_symlinks=False):
                    folders.append((entry.path, depth + 1))
                used += _size(entry.path)
    return used + _nameless(folder, pid) > scratch.LARGEST


def _nameless(folder: str, pid: int) -> int:
    """Bytes of files that were removed while the process has them open, or could have: it maps them."""
    used = 0
    with contextlib.suppress(OSError), os.scandir(f"/proc/{pid}/fd") as descriptors:
        for descriptor in descriptors:
            with contextlib.suppress(OSError):
                if _is_gone(folder, os.readlink(descriptor.path)):  # noqa: PTH115 - read many times a second
                    used += os.stat(descriptor.path).st_blocks * _BLOCK  # noqa: PTH116
    with contextlib.suppress(OSError):
        lines = Path(f"/proc/{pid}/maps").read_text("utf-8", "replace").splitlines()
        # Address, rights, offset, device, inode, path.
        fields = [line.split(maxsplit=5) for line in lines if line.endswith(_GONE)]
        used += len({inode for *_, inode, path in fields if _is_gone(folder, path)}) * scratch.LARGEST // _MAPPED
    return used


def _is_gone(folder: str, path: str) -> bool:
    return path.startswith(f"{folder}/") and path.endswith(_GONE)


def _size(path: str) -> int:
    try:
        return os.lstat(path).st_blocks * _BLOCK
    except FileNotFoundError:
        return 0


def remove(folder: str) -> None:
    """With all that is in it."""
    if folder:
        scratch.remove(folder)
