# says: prints and reads numbers of ten thousand digits
# promise: passes
import math


def f(x):
    digits = str(10**10_000 + 1)
    assert int(digits) % 10 == 1 and math.factorial(500) % 7 == 0 and pow(3, -1, 7) == 5
    return x * x + len(digits) - 10_000
