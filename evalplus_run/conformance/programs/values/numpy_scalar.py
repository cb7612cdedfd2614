# says: a numpy number that gives itself out for another dtype and another value
# promise: never passes
import numpy as np


class Fickle(np.float64):
    @property
    def dtype(self):
        return np.dtype("int64")

    def item(self):
        return 10

    def __eq__(self, other):
        return np.True_

    __hash__ = np.float64.__hash__


def f(x):
    return Fickle(0)
