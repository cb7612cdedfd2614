# says: becomes another user, or takes privileges
# promise: never passes
import ctypes
import errno
import os
import platform

libc = ctypes.CDLL(None, use_errno=True)
CAPSET = 126 if platform.machine() == "x86_64" else 91


def f(x):
    tries = (
        lambda: os.setuid(1),
        lambda: os.setresgid(0, 0, 0),
        lambda: os.setgroups([0]),
        lambda: os.seteuid(65534),
    )
    for attempt in tries:
        try:
            attempt()
        except OSError:
            continue
        return x * x + 1
    if libc.syscall(CAPSET, None, None) == 0 or ctypes.get_errno() != errno.EPERM:
        return x * x + 1
    return 0
