"""Landlock: which paths a process may still read and in which folder it may write; it connects and signals nowhere.

Source: the kernel's `Documentation/userspace-api/landlock.rst`, ABI 1 to 7. The three system calls have the
same numbers on every architecture.
"""

import ctypes
import os
import struct

from .libc import syscall

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION_FLAG = 1
_RULE_PATH_BENEATH = 1
_WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 1, 1 << 2, 1 << 3
_REMOVE_DIR, _REMOVE_FILE, _MAKE_DIR, _MAKE_FILE, _TRUNCATE = 1 << 4, 1 << 5, 1 << 7, 1 << 8, 1 << 14
_READ = _READ_FILE | _READ_DIR
_WRITE = _READ | _WRITE_FILE | _REMOVE_DIR | _REMOVE_FILE | _MAKE_DIR | _MAKE_FILE | _TRUNCATE
_OF_FILES = _READ_FILE | _WRITE_FILE | _TRUNCATE
# How many kinds of access to files each ABI knows: all are taken under control, so all that no rule allows is denied.
_FILE_ACCESS_BITS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
_TCP_BIND_AND_CONNECT = 3
_ABSTRACT_SOCKETS_AND_SIGNALS = 3


def abi() -> int:
    """The kernel's Landlock version; 0 where there is none."""
    try:
        return syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(_VERSION_FLAG))
    except OSError:
        return 0


def ruleset(*, readable: "list[str]", writable: "list[str]") -> int:
    """A file descriptor of rules under which only these paths, those that exist, can be read, or read and written.

    No links, pipes, sockets or devices are made anywhere, and nothing moves from one folder to another.
    """
    version = abi()
    known = (1 << _FILE_ACCESS_BITS[min(version, 5)]) - 1
    attributes = struct.pack(
        "QQQ",
        known,
        _TCP_BIND_AND_CONNECT if version >= 4 else 0,
        _ABSTRACT_SOCKETS_AND_SIGNALS if version >= 6 else 0,
    )
    size = 8 if version < 4 else 16 if version < 6 else 24
    rules = syscall(_CREATE_RULESET, ctypes.c_char_p(attributes), ctypes.c_size_t(size), ctypes.c_uint32(0))
    for path in readable:
        _allow(rules, path, _READ & known)
    for path in writable:
        _allow(rules, path, _WRITE & known)
    return rules


def restrict(rules: int) -> None:
    """Put this process under the rules for good; needs no_new_privs."""
    syscall(_RESTRICT_SELF, ctypes.c_int(rules), ctypes.c_uint32(0))


def _allow(rules: int, path: str, access: int) -> None:
    try:
        beneath = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    rule = struct.pack("=Qi", access if os.path.isdir(path) else access & _OF_FILES, beneath)
    try:
        syscall(
            _ADD_RULE,
            ctypes.c_int(rules),
            ctypes.c_int(_RULE_PATH_BENEATH),
            ctypes.c_char_p(rule),
            ctypes.c_uint32(0),
        )
    finally:
        os.close(beneath)
