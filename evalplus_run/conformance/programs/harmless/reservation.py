# says: reserves six gibibytes and touches a page of them
# promise: passes
import mmap


def f(x):
    reserved = mmap.mmap(-1, 6 << 30)
    reserved[:4] = b"word"
    return x * x + (reserved[:4] == b"word")
