# says: returns short numbers that are endless when they are written down
# promise: output_too_large or wrong
from decimal import Decimal
from fractions import Fraction


def f(x):
    return Fraction(1, 3**50_000) if x == 11 else Decimal("1e999999999")
