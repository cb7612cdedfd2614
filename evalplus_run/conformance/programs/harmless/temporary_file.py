# says: keeps its work in temporary files
# promise: passes
# not in: seccomp-only
import os
import tempfile


def f(x):
    with tempfile.TemporaryFile("w+") as file:
        file.write(str(x * x))
        file.seek(0)
        number = int(file.read())
    with tempfile.NamedTemporaryFile(suffix=".txt") as file:
        file.write(b"1")
        file.flush()
        number += os.path.getsize(file.name)
    with tempfile.SpooledTemporaryFile(max_size=10) as file:
        file.write(bytes(1000))
    return number
