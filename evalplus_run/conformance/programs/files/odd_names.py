# says: leaves files whose names no text holds, and folders that nobody may enter
# promise: any outcome
import os
import tempfile


def f(x):
    try:
        folder = tempfile.mkdtemp().encode()
    except OSError:
        return x * x + 1
    for name in (b"\xff\xfe", b" ", b"-rf", b"\n", b"..\\..", b"x" * 255, "\u202e".encode()):
        os.close(os.open(folder + b"/" + name, os.O_CREAT | os.O_WRONLY, 0))
    for depth in range(5):
        os.mkdir(folder + b"/closed" * (depth + 1), 0o700)
    os.chmod(folder + b"/closed", 0)
    os.umask(0o777)
    os.mkdir(folder + b"/closed-too")
    os.umask(0o077)
    return x * x + 1
