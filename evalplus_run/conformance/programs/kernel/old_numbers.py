# says: speaks to the kernel by the numbers of other architectures
# promise: never passes
import ctypes
import mmap
import platform

libc = ctypes.CDLL(None, use_errno=True)


def f(x):
    if platform.machine() != "x86_64":
        return 0
    # mov eax, 20 (getpid of 32 bits); int 0x80; ret
    pages = mmap.mmap(-1, 4096, prot=7)
    pages.write(bytes.fromhex("b814000000cd80c3"))
    call = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(pages)))
    return x * x + 1 if call() > 0 else 0
