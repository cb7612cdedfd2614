"""What of an estimate's uncertainty comes from drawing samples, and what from which tasks there are."""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evalplus_run.metrics.passk import pass_at_k


class Noise(NamedTuple):
    """Standard errors of a mean of pass@k over tasks."""

    sampling: float
    """From drawing samples again for the same tasks: gets less with more samples."""
    tasks: float
    """From drawing other tasks of the kind, were each task's pass@k known: gets less with more tasks only."""


def sampling_variance(samples: ArrayLike, correct: ArrayLike, k: int) -> NDArray[np.float64]:
    """The variance of each task's pass@k over draws of its samples, by the jackknife.

    For k = 1 that is c (n - c) / (n^2 (n - 1)), unbiased for p (1 - p) / n; for k > 1 it is on average not less than
    the true variance: of n - 1 samples by Efron & Stein 1981, "The Jackknife Estimate of Variance", and so of n, since
    n times the variance of such a mean over subsets falls with n (Hoeffding 1948, "A Class of Statistics with
    Asymptotically Normal Distribution"). NaN where n <= k: with one sample left out there is no estimate any more.

    One value a task; `samples` and `correct` as in `pass_at_k`.
    """
    n, c = np.broadcast_arrays(np.asarray(samples, dtype=np.int64), np.asarray(correct, dtype=np.int64))
    fewer = np.maximum(n - 1, 0)
    # Leaving out a sample gives one of two estimates: c times that without a right one, n - c times the other.
    without_right = pass_at_k(fewer, np.clip(c - 1, 0, fewer), k)
    without_wrong = pass_at_k(fewer, np.minimum(c, fewer), k)
    mean = (c * without_right + (n - c) * without_wrong) / np.maximum(n, 1)
    spread = c * (without_right - mean) ** 2 + (n - c) * (without_wrong - mean) ** 2
    variance: NDArray[np.float64] = spread * fewer / np.maximum(n, 1)
    return variance


def noise(samples: ArrayLike, correct: ArrayLike, k: int) -> Noise | None:
    """The two parts of the standard error of mean pass@k, from one pair of counts a task.

    The variance over tasks of the estimates is that of the tasks' true values and the mean sampling variance
    together (Miller 2024, "Adding Error Bars to Evals", arXiv:2411.00640, section 3). Where chance makes the second
    larger than the whole, nothing is left for the tasks: 0. None where the two cannot be told apart: a task with no
    more than k samples, or fewer than two tasks.
    """
    value = pass_at_k(samples, correct, k)
    within = sampling_variance(samples, correct, k)
    if value.size < 2 or np.isnan(within).any():
        return None
    sampling = float(within.mean()) / value.size
    whole = float(value.var(ddof=1)) / value.size
    return Noise(sqrt(sampling), sqrt(max(0.0, whole - sampling)))
