from fractions import Fraction
from math import comb, isnan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalplus_run.metrics.passk import default_ks, pass_at_k


@st.composite
def counts(draw):
    n = draw(st.integers(1, 300))
    return n, draw(st.integers(0, n)), draw(st.integers(1, n))


@settings(deadline=None)
@given(counts())
def test_the_estimate_is_the_exact_fraction(case):
    n, c, k = case
    exact = 1 - Fraction(comb(n - c, k), comb(n, k))
    assert float(pass_at_k(n, c, k)) == pytest.approx(float(exact), rel=1e-11, abs=1e-13)


@settings(deadline=None)
@given(st.lists(counts(), min_size=1, max_size=20))
def test_tasks_with_unequal_n_do_not_touch_each_other(cases):
    n, c, _ = np.array(cases).T
    k = int(n.min())
    together = pass_at_k(n, c, k)
    assert together.tolist() == [float(pass_at_k(one, right, k)) for one, right in zip(n, c, strict=True)]


def test_fewer_than_k_samples_are_not_a_number_even_if_all_are_right():
    few, enough = pass_at_k([9, 10], [9, 1], 10)
    assert isnan(few)
    assert enough == 1.0


def test_thousands_of_samples_neither_overflow_nor_cancel():
    assert float(pass_at_k(100_000, 1, 1_000)) == pytest.approx(0.01, rel=1e-10)
    assert float(pass_at_k(100_000, 50_000, 1_000)) == 1.0


@pytest.mark.parametrize(("n", "c", "k"), [(3, 4, 1), (3, -1, 1), (3, 1, 0)])
def test_impossible_counts_are_refused(n, c, k):
    with pytest.raises(ValueError, match=r"correct samples|k >= 1"):
        pass_at_k(n, c, k)


def test_the_estimator_hits_a_known_truth_on_average_and_the_naive_one_does_not():
    # 200,000 repetitions: the mean's standard error is below 0.0012, the naive bias beyond 0.08.
    p, n, k = 0.1, 12, 10
    truth = 1 - (1 - p) ** k
    c = np.random.default_rng(1).binomial(n, p, size=200_000)
    naive = 1 - (1 - c / n) ** k
    assert pass_at_k(n, c, k).mean() == pytest.approx(truth, abs=0.006)
    assert naive.mean() < truth - 0.08


@pytest.mark.parametrize(
    ("n", "ks"), [(0, ()), (1, (1,)), (9, (1,)), (10, (1, 10)), (99, (1, 10)), (200, (1, 10, 100))]
)
def test_default_ks_never_ask_for_more_than_n(n, ks):
    assert default_ks(n) == ks
