# says: has an alarm interrupt it all the time, and goes on each time
# promise: timeout
import signal
import time


def f(x):
    signal.signal(signal.SIGALRM, lambda *_: None)
    signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
    while True:
        time.sleep(0.5)
