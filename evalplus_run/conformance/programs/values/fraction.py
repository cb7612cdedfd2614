# says: a fraction whose parts are read once as this and once as that
# promise: never passes
# task: ratio
from fractions import Fraction


class Loose(Fraction):
    @property
    def numerator(self):
        return 3

    @property
    def denominator(self):
        return 7

    def __eq__(self, other):
        return True

    __hash__ = None


def f(x):
    return Loose(99, 2)
