"""The host's side of the folder that programs may write in."""

from __future__ import annotations

import contextlib
import os
import tempfile

from evalplus_run.sandbox.guest import scratch


def make() -> str:
    """A new folder; the empty string where none can be made, and programs then cannot write."""
    try:
        return tempfile.mkdtemp(prefix="evalplus_run-")
    except OSError:
        return ""


def is_full(folder: str) -> bool:
    """Whether more is in it than a program may write."""
    used = count = 0
    folders = [folder]
    for each in folders:
        with contextlib.suppress(OSError), os.scandir(each) as entries:
            for entry in entries:
                count += 1
                if count > scratch.MOST_FILES:
                    return True
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
                with contextlib.suppress(OSError):
                    used += entry.stat(follow_symlinks=False).st_blocks * 512
    return used > scratch.LARGEST


def remove(folder: str) -> None:
    """With all that is in it."""
    if folder:
        scratch.remove(folder)
