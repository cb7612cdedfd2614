"""The lock on a child, by tier: resource limits, no new privileges, Landlock, seccomp."""

import contextlib
import fcntl
import importlib.util
import os
import resource
import sys

from . import landlock, libc, seccomp
from .scratch import LARGEST, Emptied, Renewed

STANDARD_LIBRARY = os.path.dirname(os.__file__)
_OPEN_FILES = 256
_NOBODY = 65534
_ABOVE_CHANNELS = 10
"""The first descriptor that no child gives to its streams and its result pipe."""
_STACK = 120 << 20
"""Bytes: below the gap that the kernel always leaves under the stack, so no mapping is in its way."""


class Confinement:
    """Made once in the zygote; `limit` and `lock` are called in each child."""

    def __init__(self, tier: str, scratch: "Emptied | Renewed | None") -> None:
        """`scratch` is where programs may write, in the tiers that have such a place."""
        self.opens_files = tier not in ("seccomp-only", "rlimits")
        self._scratch = scratch
        self._limits = tier != "none"
        self._rules: "int | None" = None
        self._filter: "seccomp.Filter | None" = None
        if tier in ("namespaces", "lockdown"):
            if not landlock.abi():
                raise OSError("this kernel has no Landlock")
            writable = [*([scratch.beneath] if scratch else []), os.devnull]
            self._rules = _move_high(landlock.ruleset(readable=readable_paths(), writable=writable))
        if tier not in ("rlimits", "none"):
            if not seccomp.supported():
                raise OSError(f"no seccomp filter is known for {libc.MACHINE}")
            self._filter = seccomp.Filter(seccomp.build(opens=self.opens_files))

    @property
    def descriptors(self) -> "tuple[int, ...]":
        """Open files that `lock` still needs, and closes."""
        return () if self._rules is None else (self._rules,)

    def limit(self, *, address_space: int, cpu_seconds: int) -> None:
        """Resource limits; `address_space` in bytes, in all: with what the zygote has already."""
        os.chdir(self._scratch.path if self._scratch else "/")
        if not self._limits:
            return
        # Backstops only: the judge's process reads the child's clock and its memory, and kills before this.
        _set(resource.RLIMIT_CPU, cpu_seconds, cpu_seconds + 2)
        _set(resource.RLIMIT_CORE, 0)
        _set(resource.RLIMIT_FSIZE, LARGEST if self._scratch else 0)
        _set(resource.RLIMIT_NOFILE, _OPEN_FILES)
        _set(resource.RLIMIT_STACK, _STACK)
        _set(resource.RLIMIT_AS, address_space)

    def lock(self) -> None:
        """Everything else, for good."""
        if self._filter is not None:
            libc.drop_capabilities()
            libc.prctl(libc.PR_SET_NO_NEW_PRIVS, 1)
            if self._rules is not None:
                landlock.restrict(self._rules)
                os.close(self._rules)
            self._filter.install()
        elif self._limits:
            _close_the_doors_of_limits()


def _close_the_doors_of_limits() -> None:
    """Without a filter: no descriptor can be opened any more, so no file is read or written, and no process begun."""
    if hasattr(resource, "RLIMIT_NPROC"):
        # It counts threads too, so it is used only where no filter tells processes from threads.
        _set(resource.RLIMIT_NPROC, 0)
    _set(resource.RLIMIT_NOFILE, 0)
    if os.geteuid() == 0:
        # Limits do not bind root.
        os.setgroups([])
        os.setgid(_NOBODY)
        os.setuid(_NOBODY)


def readable_paths() -> "list[str]":
    """What a program may read: the standard library, numpy, the system's shared libraries, time zones.

    Not the whole of site-packages, and no folder of a user: datasets may lie there.
    """
    entries = [os.path.join(STANDARD_LIBRARY, name) for name in os.listdir(STANDARD_LIBRARY)]
    left_out = ("site-packages", "dist-packages", "test", "idlelib")
    paths = [path for path in entries if os.path.basename(path) not in left_out]
    numpy = importlib.util.find_spec("numpy")
    if numpy is not None and numpy.origin:
        home = os.path.dirname(numpy.origin)
        paths += [home, home + ".libs"]
    triplet = getattr(sys.implementation, "_multiarch", "")
    for root in ("/lib", "/usr/lib"):
        paths.append(os.path.join(root, triplet) if triplet else root)
    paths += ["/lib64", "/usr/lib64", "/etc/ld.so.cache", "/etc/localtime", "/usr/share/zoneinfo"]
    return [*paths, "/dev/zero", "/dev/urandom", "/dev/random"]


def _move_high(descriptor: int) -> int:
    moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, _ABOVE_CHANNELS)
    os.close(descriptor)
    return moved


class AddressSpace:
    """How large this process's is, also when `/proc` is hidden."""

    def __init__(self) -> None:
        self._file = -1
        with contextlib.suppress(OSError):
            self._file = os.open("/proc/self/statm", os.O_RDONLY | os.O_CLOEXEC)

    def size(self) -> int:
        """Bytes; 0 where the system does not tell."""
        return 0 if self._file < 0 else int(os.pread(self._file, 100, 0).split()[0]) * resource.getpagesize()


def _set(limit: int, soft: int, hard: "int | None" = None) -> None:
    hard = soft if hard is None else hard
    allowed = resource.getrlimit(limit)[1]
    if allowed != resource.RLIM_INFINITY:
        soft, hard = min(soft, allowed), min(hard, allowed)
    resource.setrlimit(limit, (soft, hard))
