# says: makes a file that is larger than any disk
# promise: never passes
import os
import tempfile


def f(x):
    with tempfile.TemporaryFile() as file:
        os.ftruncate(file.fileno(), 1 << 42)
        return x * x + 1
