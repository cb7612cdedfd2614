from math import isnan, nan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from evalplus_run.metrics.paired import BOOTSTRAP, MCNEMAR, bootstrap, compare, holm, holm_level

RUNS = 250


def drawn(rng, tasks, n, *, shift=0.0):
    """Two runs whose rates differ from task to task, and on average by `shift`."""
    first = rng.beta(0.6, 0.6, tasks)
    other = np.clip(first + rng.normal(0, 0.15, tasks), 0, 1)
    swapped = rng.random(tasks) < 0.5
    rates = np.where(swapped, other, first), np.where(swapped, first, other)
    return [
        (np.full(tasks, n), rng.binomial(n, np.clip(rate * (1 - shift * place), 0, 1)))
        for place, rate in enumerate(rates)
    ]


@pytest.mark.parametrize("tasks", [10, 20, 164])
@pytest.mark.parametrize("n", [1, 4, 20])
def test_equal_models_are_told_apart_in_one_of_twenty_at_most(tasks, n):
    rng = np.random.default_rng(11)
    found = [compare(*drawn(rng, tasks, n), 1) for _ in range(RUNS)]
    assert np.mean([one.p_value < 0.05 for one in found]) <= 0.08
    assert np.mean([one.difference.low <= 0 <= one.difference.high for one in found]) >= 0.92


@pytest.mark.parametrize("tasks", [2, 3, 4, 5, 6, 8, 12])
def test_few_tasks_with_many_samples_tell_equal_models_apart_no_more_often(tasks):
    rng = np.random.default_rng(18)
    found = [compare(*fixed(rng, 10, rng.beta(0.5, 0.5, (2, tasks))), 1) for _ in range(2 * RUNS)]
    assert np.mean([one.p_value < 0.05 for one in found]) <= 0.09
    assert np.mean([one.difference.low <= 0 <= one.difference.high for one in found]) >= 0.9


@settings(deadline=None, max_examples=50)
@given(st.lists(st.integers(-10, 10), min_size=6, max_size=40).filter(lambda tenths: len({*tenths}) > 1))
def test_a_p_value_below_a_twentieth_means_an_interval_without_zero(tenths):
    estimate, p_value, _ = bootstrap(np.array(tenths) / 10)
    if abs(p_value - 0.05) > 0.005:
        assert (p_value < 0.05) == (not estimate.low <= 0 <= estimate.high)


@pytest.mark.parametrize(("tasks", "is_at_most"), [(6, False), (40, True)])
def test_p_is_at_most_that_of_the_resamples_where_none_of_them_crosses_zero(tasks, is_at_most):
    found = bootstrap(np.linspace(0.5, 1, tasks))
    assert found.is_at_most == is_at_most
    assert bootstrap(np.linspace(-1, 1.5, tasks)).is_at_most is False
    assert found.p_value >= 2 / 10_001


def test_rates_that_even_out_are_the_same_whatever_rounding_leaves_of_them():
    found = compare(([10, 10, 10], [4, 5, 3]), ([10, 10, 10], [7, 2, 3]), 1)
    assert found.difference.value == 0.0
    assert found.tasks_needed() is None
    assert found.samples_needed() is None


@pytest.mark.parametrize("n", [1, 4, 20])
def test_the_interval_covers_a_true_difference(n):
    rng = np.random.default_rng(12)
    # Beta(0.6, 0.6) and its like have mean 1/2: the second run's rates are a tenth lower.
    found = [compare(*drawn(rng, 164, n, shift=0.1), 1) for _ in range(RUNS)]
    covered = [one.difference.low <= -0.05 <= one.difference.high for one in found]
    assert np.mean(covered) >= 0.92
    assert np.mean([one.difference.value for one in found]) == pytest.approx(-0.05, abs=0.005)


def test_one_sample_a_task_is_judged_by_the_tasks_that_flipped():
    first, second = [1] * 50 + [0] * 10 + [1] * 3, [1] * 50 + [1] * 10 + [0] * 3
    found = compare((np.ones(63), first), (np.ones(63), second), 1)
    assert found.ahead == (3, 10)
    assert found.test == MCNEMAR
    assert found.p_value == pytest.approx(stats.binomtest(3, 13).pvalue)
    assert found.difference.value == pytest.approx(7 / 63)
    assert found.difference.low < 0 < found.difference.high


def test_k_of_as_many_samples_is_judged_by_the_tasks_that_flipped_too():
    first, second = np.array([3] * 50 + [0] * 10 + [1] * 3), np.array([2] * 50 + [1] * 10 + [0] * 3)
    found = compare((np.full(63, 4), first), (np.full(63, 4), second), 4)
    once = compare((np.ones(63), first > 0), (np.ones(63), second > 0), 1)
    assert (found.test, found.p_value, found.difference) == (MCNEMAR, once.p_value, once.difference)
    assert compare((np.full(63, 4), first), (np.full(63, 4), second), 3).test == BOOTSTRAP


def test_what_these_tasks_show_they_show_in_four_of_five():
    rng = np.random.default_rng(19)
    rates = np.full(164, 0.5), np.full(164, 0.5)
    smallest = compare(*fixed(rng, 20, rates), 1).smallest_shown()
    shifted = rates[0], rates[1] - smallest
    shown = [compare(*fixed(rng, 20, shifted), 1).p_value < 0.05 for _ in range(RUNS)]
    assert np.mean(shown) == pytest.approx(0.8, abs=0.08)


