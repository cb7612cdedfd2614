"""The folder that programs may write in: small, each program's own, gone when it has ended."""

import contextlib
import os
import tempfile

from . import libc

LARGEST = 64 << 20
"""Bytes, in all; where the folder is no file system of its own, the judge's process looks how full it is."""
MOST_FILES = 4096
_NOSUID, _NODEV, _NOEXEC = 2, 4, 8


def prepare(folder: str, *, mounts: bool) -> None:
    """Make it the place of temporary files; in namespaces of its own, a file system in memory that can be no larger."""
    if mounts:
        # Where none can be had, it is a folder on the disk as in the tiers without namespaces.
        with contextlib.suppress(OSError):
            options = f"size={LARGEST},nr_inodes={MOST_FILES},mode=700"
            libc.mount("tmpfs", folder, "tmpfs", _NOSUID | _NODEV | _NOEXEC, options)
    os.environ["TMPDIR"] = tempfile.tempdir = folder


def empty(folder: str) -> None:
    """Remove all that a program left; nothing is followed, and no depth is too deep."""
    folders = [folder]
    for each in folders:
        with contextlib.suppress(OSError), os.scandir(each) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
                else:
                    os.unlink(entry.path)
    for each in reversed(folders[1:]):
        with contextlib.suppress(OSError):
            os.rmdir(each)


def remove(folder: str) -> None:
    """The folder with all that is in it."""
    empty(folder)
    with contextlib.suppress(OSError):
        libc.unmount(folder)
    with contextlib.suppress(OSError):
        os.rmdir(folder)
