from math import isnan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalplus_run.metrics.intervals import by_task, wilson
from evalplus_run.metrics.passk import pass_at_k

RUNS = 2_000
LOWEST_COVERAGE = 0.93
"""Of 95 %: four standard errors of a coverage that is seen over RUNS runs."""


@settings(deadline=None)
@given(st.integers(1, 2_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_lies_in_the_unit_interval_around_the_proportion(case):
    passed, tasks = case
    low, high = wilson(passed, tasks)
    assert 0 <= low <= passed / tasks <= high <= 1
    assert low < high


@settings(deadline=None)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=300))
def test_the_interval_over_tasks_lies_in_the_unit_interval_around_the_mean(values):
    low, high = by_task(values)
    assert 0 <= low <= np.mean(values) <= high <= 1
    assert low < high


def test_wilson_gives_the_textbook_figures():
    # Newcombe 1998, "Two-sided confidence intervals for the single proportion", table I.
    assert wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert wilson(15, 148) == pytest.approx((0.0624, 0.1605), abs=5e-5)
    assert wilson(0, 20) == pytest.approx((0.0, 0.1611), abs=5e-5)
    assert wilson(1, 29) == pytest.approx((0.0061, 0.1718), abs=5e-5)


def test_on_zeros_and_ones_the_interval_over_tasks_is_nearly_wilsons():
    values = [1.0] * 94 + [0.0] * 70
    assert by_task(values) == pytest.approx(wilson(94, 164), abs=0.002)


@settings(deadline=None)
@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_on_zeros_and_ones_the_interval_over_tasks_holds_wilsons_so_that_neither_contradicts_the_other(case):
    passed, tasks = case
    low, high = by_task([1.0] * passed + [0.0] * (tasks - passed))
    inner_low, inner_high = wilson(passed, tasks)
    assert low <= inner_low
    assert high >= inner_high


def test_equal_values_everywhere_do_not_make_a_false_certainty():
    low, high = by_task([1.0] * 164)
    assert low < 0.985
    assert high == 1.0


def test_one_task_says_nothing_about_the_others():
    assert by_task([0.4]) == (0.0, 1.0)


@pytest.mark.parametrize("interval", [wilson(0, 0), by_task([]), by_task([0.5, float("nan")])])
def test_without_an_estimate_there_is_no_interval(interval):
    assert all(isnan(end) for end in interval)


POPULATIONS = {
    "half of the tasks easy, half hard": lambda rng, size: rng.beta(0.3, 0.3, size),
    "all alike": lambda rng, size: rng.beta(3, 3, size),
    "nearly all solved": lambda rng, size: rng.beta(1.9, 0.1, size),
    "nearly none solved": lambda rng, size: rng.beta(0.09, 2.91, size),
    "a few impossible": lambda rng, size: rng.choice([0.0, 1.0], p=[0.03, 0.97], size=size),
    "one rate": lambda rng, size: np.full(size, 0.02),
}


@pytest.mark.parametrize("tasks", [20, 164])
@pytest.mark.parametrize("population", POPULATIONS)
@pytest.mark.parametrize(("n", "k"), [(2, 1), (10, 1), (10, 10), (100, 10)])
def test_the_interval_over_tasks_covers_the_truth(population, tasks, n, k):
    rng = np.random.default_rng(7)
    draw = POPULATIONS[population]
    truth = np.mean(1 - (1 - draw(rng, 2_000_000)) ** k)
    correct = rng.binomial(n, draw(rng, (RUNS, tasks)))
    ends = np.array([by_task(values) for values in pass_at_k(n, correct, k)])
    assert np.mean((ends[:, 0] <= truth) & (truth <= ends[:, 1])) >= LOWEST_COVERAGE


@pytest.mark.parametrize("truth", [0.05, 0.5, 0.9])
@pytest.mark.parametrize("tasks", [20, 164])
def test_wilson_covers_the_truth(truth, tasks):
    passed = np.random.default_rng(3).binomial(tasks, truth, size=RUNS)
    ends = np.array([wilson(int(one), tasks) for one in passed])
    assert np.mean((ends[:, 0] <= truth) & (truth <= ends[:, 1])) >= 0.92


def test_the_plain_t_interval_would_miss_where_nearly_all_is_solved():
    rng = np.random.default_rng(7)
    values = rng.binomial(10, rng.beta(1.9, 0.1, (RUNS, 20))) / 10
    half = 2.093 * values.std(axis=1, ddof=1) / np.sqrt(20)
    assert np.mean(np.abs(values.mean(axis=1) - 0.95) <= half) < 0.9
    ends = np.array([by_task(row) for row in values])
    assert np.mean((ends[:, 0] <= 0.95) & (ends[:, 1] >= 0.95)) >= LOWEST_COVERAGE
