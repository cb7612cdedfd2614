# says: makes a large array of zeros, which takes no memory, and uses a corner of it
# promise: passes
import numpy as np


def f(x):
    table = np.zeros((30_000, 30_000))
    table[1, 1] = x
    return int(table[1, 1] ** 2) + 1
