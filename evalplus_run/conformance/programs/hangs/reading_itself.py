# says: reads from a pipe into which only it could write
# promise: timeout
import os


def f(x):
    readable, _ = os.pipe()
    return len(os.read(readable, 1))
