# says: makes a process that shares its memory until it ends
# promise: never passes
import ctypes
import platform


def f(x):
    if platform.machine() != "x86_64":
        return 0
    # mov eax, 58; syscall; test eax, eax; jnz out; mov eax, 60; xor edi, edi; syscall; out: ret
    code = bytes.fromhex("b83a0000000f0585c07509b83c00000031ff0f05c3")
    pages = __import__("mmap").mmap(-1, 4096, prot=7)
    pages.write(code)
    call = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(pages)))
    return x * x + 1 if call() > 0 else 0
