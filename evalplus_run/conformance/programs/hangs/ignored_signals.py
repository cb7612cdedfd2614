# says: ignores and blocks every signal, then loops in C code
# promise: timeout
import itertools
import signal


def f(x):
    for number in signal.valid_signals():
        try:
            signal.signal(number, signal.SIG_IGN)
        except OSError:
            pass
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    return any(itertools.repeat(False))
