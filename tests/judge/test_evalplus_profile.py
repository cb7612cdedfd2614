"""The `evalplus` profile; expected results were seen on EvalPlus 0.3.1."""

import math
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple
from decimal import Decimal
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


class AlwaysEqual:
    def __eq__(self, other):
        return True

    __hash__ = None


class AlwaysEqualFloat(float):
    def __eq__(self, other):
        return True

    __hash__ = float.__hash__


class Texts(str):
    pass


def verdicts(*tests, atol=0.0):
    """The profile's results on (value, expected) pairs, in order."""
    task = Task("Mine/1", "", "f", "", (), (), atol)
    sample = SuiteJudge(task, [()] * len(tests)).open()
    return [sample.judge(i, encode(out), encode(expected)).evalplus for i, (out, expected) in enumerate(tests)]


def passes(out, expected, atol=0.0):
    return verdicts((out, expected), atol=atol)[0]


EQUAL = [
    *((True, 1), (1, True), (2.0, 2), (2, 2.0), (0.0, -0.0), (1 + 0j, 1), (Fraction(1, 2), 0.5), (Decimal("0.5"), 0.5)),
    *((np.float64(0.5), 0.5), (np.int64(3), 3), (np.bool_(True), True), (np.str_("a"), "a"), (np.float64(5), [5])),
    *((Point(1, 2), (1, 2)), (Texts("a"), "a"), (Counter("ab"), {"a": 1, "b": 1}), (defaultdict(int, a=1), {"a": 1})),
    *(
        (OrderedDict(a=1, b=2), {"b": 2, "a": 1}),
        (Counter(a=0), Counter()),
        ({1: 2}.keys(), {1}),
        ({1}, frozenset([1])),
    ),
    *(({1: 2}.items(), {(1, 2)}), (bytearray(b"a"), b"a"), ([True, 2.0], [1, 2]), ({1: True}, {1.0: 1}), ([], [])),
    *((np.array([5]), [5]), (np.array(5), 5), ([np.array([5])], [[5]]), ("\ud800", "\ud800"), ([10**5000], [10**5000])),
]
UNEQUAL = [
    *(
        (1, 2),
        ((1, 2), [1, 2]),
        ("1", 1),
        (None, 0),
        (b"a", "a"),
        ([], ()),
        ({1: 2}.keys(), [1]),
        ({1: 2}.values(), [2]),
    ),
    *(
        (NAN, NAN),
        ([NAN], [NAN]),
        (object(), 1),
        (AlwaysEqual(), 1),
        ([AlwaysEqual()], [1]),
        (AlwaysEqualFloat(2), 1.0),
    ),
    *(
        (np.array([1, 2]), [1, 2]),
        (np.array([1, 2]), np.array([1, 2])),
        (np.array([]), []),
        ([np.array([1, 2])], [[1, 2]]),
    ),
    *(
        (deque([1]), [1]),
        (iter([1]), [1]),
        (range(2), [0, 1]),
        (OrderedDict(a=1, b=2), OrderedDict(b=2, a=1)),
        (print, 1),
    ),
    *((np.float64(5), [5, 5]), (float("inf"), float("-inf")), (math.inf, 1e308), (Decimal("nan"), NAN)),
]


@pytest.mark.parametrize(("out", "expected"), EQUAL)
def test_what_python_holds_equal_passes(out, expected):
    assert passes(out, expected)


@pytest.mark.parametrize(("out", "expected"), UNEQUAL)
def test_what_python_does_not_hold_equal_fails(out, expected):
    assert not passes(out, expected)
    assert not passes(out, expected, atol=1e-6)


@pytest.mark.parametrize(
    ("out", "expected"),
    [
        *((1.0000009, 1.0), (1e9 + 99, 1e9), ([1.0, 2.0000005], [1.0, 2.0]), ((0.3,), (0.1 + 0.2,)), (1e-7, 0.0)),
        *((np.float64(1.0000009), np.float64(1)), ([[1.0]], [[1.0]])),
    ],
)
def test_floats_may_differ_by_the_tolerance(out, expected):
    assert passes(out, expected)


