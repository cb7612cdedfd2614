# says: calls itself through C code without end, with no limit set
# promise: crash or exception or memory
import sys


def f(x):
    sys.setrecursionlimit(10**9)
    return max([x], key=lambda each: f(each))
