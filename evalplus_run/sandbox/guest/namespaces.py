"""Namespaces of its own for the zygote and all its children: users, processes, network, mounts, IPC, host name.

They are entered once, so that a child costs no more than a plain fork. Whatever counts what has happened there, for a
later program to read, stands still or starts anew. Source: `namespaces(7)`, `user_namespaces(7)`, `pid_namespaces(7)`.
"""

import os
import signal

from . import libc

_NEW_USER, _NEW_PID, _NEW_NET = 0x10000000, 0x20000000, 0x40000000
_NEW_MOUNT, _NEW_IPC, _NEW_UTS = 0x00020000, 0x08000000, 0x04000000
_ZYGOTE = b"1"
"""The first process of a namespace."""


def enter() -> None:
    """Enter new namespaces; returns in a new process, the first of its process namespace.

    The calling process stays outside, waits, and ends with it. OSError where the kernel, a container's
    profile or the machine's settings refuse.
    """
    # Outside, a child can be told only by a descriptor: its number is another one there.
    os.close(os.pidfd_open(os.getpid()))
    user, group = os.getuid(), os.getgid()
    libc.unshare(_NEW_USER | _NEW_PID | _NEW_NET | _NEW_MOUNT | _NEW_IPC | _NEW_UTS)
    for name, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(text)
    first = os.fork()
    if first:
        _wait_outside(first)
    libc.prctl(libc.PR_SET_PDEATHSIG, signal.SIGKILL)
    # Nothing could be written anyway; but the time at which a file was read last is kept where it can be written.
    libc.set_read_only("/", recursive=True)


class ProcessNumbers:
    """Every child gets the same number: else it would tell how many processes and threads there were before."""

    def __init__(self) -> None:
        """OSError where the kernel does not let numbers be chosen."""
        libc.set_read_only("/proc", writable=True)
        self._last = os.open("/proc/sys/kernel/ns_last_pid", os.O_WRONLY | os.O_CLOEXEC)

    def rewind(self) -> None:
        """To be called before each fork, when all children are gone."""
        os.pwrite(self._last, _ZYGOTE, 0)


def _wait_outside(first: int) -> None:
    # The process that waits must not hold the channels open: their end tells the other side.
    os.closerange(0, 256)
    os.waitpid(first, 0)
    os._exit(0)
