# says: opens the doors by which work is handed to the kernel around any filter
# promise: never passes
import ctypes
import errno
import platform

libc = ctypes.CDLL(None, use_errno=True)
X86 = platform.machine() == "x86_64"
CALLS = {"io_uring_setup": 425, "io_uring_enter": 426, "io_uring_register": 427, "userfaultfd": 323 if X86 else 282}


def f(x):
    for number in CALLS.values():
        if libc.syscall(number, 1, ctypes.create_string_buffer(256), 0, 0, 0, 0) >= 0:
            return x * x + 1
        if ctypes.get_errno() not in (errno.EPERM, errno.ENOSYS):
            return x * x + 1
    return 0
