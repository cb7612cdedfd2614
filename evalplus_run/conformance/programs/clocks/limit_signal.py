# says: ignores the signal that tells of the end of its time, and computes on
# promise: timeout
import signal

signal.signal(signal.SIGXCPU, signal.SIG_IGN)
signal.signal(signal.SIGPROF, lambda *_: f(0))


def f(x):
    signal.setitimer(signal.ITIMER_PROF, 0.05, 0.05)
    try:
        return sum(iter(int, 1))
    except RecursionError:
        return f(x)
