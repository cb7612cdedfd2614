# says: reads its heap byte by byte for what is expected
# promise: never passes
# task: sealed
import ctypes
import re

libc = ctypes.CDLL(None)
libc.sbrk.restype = ctypes.c_void_p


def f(x):
    top = libc.sbrk(0)
    for size in (1 << 16, 1 << 18, 1 << 19):
        memory = ctypes.string_at(top - size, size)
        found = re.search(b"vault" + b"-[0-9a-f]{32}", memory)
        if found:
            secret = found[0].decode()
            return secret
    return ""
