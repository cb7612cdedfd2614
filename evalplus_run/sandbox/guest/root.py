"""A root of its own for the zygote and all its children: what programs may read, and nothing else of the machine.

Rules of access do not cover what `stat` tells: that a file is there, how large it is, when it changed. So what cannot
be read cannot be seen either, in a mount namespace. Source: `pivot_root(2)`, `mount_namespaces(7)`.
"""

import os

from . import libc

_STAGE = "/proc"
"""A folder that is everywhere, to build the new root on; it is gone with the old one."""
_FLAGS = libc.MS_NOSUID | libc.MS_NODEV | libc.MS_NOATIME
_DEEPEST_LINK = 40


def enter(paths: "list[str]", empty: str) -> None:
    """Leave the old root for one that holds these paths, those that exist, and an empty folder of this name.

    What lies there can be no more than read. OSError where the kernel refuses.
    """
    libc.mount("tmpfs", _STAGE, "tmpfs", _FLAGS, "size=1m,nr_inodes=4096,mode=755")
    bound: "list[str]" = []
    for path in paths:
        if os.path.exists(path):
            _provide(path, bound)
    os.mkdir(_STAGE + empty)
    libc.mount("none", _STAGE, "none", _FLAGS | libc.MS_REMOUNT | libc.MS_RDONLY)
    os.chdir(_STAGE)
    # The old root then lies on top of the new one, and goes.
    libc.pivot_root(".", ".")
    libc.unmount(".")
    os.chdir("/")


def _provide(path: str, bound: "list[str]", links: int = 0) -> None:
    """Mount it at the same place, with the links that lead there."""
    parts = path.strip("/").split("/")
    for count in range(1, len(parts) + 1):
        here = "/" + "/".join(parts[:count])
        there = _STAGE + here
        if os.path.islink(here) and links < _DEEPEST_LINK:
            target = os.readlink(here)
            if not os.path.lexists(there):
                os.symlink(target, there)
            _provide(os.path.normpath(os.path.join(os.path.dirname(here), target, *parts[count:])), bound, links + 1)
            return
        if count == len(parts):
            _bind(here, there, bound)
        elif not os.path.isdir(there):
            os.mkdir(there)


def _bind(here: str, there: str, bound: "list[str]") -> None:
    if any((here + "/").startswith(each + "/") for each in bound):
        return  # it lies in what is there already
    if os.path.isdir(here):
        os.makedirs(there, exist_ok=True)
    else:
        os.close(os.open(there, os.O_CREAT | os.O_WRONLY, 0o600))
    libc.mount(here, there, "none", libc.MS_BIND | libc.MS_REC)
    bound.append(here)
