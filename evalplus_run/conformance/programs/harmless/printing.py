# says: prints megabytes, to every stream
# promise: passes
import os
import sys

print("x" * 1_000_000)


def f(x):
    for _ in range(3):
        print("a line\n" * 100_000, flush=True)
        sys.stderr.write("y" * 1_000_000)
        sys.stdout.buffer.write(b"z" * 1_000_000)
        sys.stdout.buffer.flush()
        sys.__stdout__.writelines(["word"] * 1000)
        os.write(1, b"w" * 1_000_000)
    return x * x + 1
