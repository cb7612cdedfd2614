# says: puts further filters and rules upon itself, to answer its own system calls
# promise: never passes
import ctypes
import errno
import platform

libc = ctypes.CDLL(None, use_errno=True)
SECCOMP = 317 if platform.machine() == "x86_64" else 277


def f(x):
    new_listener = 8
    tries = (
        lambda: libc.syscall(SECCOMP, 1, new_listener, None),
        lambda: libc.syscall(SECCOMP, 0, 0, None),
        lambda: libc.prctl(22, 1, 0, 0, 0),
        lambda: libc.syscall(444, None, 0, 1),
        lambda: libc.syscall(446, -1, 0),
    )
    for attempt in tries:
        if attempt() >= 0 or ctypes.get_errno() not in (errno.EPERM, errno.ENOSYS):
            return x * x + 1
    return 0
