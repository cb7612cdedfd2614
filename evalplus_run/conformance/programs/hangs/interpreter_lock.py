# says: sleeps in C code while it holds the interpreter's lock, so that no other thread runs
# promise: timeout
import ctypes


def f(x):
    ctypes.PyDLL(None).sleep(600)