@pytest.mark.parametrize(
    ("out", "expected"),
    [
        *((1.000002, 1.0), (1e9 + 101, 1e9), ([1.0, 2.000005], [1.0, 2.0]), ([1.0, 2.0, 2.0], [1.0, 2.0])),
        *((np.float64(1.0000009), 1.0), ((1.0000009,), [1.0]), ([[1.0000009]], [[1.0]]), ({1: 1.0000009}, {1: 1.0})),
        *(([1.0000009, 2], [1.0, 2]), (10**9 + 1, 10**9), (math.inf, 1.0), (1.0, math.inf), (None, 1.0)),
        *((Point(1.0000009, 2.0), Point(1.0, 2.0)), (Point(1.0000009, 2.0), (1.0, 2.0))),
    ],
)
def test_beyond_the_tolerance_or_with_another_type_it_fails(out, expected):
    assert not passes(out, expected)


@pytest.mark.parametrize(
    ("out", "expected", "passed"),
    [
        ([1.00005, 2], [1, 2.0], True),
        ([[1.00005], [2.0]], [[1.0], [2.0]], True),
        (10**9 + 1, 10**9, True),
        ([[1.0, 1.0], [2.0, 2.0]], [[1.0], [2.0]], True),  # numpy broadcasts: as lists they are not of one shape
        (1.00005, 1, False),
        ("a", "b", False),
        (["a"], ["b"], False),
        ([None], [1.0], False),
        ([[1.0], [2.0, 3.0]], [[1.0], [2.0]], False),
        ({1: 1.00005}, {1: 1.0}, False),
        (10**200 + 1, 10**200, True),
        ([10**200 + 1], [10**200], False),  # an array of objects, for which numpy raises
        ([NAN], [1.0], False),
    ],
)
def test_a_tolerance_of_the_task_goes_through_numpy(out, expected, passed):
    assert passes(out, expected, atol=1e-4) is passed


def test_a_small_value_cannot_be_broadcast_to_a_huge_one():
    assert not passes([[[1.00005]]] * 1500, [[1.0] * 1500] * 1500, atol=1e-4)


def test_the_tolerance_leaks_to_later_tests_of_the_sample():
    off_by_one = (10**9 + 1, 10**9)
    assert verdicts(off_by_one, (0.5, 0.5), off_by_one) == [False, True, True]
    assert verdicts(off_by_one, ([0.5, 1.5], [0.5, 1.5]), off_by_one) == [False, True, True]
    assert verdicts((7.5, 0.5), off_by_one) == [False, True]


@pytest.mark.parametrize("expected", [1, [1, 0.5], [], [[0.5]], {"a": 0.5}, "0.5", None, [0.5, None], 1j, {0.5}])
def test_only_values_made_of_floats_switch_the_tolerance_on(expected):
    assert verdicts((expected, expected), (10**9 + 1, 10**9)) == [True, False]


@pytest.mark.parametrize("expected", [NAN, [NAN, 1.0], np.float64(1.5), [0.5] * 100, (0.5,), [np.float64(2)]])
def test_every_kind_of_float_switches_the_tolerance_on(expected):
    assert verdicts((expected, expected), (10**9 + 1, 10**9))[1]


def test_a_comparison_that_raises_leaves_the_tolerance_off():
    assert verdicts(([np.array([1, 2]), 1], [[1, 2], 1]), (10**9 + 1, 10**9)) == [False, False]
    assert verdicts(([np.array([1, 2])], [0.5]), (10**9 + 1, 10**9)) == [False, False]


def test_samples_do_not_share_the_leak():
    suite = SuiteJudge(Task("Mine/1", "", "f", "", (), ()), [()] * 2)
    off_by_one = encode(10**9 + 1), encode(10**9)
    first, second = suite.open(), suite.open()
    assert first.judge(0, encode(0.5), encode(0.5)).evalplus
    assert first.judge(1, *off_by_one).evalplus
    assert not second.judge(1, *off_by_one).evalplus


@given(st.floats(), st.floats())
def test_one_float_is_compared_as_numpy_compares_it(out, expected):
    assert passes(out, expected) == bool(np.allclose(out, expected, rtol=1e-7, atol=1e-6))
