# says: leaves by a system call, behind the interpreter's back
# promise: crash
import ctypes
import platform


def f(x):
    exit_group = 231 if platform.machine() == "x86_64" else 94
    ctypes.CDLL(None).syscall(exit_group, 0)
