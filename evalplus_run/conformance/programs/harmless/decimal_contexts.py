# says: computes with decimals under contexts of its own
# promise: passes
import decimal
import fractions

decimal.getcontext().prec = 50
decimal.getcontext().rounding = decimal.ROUND_HALF_UP


def f(x):
    with decimal.localcontext() as context:
        context.prec = 5
        context.traps[decimal.Inexact] = False
        third = decimal.Decimal(1) / 3
    assert str(third) == "0.33333" and fractions.Fraction("0.5").limit_denominator(10) == 0.5
    return int(decimal.Decimal(x).fma(x, 1))
