# says: returns a fraction that is the number
# promise: passes
from fractions import Fraction


def f(x):
    return Fraction(2 * x * x + 2, 2)
