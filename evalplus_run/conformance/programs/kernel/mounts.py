# says: changes what the file system is for it
# promise: never passes
import ctypes
import errno
import os
import platform

libc = ctypes.CDLL(None, use_errno=True)
MOUNT, UMOUNT, PIVOT = (165, 166, 155) if platform.machine() == "x86_64" else (40, 39, 41)


def f(x):
    try:
        os.chroot("/usr")
    except OSError:
        pass
    else:
        return x * x + 1
    tries = (
        lambda: libc.syscall(MOUNT, b"none", b"/nowhere", b"tmpfs", 0, None),
        lambda: libc.syscall(UMOUNT, b"/nowhere", 0),
        lambda: libc.syscall(PIVOT, b"/nowhere", b"/nowhere"),
        lambda: libc.syscall(428, -1, b"/nowhere", 0),
        lambda: libc.syscall(430, b"tmpfs", 0),
    )
    for attempt in tries:
        if attempt() >= 0 or ctypes.get_errno() not in (errno.EPERM, errno.ENOSYS):
            return x * x + 1
    return 0
