# says: ends the group of processes that it belongs to
# promise: never passes
import os
import signal


def f(x):
    tries = (
        lambda: os.killpg(0, signal.SIGKILL),
        lambda: os.killpg(os.getppid(), signal.SIGTERM),
        lambda: os.kill(0, signal.SIGTERM),
        lambda: os.kill(-os.getppid(), signal.SIGTERM),
    )
    for attempt in tries:
        try:
            attempt()
        except OSError:
            continue
        return x * x + 1
    return 0
