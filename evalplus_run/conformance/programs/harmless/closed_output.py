# says: closes its standard streams
# promise: passes
import os
import sys


def f(x):
    sys.stdout.close()
    if sys.stderr:
        sys.stderr = None
        os.close(2)
    return x * x + 1
