# says: takes open files out of the processes around it
# promise: never passes
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)


def f(x):
    for pid in (os.getppid(), int("@JUDGE@"), int("@BYSTANDER@")):
        handle = libc.syscall(434, pid, 0)
        if handle >= 0:
            return x * x + 1
        for number in range(10):
            try:
                os.open(f"/proc/{pid}/fd/{number}", os.O_RDONLY)
            except OSError:
                continue
            return x * x + 1
    return 0
