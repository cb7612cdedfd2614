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
PLACE = "/scratch"
"""In the root that programs have in namespaces."""
_UNTOUCHED = 0
"""The time of the last change in a folder that no program has written in."""
_FLAGS = libc.MS_NOSUID | libc.MS_NODEV | libc.MS_NOEXEC | libc.MS_NOATIME


class Renewed:
    """In namespaces of its own: a file system in memory, another one for each program after one that touched it.

    So not even its counters and times tell a program of those before.
    """

    def __init__(self) -> None:
        """Mount it at PLACE, in another that cannot be listed; OSError where they cannot be."""
        self.beneath = PLACE
        """The path that rules of access can name: what is mounted in it changes."""
        self.path = os.path.join(PLACE, "tmp")
        libc.mount("tmpfs", PLACE, "tmpfs", _FLAGS, "size=4k,nr_inodes=4,mode=311")
        os.mkdir(self.path)
        libc.mount("none", PLACE, "none", _FLAGS | libc.MS_REMOUNT | libc.MS_RDONLY)
        self._mount()
        self._look_untouched()

    def clear(self) -> None:
        """To be called after each program."""
        if os.stat(self.path).st_mtime_ns != _UNTOUCHED:
            libc.unmount(self.path)
            self._mount()
        self._look_untouched()

    def close(self) -> None:
        """It ends with its namespace."""

    def _mount(self) -> None:
        libc.mount("tmpfs", self.path, "tmpfs", _FLAGS, f"size={LARGEST},nr_inodes={MOST_FILES},mode=700")

    def _look_untouched(self) -> None:
        # Programs cannot set times. The one that tells when these were set is the same whoever came before.
        os.utime(self.path, ns=(_UNTOUCHED, _UNTOUCHED))


class Emptied:
    """A folder on the disk, emptied after each program."""

    def __init__(self, path: str) -> None:
        """`path` is an empty folder."""
        self.path = self.beneath = path

    def clear(self) -> None:
        """To be called after each program; OSError where something is left, which the next one would see."""
        empty(self.path)
        if os.listdir(self.path):
            raise OSError(f"{self.path} cannot be emptied: the next program would see what this one left")

    def close(self) -> None:
        """Remove it."""
        remove(self.path)


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
        os.rmdir(folder)
