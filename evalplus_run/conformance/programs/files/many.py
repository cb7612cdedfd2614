# says: makes a hundred thousand temporary files
# promise: never passes
import os
import tempfile


def f(x):
    folder = tempfile.mkdtemp()
    for number in range(100_000):
        os.close(os.open(f"{folder}/{number}", os.O_CREAT | os.O_WRONLY))
    return x * x + 1