def test_holms_next_finding_must_reach_the_level_that_those_not_found_share():
    values = [0.001, 0.03, 0.04, nan]
    level = holm_level(holm(values))
    assert level == 0.025
    for p, is_found in ((level - 1e-6, True), (level + 1e-6, False)):
        assert (holm([0.001, p, 0.04, nan])[1] < 0.05) is is_found
    assert holm_level([0.01, 0.02]) == 0.05


def test_unequal_n_are_compared_by_their_estimates():
    found = compare(([1, 10], [1, 5]), ([4, 2], [1, 1]), 1)
    assert found.test == BOOTSTRAP
    assert (found.first, found.second) == (0.75, 0.375)
    assert found.ahead == (1, 0)


def test_the_second_against_the_first_is_the_first_against_the_second_turned_round():
    rng = np.random.default_rng(13)
    one, other = drawn(rng, 164, 5, shift=0.2)
    there, back = compare(one, other, 1), compare(other, one, 1)
    assert there.difference.value == -back.difference.value
    assert there.difference.low == pytest.approx(-back.difference.high, abs=1e-12)
    assert there.p_value == back.p_value
    assert there.ahead == back.ahead[::-1]


def test_the_same_comparison_gives_the_same_figures_again():
    one, other = drawn(np.random.default_rng(14), 542, 5)
    assert compare(one, other, 1) == compare(one, other, 1)


def test_the_same_answers_twice_are_no_certainty_about_other_tasks():
    found = compare(([5] * 20, [3] * 20), ([5] * 20, [3] * 20), 1)
    assert found.p_value == 1.0
    assert (found.difference.low, found.difference.high) == pytest.approx((-0.15, 0.15))
    assert found.tasks_needed() is None
    assert found.samples_needed() is None


def test_two_tasks_never_show_a_difference_on_others():
    assert bootstrap([0.2, 0.3])[1] > 0.05


@pytest.mark.parametrize("n", [1, 5])
def test_no_common_task_gives_no_number(n):
    found = compare(([], []), ([], []), 1)
    assert isnan(found.p_value)
    assert isnan(found.difference.value)


def test_a_task_with_too_few_samples_is_refused():
    with pytest.raises(ValueError, match="fewer than 2 samples"):
        compare(([1, 5], [1, 1]), ([5, 5], [1, 1]), 2)


def test_the_tasks_it_asks_for_show_the_difference_in_four_of_five():
    rng = np.random.default_rng(15)
    asked = compare(*drawn(rng, 20_000, 4, shift=0.1), 1).tasks_needed()
    assert 20 < asked < 2_000
    shown = [compare(*drawn(rng, asked, 4, shift=0.1), 1).p_value < 0.05 for _ in range(RUNS)]
    assert np.mean(shown) == pytest.approx(0.8, abs=0.06)


def fixed(rng, n, rates):
    return [(np.full(rate.size, n), rng.binomial(n, rate)) for rate in rates]


def test_the_samples_it_asks_for_shrink_the_error_enough():
    rng = np.random.default_rng(16)
    rates = np.full(164, 0.5), np.full(164, 0.45)
    asked = compare(*fixed(rng, 20_000, rates), 1).samples_needed()
    # Two runs of T tasks with n samples: the error is the root of 2 p (1 - p) / (T n).
    assert asked == pytest.approx((2.8016 / 0.05) ** 2 * (0.25 + 0.2475) / 164, rel=0.05)
    shown = [compare(*fixed(rng, asked, rates), 1).p_value < 0.05 for _ in range(RUNS)]
    assert np.mean(shown) == pytest.approx(0.8, abs=0.06)


def test_no_number_of_samples_overcomes_tasks_that_disagree():
    rng = np.random.default_rng(17)
    better = rng.random(20) < 0.6
    rates = np.where(better, 0.1, 0.9), np.where(better, 0.9, 0.1)
    found = compare(*fixed(rng, 50, rates), 1)
    assert found.samples_needed() is None
    assert found.tasks_needed() > 20


def test_one_sample_cannot_tell_how_many_more_would_do():
    assert compare(([1, 1, 1], [1, 1, 0]), ([1, 1, 1], [0, 0, 0]), 1).samples_needed() is None


@pytest.mark.parametrize("value", [-1.0, 0.0, 0.01, 1.0])
def test_equal_differences_everywhere_leave_room_for_a_few_tasks_of_any_difference(value):
    estimate, p_value, _ = bootstrap(np.full(164, value))
    assert estimate.low == pytest.approx((161 * value - 3) / 164)
    assert estimate.high == pytest.approx((161 * value + 3) / 164)
    assert (p_value < 0.05) == (abs(value) == 1)


@settings(deadline=None, max_examples=50)
@given(st.lists(st.integers(-4, 4), min_size=5, max_size=40).filter(lambda values: len(set(values)) > 1))
def test_the_bootstraps_p_value_and_interval_say_the_same(values):
    estimate, p_value, _ = bootstrap(np.array(values) / 4)
    excluded = not estimate.low <= 0 <= estimate.high
    # Many means of few tasks are zero to the digit: at an end of the interval, rounding may decide.
    assert excluded == (p_value < 0.05) or 0.045 < p_value < 0.055 or 0 in (estimate.low, estimate.high)


def test_holm_gives_the_figures_of_its_definition():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, nan, 0.5]) == pytest.approx([1.0, nan, 1.0], nan_ok=True)
    assert holm([]) == []


@settings(deadline=None)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_never_lowers_and_never_reorders(values):
    adjusted = holm(values)
    assert all(new >= old for new, old in zip(adjusted, values, strict=True))
    ranked = [adjusted[place] for place in sorted(range(len(values)), key=values.__getitem__)]
    assert ranked == sorted(ranked)
