# says: numpy arrays of objects that equal everything, and a kind of array that says so of itself
# promise: never passes
# task: items
import numpy as np


class Agreeable(np.ndarray):
    def __eq__(self, other):
        return True

    def tolist(self):
        return [3, 4, 6]

    def __array_function__(self, *_, **__):
        return True

    def __array_ufunc__(self, *_, **__):
        return True


class Same:
    def __eq__(self, other):
        return True

    def __sub__(self, other):
        return 0

    __rsub__ = __sub__


def f(x):
    if x == 3:
        return np.array([Same(), Same(), Same()], dtype=object)
    return np.zeros(3, dtype=int).view(Agreeable)
