# says: lets an alarm end it
# promise: crash
import signal
import time


def f(x):
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, 0.01)
    time.sleep(0.5)
