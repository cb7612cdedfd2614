# says: gives itself a time limit with an alarm, as some programs do
# promise: passes
import signal


def late(*_):
    raise TimeoutError


def f(x):
    signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, 0.02)
    try:
        while True:
            pass
    except TimeoutError:
        pass
    signal.setitimer(signal.ITIMER_REAL, 30)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    return x * x + 1
