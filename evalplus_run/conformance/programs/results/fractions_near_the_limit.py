# says: returns lists of the longest fractions and decimals that may be sent
# promise: wrong or output_too_large
# task: items
from decimal import Decimal
from fractions import Fraction


def f(x):
    if x in (3, 20):
        return [Fraction(3**5000 + number, 7**2900) for number in range(400)]
    return [Decimal(f"{number}e1900") for number in range(1000)]
