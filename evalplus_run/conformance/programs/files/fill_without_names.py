# says: puts half a gibibyte into temporary files that have no name any more
# promise: never passes
import os
import tempfile


def f(x):
    kept = []
    for number in range(32):
        name = f"{tempfile.gettempdir()}/{number}"
        file = os.open(name, os.O_CREAT | os.O_RDWR)
        os.unlink(name)
        for _ in range(16):
            os.write(file, bytes(1 << 20))
        kept.append(file)
    return x * x + 1
