# says: loads programs into the kernel, and has it count and record
# promise: never passes
import ctypes
import errno
import platform

libc = ctypes.CDLL(None, use_errno=True)
X86 = platform.machine() == "x86_64"
CALLS = (321, 298, 312, 300) if X86 else (280, 241, 272, 262)


def f(x):
    for number in CALLS:
        if libc.syscall(number, 0, ctypes.create_string_buffer(128), 0, 0, 0) >= 0:
            return x * x + 1
        if ctypes.get_errno() not in (errno.EPERM, errno.ENOSYS):
            return x * x + 1
    return 0
