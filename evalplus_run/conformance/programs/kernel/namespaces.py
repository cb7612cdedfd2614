# says: enters namespaces in which it would be the master
# promise: never passes
import ctypes
import errno
import platform

libc = ctypes.CDLL(None, use_errno=True)
UNSHARE, SETNS = (272, 308) if platform.machine() == "x86_64" else (97, 268)


def f(x):
    new_user, new_pid, new_net, new_mount = 0x10000000, 0x20000000, 0x40000000, 0x00020000
    for flags in (new_user, new_user | new_pid, new_user | new_net | new_mount, new_mount):
        if libc.syscall(UNSHARE, flags) == 0:
            return x * x + 1
    if libc.syscall(SETNS, 3, 0) == 0 or ctypes.get_errno() != errno.EPERM:
        return x * x + 1
    return 0
