"""95 % intervals of a mean over tasks, for tasks taken as a sample of those the benchmark stands for."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike

from evalplus_run.metrics import student

_UPPER = 0.975
"""The quantile that leaves 2.5 % on each side."""

WILSON = "Wilson"
BY_TASK = "Agresti-Coull over tasks"


def wilson(passed: int, tasks: int) -> tuple[float, float]:
    """The Wilson score interval of the proportion `passed / tasks`, for one sample a task.

    Wilson 1927, "Probable Inference, the Law of Succession, and Statistical Inference"; recommended for
    proportions by Brown, Cai & DasGupta 2001, "Interval Estimation for a Binomial Proportion". NaN for no tasks.
    """
    if tasks == 0:
        return float("nan"), float("nan")
    z = NormalDist().inv_cdf(_UPPER)
    rate = passed / tasks
    centre = (rate + z * z / (2 * tasks)) / (1 + z * z / tasks)
    half = z / (1 + z * z / tasks) * sqrt(rate * (1 - rate) / tasks + z * z / (4 * tasks * tasks))
    return _around(rate, centre - half, centre + half)


def by_task(values: ArrayLike) -> tuple[float, float]:
    """The interval of the mean of one value a task, each between 0 and 1 (pass@k of that task).

    Tasks are the independent units, so the spread between them holds both what differs from task to task and
    the noise of sampling (Miller 2024, "Adding Error Bars to Evals", arXiv:2411.00640). The plain t interval
    collapses where nearly all tasks have the same value. So q^2/2 tasks of value 1 and as many of value 0 are
    added before it is taken, q being the t quantile for T - 1 degrees of freedom: on values 0 and 1 this is
    the interval of Agresti & Coull 1998, "Approximate is Better than 'Exact' for Interval Estimation of Binomial
    Proportions", here carried over to values in between (coverage by simulation: tests/metrics). It always
    contains the mean. One task says nothing about others: [0, 1]. NaN for no tasks or a value that is NaN.
    """
    value = np.asarray(values, dtype=np.float64)
    if value.size == 0 or np.isnan(value).any():
        return float("nan"), float("nan")
    if value.size == 1:
        return 0.0, 1.0
    q = student.quantile(_UPPER, value.size - 1)
    total = value.size + q * q
    centre = float(value.sum() + q * q / 2) / total
    variance = float(((value - centre) ** 2).sum() + q * q / 2 * (centre**2 + (1 - centre) ** 2)) / total
    half = q * sqrt(variance / total)
    return _around(float(value.mean()), centre - half, centre + half)


def _around(value: float, low: float, high: float) -> tuple[float, float]:
    """The interval inside [0, 1] and, against rounding, around the value."""
    return max(0.0, min(low, value)), min(1.0, max(high, value))
