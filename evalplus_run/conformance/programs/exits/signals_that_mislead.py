# says: ends itself by the signals that the system sends for want of memory or time
# promise: never passes
import os
import signal
import threading


def f(x):
    signal.signal(signal.SIGXCPU, signal.SIG_DFL)
    if x == 3:
        os.kill(os.getpid(), signal.SIGXCPU)
    try:
        os.kill(os.getpid(), signal.SIGKILL)
    except OSError:
        signal.pthread_kill(threading.get_ident(), signal.SIGKILL)
    return 0
