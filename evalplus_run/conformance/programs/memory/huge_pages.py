# says: asks for large pages, which fill the machine faster than it can be looked at
# promise: memory or exception or timeout
import ctypes
import mmap


def f(x):
    pages = mmap.mmap(-1, 3 << 29)
    pages.madvise(mmap.MADV_HUGEPAGE)
    start = ctypes.addressof(ctypes.c_char.from_buffer(pages))
    ctypes.memset(start, 1, 3 << 29)
    return x * x + 1
