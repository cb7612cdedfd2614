"""What a value is made smaller to."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalplus_run.testgen.simpler import rank, simpler, simplest_characters
from evalplus_run.testgen.values import key

SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6) | st.binary(max_size=4)
KEYS = st.integers() | st.text(max_size=3)
VALUES = st.recursive(
    SCALARS | st.complex_numbers() | st.frozensets(KEYS, max_size=3) | st.sets(KEYS, max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner, inner)
        | st.dictionaries(KEYS | st.tuples(KEYS, KEYS), inner, max_size=3)
    ),
    max_leaves=4,
)


def types_in(value):
    """Those of a value and all its parts."""
    parts = [part for pair in value.items() for part in pair] if isinstance(value, dict) else value
    inner = parts if isinstance(parts, (dict, list, tuple, set, frozenset)) else ()
    return {type(value)}.union(*map(types_in, inner))


@settings(max_examples=30)
@given(VALUES)
def test_a_candidate_has_no_types_that_the_value_has_not(value):
    for (each,) in simpler((value,), "a0"):
        assert type(each) is type(value)
        assert types_in(each) <= types_in(value)


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        (-37, [0, 37, -36, -19, -7]),
        (250.75, [0.0, 250.0, 125.0, 251.0, 250.8]),
        (2 + 3j, [3j, 2 + 0j, 1 + 3j]),
        ("x-Y", ["", "x", "-Y", "aaa", "a-Y"]),
        (b"xy", [b"", b"y", b"ay"]),
        ([5, 6, 7, 8], [[], [5, 6], [5, 6, 8], [0, 0, 0, 0], [5, 6, 0, 8], [5, 6, 4, 8]]),
        ((5, "xy"), [(0, ""), (5, "x"), (5,)]),
        ({5, 7}, [set(), {7}, {5, 4}]),
        ({"xy": 5, "z": 7}, [{}, {"z": 7}, {"x": 5, "z": 7}, {"xy": 0, "z": 7}]),
        ([[1, 2, 3], [4, 5, 6]], [[[1, 2], [4, 5]], [[2, 3], [5, 6]], [[1, 2, 3]]]),
    ],
)
def test_a_value_is_cut_and_moved_towards_what_is_simple(value, wanted):
    made = [each for (each,) in simpler((value,), "a0")]
    assert [each for each in wanted if each not in made] == []


def test_arguments_of_one_length_lose_the_same_places():
    made = list(simpler(([1, 2, 3], "abc", 7), ""))
    assert ([1, 3], "ac", 7) in made


def test_numbers_of_an_input_are_lowered_together():
    made = list(simpler((1000, [1003]), ""))
    assert (0, [3]) in made
    assert (500, [501]) in made


@settings(max_examples=30)
@given(st.tuples(VALUES), st.tuples(VALUES))
def test_of_two_inputs_that_differ_one_is_simpler(first, second):
    assert (rank(first) == rank(second)) == (key(first) == key(second))


def test_small_letters_and_digits_are_the_simplest():
    assert simplest_characters("Z!9b0a-") == "ab09Z"
