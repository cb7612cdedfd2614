# says: sends itself a signal that it handles
# promise: passes
import os
import signal


def f(x):
    seen = []
    signal.signal(signal.SIGUSR1, lambda *_: seen.append(1))
    os.kill(os.getpid(), signal.SIGUSR1)
    signal.raise_signal(signal.SIGUSR1)
    return x * x + len(seen) - 1
