# says: returns numpy's numbers
# promise: passes
import numpy as np


def f(x):
    return np.int64(x) ** 2 + np.int64(1) if x != 11 else np.sum(np.full(x, x)) + np.uint8(1)
