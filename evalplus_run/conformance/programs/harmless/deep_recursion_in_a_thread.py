# says: recurses deep in a thread with a stack of its own
# promise: passes
import sys
import threading

sys.setrecursionlimit(100_000)
threading.stack_size(64 << 20)


def count(n):
    return 0 if n == 0 else 1 + count(n - 1)


def f(x):
    found = []
    thread = threading.Thread(target=lambda: found.append(count(20_000)))
    thread.start()
    thread.join()
    return x * x + found[0] - 19_999
