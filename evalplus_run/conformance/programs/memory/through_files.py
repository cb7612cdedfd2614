# says: fills memory through a temporary file that it has mapped and deleted
# promise: never passes
import ctypes
import mmap
import os
import tempfile


def f(x):
    kept = []
    for _ in range(32):
        handle, name = tempfile.mkstemp()
        os.ftruncate(handle, 48 << 20)
        pages = mmap.mmap(handle, 48 << 20)
        os.unlink(name)
        os.close(handle)
        ctypes.memset(ctypes.addressof(ctypes.c_char.from_buffer(pages)), 1, 48 << 20)
        kept.append(pages)
    return x * x + 1
