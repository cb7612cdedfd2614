import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from evalplus_run.metrics.flips import FEWEST, LEVEL, fewest_back, greatest_p, mcnemar


@settings(deadline=None)
@given(st.integers(0, 300), st.integers(0, 300))
def test_mcnemar_is_the_binomial_test_of_scipy(losses, wins):
    direct = stats.binomtest(losses, losses + wins).pvalue if losses + wins else 1.0
    assert mcnemar(losses, wins) == pytest.approx(direct, rel=1e-9)


def test_thousands_of_differing_tasks_do_not_overflow():
    assert 0 < mcnemar(4_000, 4_400) < 2e-5


def test_fewer_tasks_than_that_tell_nothing_even_all_on_one_side():
    assert mcnemar(0, FEWEST - 1) > LEVEL > mcnemar(0, FEWEST)


@settings(deadline=None)
@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=60))
def test_whatever_tasks_flipped_p_lies_between_its_least_and_its_greatest(tasks):
    first, second = (sum(one[run] for one in tasks) for run in (0, 1))
    losses, wins = (sum(one == flip for one in tasks) for flip in ((True, False), (False, True)))
    assert mcnemar(0, abs(first - second)) <= mcnemar(losses, wins) <= greatest_p(first, second, len(tasks))


@settings(deadline=None, max_examples=30)
@given(st.integers(-30, 30))
def test_fewer_flips_back_leave_a_difference_more_than_chance_and_as_many_do_not(apart):
    back = fewest_back(apart, 1_000)
    assert mcnemar(back, back + abs(apart)) >= LEVEL
    assert all(mcnemar(fewer, fewer + abs(apart)) < LEVEL for fewer in range(back))
