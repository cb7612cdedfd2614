"""Small sets of tests that kill what all of them do."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from evalplus_run.testgen.cover import cover

KILLS = st.lists(st.frozensets(st.integers(0, 8), max_size=5), max_size=8)


def killed(kills, tests):
    return frozenset().union(*(kills[test] for test in tests))


def smallest(kills):
    everything = killed(kills, range(len(kills)))
    for size in range(len(kills) + 1):
        if any(killed(kills, tests) == everything for tests in combinations(range(len(kills)), size)):
            return size
    raise AssertionError


@given(KILLS)
def test_a_cover_kills_everything_and_is_the_smallest_where_it_says_so(kills):
    found = cover(kills, [1.0] * len(kills))
    assert killed(kills, found.tests) == killed(kills, range(len(kills)))
    assert found.least <= smallest(kills) <= len(found.tests)
    assert found.is_smallest


def test_greedy_choice_alone_would_take_three():
    rows = [frozenset({0, 1, 2, 3}), frozenset({0, 1, 4}), frozenset({2, 3, 5})]
    assert set(cover(rows, [1.0, 1.0, 1.0]).tests) == {1, 2}


def test_of_two_sets_of_one_size_the_cheaper_is_taken():
    rows = [frozenset({0, 1}), frozenset({0, 1}), frozenset({2})]
    assert set(cover(rows, [5.0, 1.0, 1.0]).tests) == {1, 2}


def test_the_test_that_kills_most_goes_first():
    rows = [frozenset({0}), frozenset({1, 2, 3}), frozenset({4, 5})]
    assert cover(rows, [1.0] * 3).tests == (1, 2, 0)
