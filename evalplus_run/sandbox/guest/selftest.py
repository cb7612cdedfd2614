"""What a locked child can still do: tried for real, in a child that is thrown away."""

import os
import signal
import socket
from collections.abc import Callable

from .confine import Confinement

CHECKS = ("write", "read", "connect", "fork", "exec", "kill")
"""Doors that every tier with a filter shuts."""
_SHUT_BY_LIMITS = ("write", "read", "connect", "fork")


def open_doors(confinement: Confinement, address_space: int) -> int:
    """Bits, in the order of CHECKS, of what a child under this confinement could still do.

    `address_space` is what this process has, in bytes.
    """
    readable, writable = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.close(readable)
            confinement.limit(address_space=address_space + (1 << 30), cpu_seconds=5)
            confinement.lock()
            os.write(writable, bytes([_try_all()]))
        finally:
            os._exit(0)
    os.close(writable)
    answer = os.read(readable, 1)
    os.close(readable)
    os.waitpid(pid, 0)
    if not answer:
        raise OSError("a child did not survive being locked")
    return answer[0]


def must_be_shut(tier: str) -> int:
    """Bits of the doors that the tier promises to shut."""
    shut = {"none": (), "rlimits": _SHUT_BY_LIMITS}.get(tier, CHECKS)
    return sum(1 << i for i, name in enumerate(CHECKS) if name in shut)


def _try_all() -> int:
    attempts: "dict[str, Callable[[], object]]" = {
        "write": _write,
        "read": lambda: os.open(os.path.realpath(__file__), os.O_RDONLY),
        "connect": lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM),
        "fork": _fork,
        "exec": _exec_nothing,
        "kill": lambda: os.kill(os.getppid(), 0),
    }
    return sum(1 << i for i, name in enumerate(CHECKS) if _succeeds(attempts[name]))


def _succeeds(attempt: "Callable[[], object]") -> bool:
    try:
        attempt()
    except OSError:
        return False
    return True


def _write() -> None:
    path = f"/tmp/{os.urandom(8).hex()}"
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    os.unlink(path)


def _exec_nothing() -> None:
    try:
        os.execv("/nonexistent/program", ["program"])
    except FileNotFoundError:
        return  # the call itself was let through


def _fork() -> None:
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
