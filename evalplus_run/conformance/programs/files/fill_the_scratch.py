# says: puts half a gibibyte into temporary files
# promise: never passes
import tempfile


def f(x):
    kept = []
    for _ in range(32):
        file = tempfile.NamedTemporaryFile(buffering=0)
        for _ in range(16):
            file.write(bytes(1 << 20))
        kept.append(file)
    return x * x + 1
