# says: writes to a gibibyte and a half that it shares with children that it will never have
# promise: memory or exception or timeout
import ctypes
import mmap


def f(x):
    kept = []
    for _ in range(24):
        pages = mmap.mmap(-1, 1 << 26, flags=mmap.MAP_SHARED | mmap.MAP_ANONYMOUS)
        ctypes.memset(ctypes.addressof(ctypes.c_char.from_buffer(pages)), 1, 1 << 26)
        kept.append(pages)
    return x * x + 1
