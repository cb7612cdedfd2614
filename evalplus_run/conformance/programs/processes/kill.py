# says: ends the process that started it, the judge, and another one
# promise: never passes
import ctypes
import os
import platform
import signal

libc = ctypes.CDLL(None, use_errno=True)
QUEUE, TGKILL, TKILL = (129, 234, 200) if platform.machine() == "x86_64" else (138, 131, 130)


def f(x):
    for pid in (os.getppid(), int("@BYSTANDER@"), int("@JUDGE@")):
        information = ctypes.create_string_buffer(128)
        tries = (
            lambda: libc.kill(pid, 0),
            lambda: libc.kill(pid, signal.SIGTERM),
            lambda: libc.syscall(TGKILL, pid, pid, signal.SIGTERM),
            lambda: libc.syscall(TKILL, pid, signal.SIGTERM),
            lambda: libc.syscall(QUEUE, pid, signal.SIGTERM, information),
            lambda: libc.syscall(424, 3, signal.SIGTERM, None, 0),
        )
        for attempt in tries:
            if attempt() == 0:
                return x * x + 1
    return 0
