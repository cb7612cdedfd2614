"""Quantiles of Student's t distribution, for whole degrees of freedom: a library that has them takes longer to load
than hundreds of samples take to judge."""

from __future__ import annotations

from math import atan, cos, exp, lgamma, log1p, pi, sin, sqrt
from statistics import NormalDist

_STEPS = 100
_EXACT = 1e-13


def quantile(p: float, freedom: int) -> float:
    """The value below which a variable of so many degrees of freedom (1 or more) falls with probability `p`, above 1/2.

    Newton's method on `within`, which is concave there, so that the steps from below never go too far.
    """
    value = NormalDist().inv_cdf(p)  # less than what is sought: a t variable has heavier tails
    for _ in range(_STEPS):
        step = (2 * p - 1 - within(value, freedom)) / (2 * _density(value, freedom))
        value += step
        if abs(step) <= _EXACT * value:
            break
    return value


def within(value: float, freedom: int) -> float:
    """The probability of a variable between `-value` and `value`: Abramowitz & Stegun 26.7.3 and 26.7.4."""
    angle = atan(value / sqrt(freedom))
    square = cos(angle) ** 2
    is_odd = freedom % 2
    term = cos(angle) if is_odd else 1.0
    total = term if freedom > 1 else 0.0
    for k in range(2 + is_odd, freedom - 1, 2):
        term *= square * (k - 1) / k
        total += term
    return 2 / pi * (angle + sin(angle) * total) if is_odd else sin(angle) * total


def _density(value: float, freedom: int) -> float:
    scale = lgamma((freedom + 1) / 2) - lgamma(freedom / 2)
    return exp(scale - (freedom + 1) / 2 * log1p(value * value / freedom)) / sqrt(freedom * pi)
