# says: writes to where no memory is
# promise: crash
import ctypes


def f(x):
    ctypes.memset(8, 0, 8)
