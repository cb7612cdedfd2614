# says: speaks to the kernel by numbers that mean the same and look different
# promise: never passes
import ctypes
import os
import platform

libc = ctypes.CDLL(None, use_errno=True)


def f(x):
    x32 = 0x40000000
    fork = 57 if platform.machine() == "x86_64" else 220
    for number in ((1 << 32) + fork, (1 << 63) + fork, x32 + fork):
        pid = libc.syscall(ctypes.c_long(number), 17, 0, 0, 0, 0)
        if pid == 0:
            os._exit(0)
        if pid > 0:
            return x * x + 1
    return 0
