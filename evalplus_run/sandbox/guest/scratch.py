"""The folder that programs may write in: small, each program's own, gone when it has ended."""

import contextlib
import os
import stat

from . import libc

LARGEST = 64 << 20
"""Bytes, in all; where the folder is no file system of its own, the judge's process looks how full it is."""
MOST_FILES = 4096
DEEPEST = 64
"""Folders within each other."""
_NOSUID, _NODEV, _NOEXEC = 2, 4, 8


def prepare(folder: str, *, mounts: bool) -> None:
    """Make it the place of temporary files; OSError where it cannot be.

    In namespaces of its own it is a file system in memory that can be no larger.
    """
    if mounts:
        options = f"size={LARGEST},nr_inodes={MOST_FILES},mode=700"
        libc.mount("tmpfs", folder, "tmpfs", _NOSUID | _NODEV | _NOEXEC, options)
    os.environ["TMPDIR"] = folder


def empty(folder: str) -> None:
    """Remove all that a program left; nothing is followed, and nothing is too deep for a path to name it."""
    root = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        while names := os.listdir(root):
            removed = [_removed(root, name) for name in names]
            if not any(removed):
                return
    finally:
        os.close(root)


def _removed(root: int, name: str) -> bool:
    """Remove one entry of the root; what a folder holds moves up into the root first."""
    try:
        if stat.S_ISDIR(os.lstat(name, dir_fd=root).st_mode):
            _raise_entries(root, name)
            os.rmdir(name, dir_fd=root)
        else:
            os.unlink(name, dir_fd=root)
    except OSError:
        return False
    return True


def _raise_entries(root: int, name: str) -> None:
    # Programs choose with what rights a folder is made; links, which chmod would follow, they cannot make.
    os.chmod(name, 0o700, dir_fd=root)
    inner = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=root)
    try:
        for each in os.listdir(inner):
            os.chmod(each, 0o700, dir_fd=inner)
            os.rename(each, os.urandom(16).hex(), src_dir_fd=inner, dst_dir_fd=root)
    finally:
        os.close(inner)


def remove(folder: str) -> None:
    """The folder with all that is in it."""
    with contextlib.suppress(OSError):
        empty(folder)
    with contextlib.suppress(OSError):
        libc.unmount(folder)
    with contextlib.suppress(OSError):
        os.rmdir(folder)
