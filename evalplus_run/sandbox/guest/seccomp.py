"""A seccomp filter: what a program may ask of the kernel, as a list of what is allowed.

Allowed: memory, time, reading files, threads, signals to itself, polling, socket pairs (asyncio needs one), and
where Landlock says in which folder, writing files. Everything else, above all new processes, exec, sockets, signals
to others, ptrace and mounts, fails with EPERM, so that the program sees an ordinary PermissionError. The calls and
their numbers are in syscalls.py.
"""

import ctypes
import errno
import os
import struct

from . import syscalls
from .libc import MACHINE, syscall

AUDIT_ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

_ACCESS_MODE, _TRUNCATE, _WITHOUT_NAME = 0o3, 0o1000, 0o20000000
_DYNAMIC_CLOCK, _CLOCK_OF_A_THREAD = 1 << 31, 4
"""Clocks of processes and threads; of threads the kernel gives only this process's own."""
_CLONE_THREAD = 0x00010F00
"""A thread that shares memory, folders, descriptors and handlers: with descriptors of its own it would have more."""
_CLOSE_ON_EXEC = 4
_CLONE_NEW = 0x7E020080
"""All namespaces, time's too."""
_AF_UNIX = 1
_HARMLESS_FCNTLS = (0, 1, 2, 3, 4, 1030)
"""DUPFD, GETFD, SETFD, GETFL, SETFL, DUPFD_CLOEXEC; SETOWN and SETSIG would signal others."""
_PRETENDED_FCNTLS = (6, 7, 37, 38)
"""SETLK, SETLKW, OFD_SETLK, OFD_SETLKW: a lock on what all can read would be seen by all, and no file of a program's
own has another process that could hold one."""
_HARMLESS_ADVICE = (0, 1, 2, 3, 8, 14, 15)
"""NORMAL to WILLNEED, FREE, HUGEPAGE, NOHUGEPAGE. Not what spoils a page or shares it with others; not DONTNEED, after
which shared memory is kept and is not seen as resident."""
_HARMLESS_IOCTLS = (0x5421, 0x5450, 0x5451)  # FIONBIO, FIONCLEX, FIOCLEX

_LOAD, _AND, _JUMP_EQUAL, _JUMP_GREATER_EQUAL, _JUMP_SET, _RETURN = 0x20, 0x54, 0x15, 0x35, 0x45, 0x06
_ALLOW, _KILL_PROCESS = 0x7FFF0000, 0x80000000
_NUMBER, _ARCHITECTURE = 0, 4
_X32_BIT = 0x40000000
_SET_MODE_FILTER, _ALL_THREADS = 1, 1
_SIGKILL = 9
_OWN_PROCESS = 0x7E570D1D
"""Stands in a compiled filter for the process that it is installed in."""
_SECCOMP = {"x86_64": 317, "aarch64": 277}


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))


