"""What is notable about an input."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalplus_run.testgen.features import features

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary() | st.complex_numbers(),
    lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(st.integers(), inner),
)


@given(st.lists(VALUES))
def test_any_input_has_the_same_features_each_time(arguments):
    assert features(arguments) == features(list(arguments))
    assert bool(features(arguments)) == bool(arguments)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ([1], [-1]),
        ([1], [True]),
        ([1], [1.0]),
        ([3], [300]),
        (["a"], ["A"]),
        (["ab"], ["é"]),
        ([[]], [[1]]),
        ([[1, 2, 3]], [[3, 1, 2]]),
        ([[1, 2, 3]], [[1, 1, 3]]),
        ([[1], 1], [1, [1]]),
    ],
)
def test_inputs_of_another_kind_differ(one, other):
    assert features(one) != features(other)


def test_what_cannot_be_ordered_or_counted_is_looked_at_too():
    assert features([[1, "a", None], float("inf"), 10**400, {"a": {1}}])


def test_a_long_list_has_the_features_of_its_beginning():
    assert features([[5] * 1000]) == features([[5] * 500])
