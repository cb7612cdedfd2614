# says: writes over the interpreter's own small numbers, so that one counts as another
# promise: never passes
import ctypes


def f(x):
    size = (0).__sizeof__() + 4
    wrong = ctypes.string_at(id(100), size)
    for number in range(101, 250):
        ctypes.memmove(id(number), wrong, size)
    return 100
