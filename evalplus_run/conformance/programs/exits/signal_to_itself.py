# says: sends itself the signals that end, stop or dump a process
# promise: crash or exception or timeout
import os
import signal


def f(x):
    for number in (signal.SIGKILL, signal.SIGSTOP, signal.SIGSEGV):
        try:
            os.kill(os.getpid(), number)
        except OSError:
            signal.raise_signal(number)
    return 0
