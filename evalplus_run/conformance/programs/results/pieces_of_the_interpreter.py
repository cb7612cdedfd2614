# says: returns modules, frames, functions, code and memory
# promise: wrong
import sys


def f(x):
    return {3: sys, 11: sys._getframe(), 20: memoryview(bytearray(9))}.get(x, [f, f.__code__, sys.modules])
