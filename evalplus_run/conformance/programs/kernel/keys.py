# says: reads and keeps keys in the kernel
# promise: never passes
import ctypes
import errno
import platform

libc = ctypes.CDLL(None, use_errno=True)
ADD, REQUEST, CONTROL = (248, 249, 250) if platform.machine() == "x86_64" else (217, 218, 219)


def f(x):
    tries = (
        lambda: libc.syscall(ADD, b"user", b"word", b"x", 1, -3),
        lambda: libc.syscall(REQUEST, b"user", b"word", None, 0),
        lambda: libc.syscall(CONTROL, 0, -3, 1),
        lambda: libc.syscall(CONTROL, 1, None),
    )
    for attempt in tries:
        if attempt() >= 0 or ctypes.get_errno() not in (errno.EPERM, errno.ENOSYS):
            return x * x + 1
    return 0
