"""The unbiased estimator of pass@k."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

_DEFAULT_KS = (1, 10, 100)


def default_ks(n: int) -> tuple[int, ...]:
    """Those of 1, 10 and 100 that `n` samples for each task can estimate; EvalPlus's choice."""
    return tuple(k for k in _DEFAULT_KS if k <= n)


def pass_at_k(samples: ArrayLike, correct: ArrayLike, k: int) -> NDArray[np.float64]:
    """The probability, for each task, that at least one of k samples passes.

    1 - C(n - c, k) / C(n, k) with n samples of which c are correct: unbiased for 1 - (1 - p)^k when the
    samples are independent (Chen et al. 2021, "Evaluating Large Language Models Trained on Code",
    arXiv:2107.03374, section 2.1). Computed as a product of k factors between 0 and 1, so nothing overflows
    or cancels. NaN where n < k: an estimate from fewer than k samples does not exist.

    `samples` and `correct` are whole numbers, one for each task (any shapes that broadcast). Raises ValueError
    for k < 1 and for counts that are not 0 <= c <= n.
    """
    n, c = np.broadcast_arrays(np.asarray(samples, dtype=np.int64), np.asarray(correct, dtype=np.int64))
    if k < 1:
        raise ValueError(f"pass@k needs k >= 1, not {k}")
    if ((c < 0) | (c > n)).any():
        raise ValueError("correct samples must lie between 0 and the number of samples")
    all_fail = np.ones(n.shape)
    for drawn in range(k):
        all_fail *= np.maximum(n - c - drawn, 0) / np.maximum(n - drawn, 1)
    return np.where(n >= k, 1.0 - all_fail, np.nan)
