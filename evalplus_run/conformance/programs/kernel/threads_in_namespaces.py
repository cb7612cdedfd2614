# says: starts threads, which is allowed, in namespaces of their own, which is not
# promise: never passes
import ctypes
import mmap
import platform
import struct

SHARED = 0x00000100 | 0x00000800 | 0x00010000  # CLONE_VM, CLONE_SIGHAND, CLONE_THREAD
NEW = (0x00020000, 0x02000000, 0x04000000, 0x08000000, 0x40000000)  # mounts, control groups, host name, IPC, network


def f(x):
    if platform.machine() != "x86_64":
        return 0
    pages = mmap.mmap(-1, 1 << 16, prot=7)
    start = ctypes.addressof(ctypes.c_char.from_buffer(pages))
    for flags in NEW:
        # clone on a stack of its own; there, exit at once
        code = b"\xbf" + struct.pack("<I", SHARED | flags) + b"\x48\xbe" + struct.pack("<Q", start + (1 << 15))
        code += bytes.fromhex("31d24d31d24d31c0b8380000000f0585c07509b83c00000031ff0f05c3")
        pages[: len(code)] = code
        if ctypes.CFUNCTYPE(ctypes.c_int)(start)() > 0:
            return x * x + 1
    return 0
