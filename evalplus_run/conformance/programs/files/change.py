# says: changes, moves, cuts and deletes the benchmark's file, and what belongs to it
# promise: any outcome
import os


def f(x):
    tries = (
        lambda: os.chmod("@BENCHMARK@", 0o777),
        lambda: os.chmod("@FOLDER@", 0o777),
        lambda: os.utime("@BENCHMARK@", (0, 0)),
        lambda: os.setxattr("@BENCHMARK@", "user.word", b"x"),
        lambda: os.chown("@BENCHMARK@", 1, 1),
        lambda: os.truncate("@BENCHMARK@", 0),
        lambda: os.open("@BENCHMARK@", os.O_TRUNC),
        lambda: os.rename("@BENCHMARK@", "@FOLDER@/other"),
        lambda: os.unlink("@BENCHMARK@"),
        lambda: os.rename("@FOLDER@/stream", "@FOLDER@/other"),
    )
    for attempt in tries:
        try:
            attempt()
        except OSError:
            pass
    return x * x + 1
