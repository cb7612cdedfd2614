"""Few tests that keep the strength of many."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from evalplus_run.testgen.few_tests import Target, ranked, shared, smallest, targets
from evalplus_run.testgen.matrix import Matrix, Shown

TESTS = 8
TARGETS = st.lists(
    st.builds(
        Target,
        st.frozensets(st.integers(0, TESTS - 1), min_size=1),
        st.floats(0.01, 2),
        st.sampled_from([0.3, 0.5, 1.0]),
    ),
    max_size=12,
)


def matrix_of(*killed):
    shown = tuple(Shown(outcomes=(0,), killed=each, size=1, steps=1) for each in killed)
    return Matrix("Small/0", shown[:1], shown[1:], ("a", "b", "c"), 1)


def worth(wanted, tests):
    """By how much of all weights the tests lessen, told from its definition."""
    total = 0.0
    for target in wanted:
        total += target.weight * (1 - (1 - target.chance) ** len(target.tests & set(tests)))
    return total


@given(TARGETS, st.frozensets(st.integers(0, TESTS - 1), max_size=2))
def test_each_test_adds_most_of_those_that_are_left_and_no_more_than_the_one_before(wanted, taken):
    order = ranked(wanted, sorted(taken), TESTS)
    chosen = sorted(taken)
    for gain, test in order:
        assert test not in chosen
        gains = {each: worth(wanted, [*chosen, each]) - worth(wanted, chosen) for each in range(TESTS)}
        assert gain <= max(gains.values()) + 1e-9
        assert gain >= max(gains.values()) - 1e-9
        chosen.append(test)
    gains = [gain for gain, _ in order]
    assert all(later <= earlier + 1e-9 for earlier, later in itertools.pairwise(gains))


@given(TARGETS)
def test_what_covers_a_target_with_certainty_ends_its_worth(wanted):
    sure = [Target(each.tests, each.weight, 1.0) for each in wanted]
    chosen = {test for _, test in ranked(sure, [], TESTS)}
    assert all(each.tests & chosen for each in sure)


def test_a_budget_goes_where_it_adds_most_and_the_order_within_a_task_is_kept():
    ranks = {"a": [(5.0, 3), (1.0, 7)], "b": [(2.0, 1), (2.0, 0), (0.5, 4)]}
    assert shared(ranks, 3) == {"a": [3], "b": [1, 0]}
    assert shared(ranks, 99) == {"a": [3, 7], "b": [1, 0, 4]}
    assert shared(ranks, -1) == {"a": [], "b": []}


def test_a_wrong_program_that_one_test_alone_catches_has_it_taken_first():
    matrix = matrix_of((), (0, 1, 2), (0,), (1,))
    inputs = [(0,), (1,), (2,), (3,)]
    with_program = targets(matrix, inputs, [{3}], range(4))
    assert ranked(with_program, [0], 1)[0][1] == 3
    assert ranked(targets(matrix, inputs, [], range(4)), [0], 1)[0][1] == 1


def test_tests_that_may_not_be_taken_are_no_ones_target():
    wanted = targets(matrix_of((), (0,), (1,)), [(0,), (1,), (2,)], [{2}, {1, 2}], [0, 1])
    assert not any(2 in each.tests for each in wanted)
    assert Target(frozenset({1}), 1.0, 0.7) in wanted


def test_the_fewest_tests_kill_all_that_the_base_tests_leave():
    matrix = matrix_of((0,), (0, 1), (2,), (1, 2))
    assert smallest(matrix, [], range(4), [0]).tests == (3,)
    assert set(smallest(matrix, [{1}], range(4), [0]).tests) >= {1}
    assert smallest(matrix, [], [0, 1, 2], [0]).least == 2
