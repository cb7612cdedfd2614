"""System calls that Python's `os` does not offer, through ctypes."""

import ctypes
import os
import struct

_LIBC = ctypes.CDLL(None, use_errno=True)
_SYSCALL = _LIBC.syscall
_SYSCALL.restype = ctypes.c_long
_PRCTL = _LIBC.prctl
_PRCTL.argtypes = (ctypes.c_int, *(ctypes.c_ulong,) * 4)

_MACHINE = os.uname().machine.lower()
MACHINE = {"amd64": "x86_64", "arm64": "aarch64"}.get(_MACHINE, _MACHINE)

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_NO_NEW_PRIVS = 1, 4, 38
_CAPSET = {"x86_64": 126, "aarch64": 91}
_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}
_CAPABILITIES_OF_64_BITS = 0x20080522
_OF_THIS_PROCESS = (ctypes.c_uint32 * 2)(_CAPABILITIES_OF_64_BITS, 0)
_NO_CAPABILITIES = (ctypes.c_uint32 * 6)()
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REMOUNT, MS_NOATIME = 1, 2, 4, 8, 32, 1024
MS_BIND, MS_REC = 4096, 16384
_UNMOUNT_BUSY = 2
_MOUNT_SETATTR, _OF_THE_WORKING_FOLDER, _RECURSIVE, _ATTRIBUTE_RDONLY = 442, -100, 0x8000, 1


def syscall(number: int, *arguments: object) -> int:
    """Call the kernel; OSError with the call's number where it refuses."""
    result = _SYSCALL(ctypes.c_long(number), *arguments)
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{os.strerror(code)} (system call {number})")
    return int(result)


def prctl(option: int, value: int) -> None:
    """Set a property of this process; OSError where the kernel refuses."""
    if _PRCTL(option, value, 0, 0, 0):
        code = ctypes.get_errno()
        raise OSError(code, f"{os.strerror(code)} (prctl {option})")


def unshare(flags: int) -> None:
    """Enter new namespaces; OSError where the kernel or a container's profile refuses."""
    if _LIBC.unshare(ctypes.c_int(flags)):
        code = ctypes.get_errno()
        raise OSError(code, f"{os.strerror(code)} (unshare)")


def mount(source: str, target: str, kind: str, flags: int, data: str = "") -> None:
    """Mount a file system in this mount namespace; OSError where the kernel refuses."""
    if _LIBC.mount(source.encode(), target.encode(), kind.encode(), ctypes.c_ulong(flags), data.encode()):
        code = ctypes.get_errno()
        raise OSError(code, f"{os.strerror(code)} (mount {target})")


def set_read_only(target: str, *, recursive: bool = False, writable: bool = False) -> None:
    """What is mounted there, and with `recursive` below it, is read-only, or `writable` again, in this namespace."""
    attributes = struct.pack("QQQQ", *((0, _ATTRIBUTE_RDONLY) if writable else (_ATTRIBUTE_RDONLY, 0)), 0, 0)
    syscall(
        _MOUNT_SETATTR,
        ctypes.c_int(_OF_THE_WORKING_FOLDER),
        ctypes.c_char_p(target.encode()),
        ctypes.c_uint(_RECURSIVE if recursive else 0),
        ctypes.c_char_p(attributes),
        ctypes.c_size_t(len(attributes)),
    )


def pivot_root(new: str, old: str) -> None:
    """Make `new` this process's root, with the one before it at `old`; OSError where the kernel refuses."""
    syscall(_PIVOT_ROOT[MACHINE], ctypes.c_char_p(new.encode()), ctypes.c_char_p(old.encode()))


def unmount(target: str) -> None:
    """Take a mount away as soon as nothing uses it any more; OSError where the kernel refuses."""
    if _LIBC.umount2(target.encode(), ctypes.c_int(_UNMOUNT_BUSY)):
        code = ctypes.get_errno()
        raise OSError(code, f"{os.strerror(code)} (umount {target})")


def drop_capabilities() -> None:
    """Give up root's powers, those within a user namespace too, for good: no exec can bring them back."""
    syscall(_CAPSET[MACHINE], _OF_THIS_PROCESS, _NO_CAPABILITIES)
