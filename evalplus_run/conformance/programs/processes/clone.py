# says: makes processes by the system calls below fork
# promise: never passes
import ctypes
import os
import platform
import struct

libc = ctypes.CDLL(None, use_errno=True)
CLONE, VFORKLIKE = (56, 57) if platform.machine() == "x86_64" else (220, 220)
CLONE_PARENT, SIGCHLD = 0x00008000, 17


def f(x):
    wide = struct.pack("<11Q", 0, 0, 0, 0, SIGCHLD, *[0] * 6)
    tries = (
        lambda: libc.syscall(CLONE, SIGCHLD, 0, 0, 0, 0),
        lambda: libc.syscall(CLONE, SIGCHLD | CLONE_PARENT, 0, 0, 0, 0),
        lambda: libc.syscall(ctypes.c_long((1 << 32) + CLONE), SIGCHLD, 0, 0, 0, 0),
        lambda: libc.syscall(VFORKLIKE, SIGCHLD, 0, 0, 0, 0),
        lambda: libc.syscall(435, wide, len(wide)),
    )
    for attempt in tries:
        pid = attempt()
        if pid == 0:
            os._exit(0)
        if pid > 0:
            return x * x + 1
    return 0
