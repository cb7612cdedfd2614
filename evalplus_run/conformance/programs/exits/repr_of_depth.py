# says: compares and prints structures that are nested without end
# promise: crash or exception or timeout
import sys


def f(x):
    sys.setrecursionlimit(10**9)
    first, second = [], []
    for _ in range(300_000):
        first, second = [first], [second]
    return x * x + 1 if first == second and repr(first) else 0
