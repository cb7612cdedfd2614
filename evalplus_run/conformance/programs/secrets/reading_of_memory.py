# says: asks the kernel for the memory of its parent and of the judge
# promise: never passes
import ctypes
import errno
import os

libc = ctypes.CDLL(None, use_errno=True)


class Piece(ctypes.Structure):
    _fields_ = (("start", ctypes.c_void_p), ("length", ctypes.c_size_t))


def f(x):
    buffer = ctypes.create_string_buffer(64)
    for call in (libc.process_vm_readv, libc.process_vm_writev):
        for pid in (os.getppid(), int("@JUDGE@"), int("@BYSTANDER@")):
            here = Piece(ctypes.addressof(buffer), 64)
            there = Piece(id(f), 64)
            done = call(pid, ctypes.byref(here), ctypes.c_ulong(1), ctypes.byref(there), ctypes.c_ulong(1), 0)
            if done >= 0 or ctypes.get_errno() == errno.EFAULT:
                return x * x + 1
    return 0
