import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import stdtr, stdtrit

from evalplus_run.metrics.student import quantile, within


@given(st.floats(0.51, 0.9999), st.integers(1, 3000))
def test_quantiles_are_those_of_scipy(p, freedom):
    assert quantile(p, freedom) == pytest.approx(stdtrit(freedom, p), rel=1e-9)


@given(st.floats(0, 50), st.integers(1, 3000))
def test_probabilities_are_those_of_scipy(value, freedom):
    assert within(value, freedom) == pytest.approx(2 * stdtr(freedom, value) - 1, abs=1e-11)


def test_quantiles_are_those_of_the_tables():
    assert [round(quantile(0.975, freedom), 3) for freedom in (1, 2, 5, 30)] == [12.706, 4.303, 2.571, 2.042]
