from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalplus_run.metrics.noise import noise, sampling_variance
from evalplus_run.metrics.passk import pass_at_k


@settings(deadline=None)
@given(st.integers(2, 60).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n), st.integers(1, n - 1))))
def test_the_closed_form_is_the_jackknife_done_by_hand(case):
    n, c, k = case
    left_out = np.array([float(pass_at_k(n - 1, c - (one < c), k)) for one in range(n)])
    by_hand = (n - 1) / n * ((left_out - left_out.mean()) ** 2).sum()
    assert float(sampling_variance(n, c, k)) == pytest.approx(by_hand, abs=1e-12)


def test_for_one_draw_it_is_unbiased():
    rng = np.random.default_rng(1)
    correct = rng.binomial(10, 0.3, 200_000)
    assert sampling_variance(np.full(correct.size, 10), correct, 1).mean() == pytest.approx(0.3 * 0.7 / 10, rel=0.01)


@pytest.mark.parametrize(("n", "k", "rate"), [(20, 5, 0.1), (20, 10, 0.1), (200, 100, 0.01)])
def test_for_more_draws_it_is_not_less_than_the_truth_and_not_far_from_it(n, k, rate):
    rng = np.random.default_rng(2)
    correct = rng.binomial(n, rate, 100_000)
    truth = pass_at_k(n, correct, k).var()
    assert truth * 0.98 <= sampling_variance(n, correct, k).mean() <= truth * 1.5


def test_both_parts_are_found_again_in_a_simulation():
    rng = np.random.default_rng(3)
    rates = rng.beta(0.5, 0.5, (400, 164))
    found = [noise(np.full(164, 8), rng.binomial(8, row), 1) for row in rates]
    # Beta(1/2, 1/2) has variance 1/8, and E[p (1 - p)] is 1/8 too.
    assert np.mean([one.sampling**2 for one in found]) == pytest.approx(1 / 8 / 8 / 164, rel=0.02)
    assert np.mean([one.tasks**2 for one in found]) == pytest.approx(1 / 8 / 164, rel=0.02)


def test_more_samples_leave_the_tasks_part_alone():
    rng = np.random.default_rng(4)
    rates = rng.beta(0.5, 0.5, 2_000)
    few, many = (noise(np.full(2_000, n), rng.binomial(n, rates), 1) for n in (4, 400))
    assert many.sampling < few.sampling / 8
    assert many.tasks == pytest.approx(few.tasks, rel=0.1)


def test_tasks_that_differ_by_chance_alone_have_no_part_of_their_own():
    rng = np.random.default_rng(5)
    found = noise(np.full(5_000, 10), rng.binomial(10, 0.5, 5_000), 1)
    assert found.tasks < 0.3 * found.sampling
    assert found.sampling == pytest.approx(sqrt(0.25 / 10 / 5_000), rel=0.02)


@pytest.mark.parametrize(
    ("samples", "correct", "k"), [([1, 1, 1], [1, 0, 1], 1), ([10, 9], [3, 3], 9), ([5], [2], 1), ([], [], 1)]
)
def test_what_cannot_be_told_apart_is_not_told(samples, correct, k):
    assert noise(samples, correct, k) is None
