# says: makes files without a name, which could be filled, executed or passed on
# promise: never passes
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)


def f(x):
    tries = (
        lambda: os.memfd_create("word"),
        lambda: libc.syscall(447, 0) if libc.syscall(447, 0) >= 0 else os.open("/nowhere", 0),
        lambda: os.open("/tmp", os.O_TMPFILE | os.O_RDWR),
        lambda: os.open("/dev/shm", os.O_TMPFILE | os.O_RDWR),
        lambda: os.open("@FOLDER@", os.O_TMPFILE | os.O_RDWR),
    )
    for attempt in tries:
        try:
            attempt()
        except OSError:
            continue
        return x * x + 1
    return 0
