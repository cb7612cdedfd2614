# says: has the kernel signal other processes about its files, its terminal and its timers
# promise: never passes
import ctypes
import fcntl
import os
import platform
import signal

libc = ctypes.CDLL(None, use_errno=True)


def f(x):
    readable, writable = os.pipe()
    reached = False
    for pid in (os.getppid(), int("@BYSTANDER@"), -os.getppid()):
        try:
            fcntl.fcntl(readable, fcntl.F_SETOWN, pid)
            fcntl.fcntl(readable, 10, signal.SIGKILL)
            fcntl.fcntl(readable, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)
            os.write(writable, b"x")
            reached = True
        except OSError:
            pass
        event = ctypes.create_string_buffer(64)
        event[8:16] = (signal.SIGKILL).to_bytes(4, "little") + (4).to_bytes(4, "little")
        timer_create = 222 if platform.machine() == "x86_64" else 107
        if libc.syscall(timer_create, 0, event, ctypes.create_string_buffer(8)) == 0:
            reached = True
    return x * x + 1 if reached else 0
