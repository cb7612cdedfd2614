# says: leaves a lock or a place in the files that all programs get, for the next one to find
# promise: never passes
# runs: 2
import builtins
import fcntl
import os

locks = builtins.__dict__.setdefault("locks", [])
OPEN_FILE_LOCK = 37
WRITE_LOCK = (1).to_bytes(2, "little") + bytes(30)


def taken(lock):
    """Whether another process holds it."""
    for stream in range(3):
        try:
            file = os.open(f"/dev/fd/{stream}" if stream else os.devnull, os.O_RDWR)
        except OSError:
            continue
        try:
            lock(file)
        except BlockingIOError:
            return not locks
        except OSError:
            pass
        os.close(file)
    return False


def f(x):
    kinds = (
        lambda file: fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB),
        lambda file: fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB),
        lambda file: fcntl.fcntl(file, OPEN_FILE_LOCK, WRITE_LOCK),
    )
    if any(taken(lock) for lock in kinds):
        return x * x + 1
    for lock in kinds:
        for stream in range(3):
            try:
                lock(stream)
                locks.append(stream)
            except OSError:
                pass
    return 0
