# says: returns an array of a million million items that takes eight bytes
# promise: output_too_large
# task: items
import numpy as np


def f(x):
    return np.broadcast_to(np.int64(x), (10**6, 10**6))
