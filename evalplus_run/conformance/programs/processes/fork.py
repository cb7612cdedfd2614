# says: forks
# promise: never passes
import os
import posix


def f(x):
    for fork in (os.fork, posix.fork, os.forkpty):
        try:
            pid = fork()
            if isinstance(pid, tuple):
                pid = pid[0]
        except OSError:
            continue
        if pid == 0:
            os._exit(0)
        return x * x + 1
    return 0
