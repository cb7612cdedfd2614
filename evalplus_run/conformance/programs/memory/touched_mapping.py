# says: maps a gibibyte and a half and writes to every page
# promise: memory or exception or timeout
import ctypes
import mmap


def f(x):
    pages = mmap.mmap(-1, 3 << 29)
    start = ctypes.addressof(ctypes.c_char.from_buffer(pages))
    for offset in range(0, 3 << 29, 1 << 26):
        ctypes.memset(start + offset, 1, 1 << 26)
    return x * x + 1