class Filter:
    """A compiled filter that `install` puts this process and all its threads under, for good."""

    def __init__(self, instructions: bytes) -> None:
        self._buffer = ctypes.create_string_buffer(instructions, len(instructions))
        self._own = [at for at in range(4, len(instructions), 8) if instructions[at : at + 4] == _u32(_OWN_PROCESS)]
        self._program = _Program(len(instructions) // 8, ctypes.addressof(self._buffer))

    def install(self) -> None:
        """Needs no_new_privs; OSError where the kernel has no seccomp filters."""
        for at in self._own:
            struct.pack_into("<I", self._buffer, at, os.getpid())
        apart = syscall(
            _SECCOMP[MACHINE],
            ctypes.c_uint(_SET_MODE_FILTER),
            ctypes.c_uint(_ALL_THREADS),
            ctypes.byref(self._program),
        )
        if apart:
            raise OSError(errno.EBUSY, f"thread {apart} cannot be put under the filter")


def supported() -> bool:
    """Whether this architecture's numbers are known here."""
    return MACHINE in AUDIT_ARCH


def build(machine: str = MACHINE, *, opens: bool = True) -> bytes:
    """The instructions of the filter; with `opens=False` no file can be opened at all."""
    column = 0 if machine == "x86_64" else 1

    def number(pair: "tuple[int | None, int | None]") -> "int | None":
        return pair[column]

    parts = [
        _instruction(_LOAD, _ARCHITECTURE),
        _instruction(_JUMP_EQUAL, AUDIT_ARCH[machine], 1, 0),
        _instruction(_RETURN, _KILL_PROCESS),
        _instruction(_LOAD, _NUMBER),
        _instruction(_JUMP_GREATER_EQUAL, _X32_BIT, 0, 1),
        _instruction(_RETURN, _KILL_PROCESS),
        # glibc falls back to clone, whose flags a filter can see.
        _rule(number(syscalls.CLONE3), _return_error(errno.ENOSYS)),
        # It tells which mount a file is on: their numbers only grow, with each program that wrote something.
        _rule(number(syscalls.STATX), _return_error(errno.ENOSYS)),
        _rule(number(syscalls.CLONE), _a_thread()),
        _rule(number(syscalls.OPENAT), _opening(2) if opens else _return_error(errno.EACCES)),
        _rule(number(syscalls.OPEN), _opening(1) if opens else _return_error(errno.EACCES)),
        _rule(number(syscalls.KILL), _signal_to_itself(1)),
        _rule(number(syscalls.TGKILL), _signal_to_itself(2)),
        _rule(number(syscalls.CLOSE_RANGE), _if_one_of(2, (0, _CLOSE_ON_EXEC), otherwise=_error(errno.EINVAL))),
        _rule(number(syscalls.MADVISE), _if_one_of(2, _HARMLESS_ADVICE, otherwise=_error(errno.EINVAL))),
        _rule(number(syscalls.PRLIMIT64), _null(2)),
        # With an address, it would reach sockets that others have given a path.
        _rule(number(syscalls.SENDTO), _null(4)),
        _rule(number(syscalls.IOCTL), _if_one_of(1, _HARMLESS_IOCTLS, otherwise=_error(errno.ENOTTY))),
        _rule(number(syscalls.FCNTL), _a_harmless_fcntl()),
        _rule(number(syscalls.SOCKETPAIR), _if_one_of(0, (_AF_UNIX,), otherwise=_error(errno.EPERM))),
    ]
    allowed = {**syscalls.ALLOWED, **syscalls.WRITING} if opens else syscalls.ALLOWED
    parts += [_rule(number(pair), _instruction(_RETURN, _ALLOW)) for pair in allowed.values()]
    parts += [_rule(number(pair), _a_clock_of_its_own()) for pair in syscalls.CLOCKS.values()]
    parts += [_rule(number(pair), _return_error(0)) for pair in syscalls.PRETENDED.values()]
    parts += [_rule(number(pair), _return_error(errno.ENOTSUP)) for pair in syscalls.UNSUPPORTED.values()]
    return b"".join([*parts, _instruction(_RETURN, _error(errno.EPERM))])


def _instruction(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("<HBBI", code, if_true, if_false, value)


def _error(code: int) -> int:
    return 0x00050000 | code


def _return_error(code: int) -> bytes:
    return _instruction(_RETURN, _error(code))


def _rule(number: "int | None", body: bytes) -> bytes:
    """`body`, which always returns, for the system call of this number; nothing where there is no such call."""
    return b"" if number is None else _instruction(_JUMP_EQUAL, number, 0, len(body) // 8) + body


def _argument(index: int, high: bool = False) -> int:
    return 16 + 8 * index + (4 if high else 0)


def _a_thread() -> bytes:
    """No process, and no thread in other namespaces."""
    return b"".join(
        (
            _instruction(_LOAD, _argument(0)),
            _instruction(_JUMP_SET, _CLONE_NEW, 3, 0),
            _instruction(_AND, _CLONE_THREAD),
            _instruction(_JUMP_EQUAL, _CLONE_THREAD, 0, 1),
            _instruction(_RETURN, _ALLOW),
            _instruction(_RETURN, _error(errno.EPERM)),
        )
    )


def _opening(flags_argument: int) -> bytes:
    """Landlock rules over paths; but before its third version it lets a file that is opened for reading be emptied.

    A file without a name would count as a new one for later programs while its folder looks untouched.
    """
    return b"".join(
        (
            _instruction(_LOAD, _argument(flags_argument)),
            _instruction(_JUMP_SET, _WITHOUT_NAME, 0, 1),
            _instruction(_RETURN, _error(errno.EOPNOTSUPP)),
            _instruction(_JUMP_SET, _ACCESS_MODE, 1, 0),
            _instruction(_JUMP_SET, _TRUNCATE, 1, 0),
            _instruction(_RETURN, _ALLOW),
            _instruction(_RETURN, _error(errno.EACCES)),
        )
    )


def _a_clock_of_its_own() -> bytes:
    """Not how long another process has computed: the zygote's clock would tell what it did for earlier programs."""
    return b"".join(
        (
            _instruction(_LOAD, _argument(0)),
            _instruction(_JUMP_SET, _DYNAMIC_CLOCK, 0, 1),
            _instruction(_JUMP_SET, _CLOCK_OF_A_THREAD, 0, 1),
            _instruction(_RETURN, _ALLOW),
            _instruction(_RETURN, _error(errno.EINVAL)),
        )
    )


def _signal_to_itself(signal_argument: int) -> bytes:
    """Any but SIGKILL, which would read as the system's doing."""
    return b"".join(
        (
            _instruction(_LOAD, _argument(0)),
            _instruction(_JUMP_EQUAL, _OWN_PROCESS, 0, 3),
            _instruction(_LOAD, _argument(signal_argument)),
            _instruction(_JUMP_EQUAL, _SIGKILL, 1, 0),
            _instruction(_RETURN, _ALLOW),
            _instruction(_RETURN, _error(errno.EPERM)),
        )
    )


def _u32(value: int) -> bytes:
    return struct.pack("<I", value)


def _if_one_of(argument: int, values: "tuple[int, ...]", *, otherwise: int) -> bytes:
    tests = [_instruction(_JUMP_EQUAL, value, len(values) - i, 0) for i, value in enumerate(values)]
    return b"".join(
        (
            _instruction(_LOAD, _argument(argument)),
            *tests,
            _instruction(_RETURN, otherwise),
            _instruction(_RETURN, _ALLOW),
        )
    )


def _a_harmless_fcntl() -> bytes:
    done = [_instruction(_JUMP_EQUAL, command, 0, 1) + _return_error(0) for command in _PRETENDED_FCNTLS]
    return b"".join(
        (
            _instruction(_LOAD, _argument(1)),
            *done,
            _if_one_of(1, _HARMLESS_FCNTLS, otherwise=_error(errno.EPERM)),
        )
    )


def _null(argument: int) -> bytes:
    """Allowed with a null pointer there: `prlimit64` then only reads limits, `sendto` has no address."""
    return b"".join(
        (
            _instruction(_LOAD, _argument(argument)),
            _instruction(_JUMP_EQUAL, 0, 0, 3),
            _instruction(_LOAD, _argument(argument, high=True)),
            _instruction(_JUMP_EQUAL, 0, 0, 1),
            _instruction(_RETURN, _ALLOW),
            _instruction(_RETURN, _error(errno.EPERM)),
        )
    )
