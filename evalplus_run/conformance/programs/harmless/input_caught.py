# says: asks for input, and goes on without it
# promise: passes
import sys


def f(x):
    for ask in (input, sys.stdin.readline, sys.stdin.read):
        try:
            ask()
        except (EOFError, OSError):
            pass
    return x * x + 1
