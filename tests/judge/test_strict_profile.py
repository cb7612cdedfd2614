"""The `strict` profile: each test alone, numbers by value."""

import math
from collections import Counter, OrderedDict, deque, namedtuple
from decimal import Decimal
from enum import IntEnum
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalplus_run.judge import SuiteJudge
from evalplus_run.records import Task
from evalplus_run.sandbox.guest.encode import encode

NAN = float("nan")
Point = namedtuple("Point", "x y")
Colour = IntEnum("Colour", "RED")


class Liar:
    def __eq__(self, other):
        return True

    __hash__ = None


def judgement(out, expected, atol=0.0):
    suite = SuiteJudge(Task("Mine/1", "", "f", "", (), (), atol), [()])
    return suite.open().judge(0, encode(out), encode(expected))


def passes(out, expected, atol=0.0):
    return judgement(out, expected, atol).strict


@pytest.mark.parametrize(
    ("out", "expected"),
    [
        *((True, 1), (2.0, 2), (2, 2.0), (10**20, 1e20), (0.3, 0.1 + 0.2), (np.float32(0.1), 0.1), (Colour.RED, 1)),
        *(
            (333333383333350000, 333333383333349999.0),
            (Decimal("0.3"), 0.1 + 0.2),
            (Fraction(1, 3), 1 / 3),
            (1 + 1e-9j, 1.0),
        ),
        *(([1, [0.3, "a"]], [1, [0.1 + 0.2, "a"]]), ({"a": (0.3,)}, {"a": (0.1 + 0.2,)}), ([8, 3.3000001], [8.0, 3.3])),
        *(([np.int64(1), np.float64(0.3)], [1, 0.1 + 0.2]), ({0.3, 2}, {0.1 + 0.2, 2}), (1e9 + 99, 1e9)),
        *((NAN, NAN), ([NAN, 1], [NAN, 1.0]), ({"a": NAN}, {"a": NAN}), ({NAN}, {NAN}), ((NAN,), (math.nan,))),
        *((Point(1, 0.3), (1, 0.1 + 0.2)), (Counter("a"), {"a": 1}), (OrderedDict(a=1, b=2), {"b": 2, "a": 1.0})),
        *(
            ({1: 2}.keys(), {1}),
            ({1: 2}.items(), {(1, 2)}),
            (frozenset([1]), {1}),
            (bytearray(b"a"), b"a"),
            (np.str_("a"), "a"),
        ),
        *((np.array([1.0, 2]), np.array([1, 2])), (math.inf, math.inf), ({np.int64(1): 2}, {1: 2}), (None, None)),
    ],
)
def test_equal_by_value_passes(out, expected):
    assert passes(out, expected)


@pytest.mark.parametrize(
    ("out", "expected", "reason"),
    [
        (10**9 + 1, 10**9, "wrong value"),
        (1.0000009, 1, "wrong value"),
        (10**17, 1e17 + 2e11, "wrong value"),
        ([1.000002], [1.0], "wrong value"),
        (math.inf, 1e308, "wrong value"),
        (-math.inf, math.inf, "wrong value"),
        (1e308, math.inf, "wrong value"),
        (NAN, 1.0, "wrong value"),
        (10**400, 1.0, "wrong value"),
        ([1, 2, 3], [1, 2], "wrong value"),
        ({"a": 1}, {"b": 1}, "wrong value"),
        ({1, 2}, {1, 3}, "wrong value"),
        ({"a", 1}, {"b", 1}, "wrong value"),
        ({NAN}, {1.0}, "wrong value"),
        ("a", "b", "wrong value"),
        (0.9999999, True, "wrong value"),
        ((1, 2), [1, 2], "wrong_type: tuple for list"),
        (None, 0, "wrong_type: None for int"),
        ("1", 1, "wrong_type: str for int"),
        (np.array([1, 2]), [1, 2], "wrong_type: numpy array (<i8) for list"),
        ([np.array([5])], [[5]], "wrong_type: numpy array (<i8) for list"),
        (np.array([[1]]), np.array([1]), "wrong_type: list for int"),
        ({1: []}.items(), {1: []}, "wrong_type: dict view (dict_items) for dict"),
        (Liar(), 1, "unsupported return type Liar"),
        ([Liar()], [1], "unsupported return type Liar"),
        (Liar(), Liar(), "unsupported return type Liar"),
        (deque([1]), [1], "unsupported return type deque"),
        ((i for i in [1]), [1], "unsupported return type generator"),
    ],
)
def test_unequal_by_value_or_of_a_wrong_type_fails_and_says_why(out, expected, reason):
    found = judgement(out, expected)
    assert (found.strict, found.reason) == (False, reason)


def test_a_tolerance_of_the_task_holds_for_floats_in_place_of_ints_too():
    assert passes(1.00005, 1, atol=1e-4)
    assert passes([[1.00005]], [[1]], atol=1e-4)
    assert not passes(1.0002, 1, atol=1e-4)


def test_an_int_must_be_the_same_int_whatever_the_tolerance():
    assert not passes(10**9 + 1, 10**9, atol=1e-4)


def test_the_verdict_of_a_test_does_not_depend_on_those_before_it():
    sample = SuiteJudge(Task("Mine/1", "", "f", "", (), ()), [()] * 2).open()
    assert sample.judge(0, encode(0.5), encode(0.5)).strict
    assert not sample.judge(1, encode(10**9 + 1), encode(10**9)).strict


nested = st.recursive(
    st.floats() | st.integers() | st.text() | st.none(),
    lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(st.text(), inner),
)


@given(nested, nested)
def test_a_value_passes_for_itself_and_what_it_passes_for_is_symmetric_up_to_types(one, other):
    assert passes(one, one)
    assert passes([one, other], [one, other])
    if encode(one) != encode(other) and not passes(one, other):
        assert not passes([one], [other])


@given(st.floats(allow_nan=False, allow_infinity=False, max_value=1e300, min_value=-1e300), st.floats(-2, 2))
def test_near_means_within_the_absolute_and_the_relative_tolerance(expected, factor):
    out = expected + factor * (1e-6 + 1e-7 * abs(expected))
    assert passes(out, expected) == (abs(out - expected) <= 1e-6 + 1e-7 * abs(expected))
