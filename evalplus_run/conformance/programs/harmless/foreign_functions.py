# says: calls functions of the C library
# promise: passes
import ctypes
import ctypes.util


def f(x):
    libc = ctypes.CDLL(None)
    libc.labs.restype = ctypes.c_long
    buffer = ctypes.create_string_buffer(b"word")
    assert libc.strlen(buffer) == 4 and ctypes.sizeof(ctypes.c_int) == 4
    return x * x + libc.labs(ctypes.c_long(-1))
