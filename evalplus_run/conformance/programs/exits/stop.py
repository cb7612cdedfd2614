# says: stops itself, so that it neither ends nor goes on
# promise: timeout or exception
import os
import signal


def f(x):
    os.kill(os.getpid(), signal.SIGSTOP)
