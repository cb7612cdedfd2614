# says: makes the page writable that the judge shares with it, and leaves a word there
# promise: never passes
# runs: 2
import ctypes
import gc
import mmap
import sys

libc = ctypes.CDLL(None, use_errno=True)


def views():
    yield from (each for each in gc.get_objects() if isinstance(each, (mmap.mmap, memoryview)))
    frame = sys._getframe()
    while frame:
        for value in list(frame.f_locals.values()):
            for cell in getattr(value, "__closure__", None) or ():
                if isinstance(cell.cell_contents, (mmap.mmap, memoryview)):
                    yield cell.cell_contents
        frame = frame.f_back


class Buffer(ctypes.Structure):
    _fields_ = (("start", ctypes.c_void_p), ("object", ctypes.py_object), ("rest", ctypes.c_char * 100))


def address(view):
    buffer = Buffer()
    if ctypes.pythonapi.PyObject_GetBuffer(ctypes.py_object(view), ctypes.byref(buffer), 0):
        return None
    return buffer.start


def f(x):
    for view in views():
        start = address(view)
        if start is None or start % mmap.PAGESIZE:
            continue
        if ctypes.string_at(start + 64, 4) == b"word":
            return x * x + 1
        if libc.mprotect(ctypes.c_void_p(start), ctypes.c_size_t(mmap.PAGESIZE), 3) == 0:
            ctypes.memmove(start + 64, b"word", 4)
            ctypes.memmove(start, b"\xff\xff\xff\x7f", 4)
    return 0
