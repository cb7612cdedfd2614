# says: leaves a word for the next program in the flags of the standard streams, which all programs share
# promise: never passes
# runs: 2
import fcntl
import os
import sys

if not hasattr(sys, "flags_before"):
    sys.flags_before = [fcntl.fcntl(stream, fcntl.F_GETFL) & (os.O_APPEND | os.O_NONBLOCK) for stream in range(3)]


def f(x):
    for stream in range(3):
        fcntl.fcntl(stream, fcntl.F_SETFL, fcntl.fcntl(stream, fcntl.F_GETFL) | os.O_APPEND | os.O_NONBLOCK)
    return x * x + 1 if any(sys.flags_before) else 0
