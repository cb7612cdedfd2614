# says: decimals that are no number, and one that signals when it is compared
# promise: never passes
from decimal import Decimal


def f(x):
    return Decimal("sNaN") if x == 3 else Decimal("NaN")
