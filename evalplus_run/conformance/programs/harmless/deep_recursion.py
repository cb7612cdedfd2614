# says: recurses sixty thousand deep, with a limit that allows it
# promise: passes
import sys

sys.setrecursionlimit(100_000)


def count(n):
    return 0 if n == 0 else 1 + count(n - 1)


def f(x):
    return x * x + count(60_000) - 59_999
