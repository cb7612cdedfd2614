"""Judging a sample: both profiles at once, equal bytes first."""

import math
import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalplus_run.judge import SuiteJudge, representable
from evalplus_run.judge.profiles import PASSES
from evalplus_run.records import Task
from evalplus_run.sandbox.guest.encode import encode

TASK = Task("Mine/1", "", "f", "", (), ())
NAN = float("nan")
values = st.recursive(
    st.floats() | st.integers() | st.booleans() | st.text(max_size=3) | st.none() | st.builds(object),
    lambda inner: st.lists(inner) | st.tuples(inner) | st.dictionaries(st.text(max_size=2), inner),
)


@given(st.lists(values, min_size=1, max_size=5))
def test_equal_bytes_give_what_a_comparison_by_value_gives(expected):
    suite = SuiteJudge(TASK, [()] * len(expected))
    sample, atol = suite.open(), 0.0
    for test, value in enumerate(map(encode, expected)):
        by_value, atol = suite.compare(test, value, value, atol)
        assert sample.judge(test, value, value) == by_value
        assert sample._atol == atol


def test_nan_passes_under_strict_only():
    judgement = SuiteJudge(TASK, [()]).open().judge(0, encode([NAN]), encode([NAN]))
    assert (judgement.evalplus, judgement.strict) == (False, True)
    assert judgement.reason


def test_an_opaque_value_fails_even_with_equal_bytes():
    judgement = SuiteJudge(TASK, [()]).open().judge(0, encode(object()), encode(object()))
    assert (judgement.evalplus, judgement.strict) == (False, False)


@pytest.mark.parametrize("payload", [b"", b"?", b"\x80\x04N.", b"[\xff\xff\xff\xff", encode(1) + b"N", b"(" * 10_000])
def test_bytes_that_the_encoder_does_not_write_fail(payload):
    judgement = SuiteJudge(TASK, [()]).open().judge(0, payload, encode(1))
    assert (judgement.evalplus, judgement.strict) == (False, False)
    assert judgement.reason


@pytest.mark.parametrize(
    "payload",
    [
        b"n\3<U9" + encode(1),
        b"n\3<i8" + encode("a"),
        b"k\x13collections.Counter" + encode([1]),
        b"a\3<f8" + encode(["a"]),
        b"n\3<x8" + encode(1),
        b"k\1S" + encode(True),
        b"v\1S" + encode({1: 2}),
        b"a\3<f9" + encode([1.0]),
    ],
)
def test_contents_that_do_not_fit_their_types_fail(payload):
    judgement = SuiteJudge(TASK, [()]).open().judge(0, payload, encode(7))
    assert (judgement.evalplus, judgement.strict) == (False, False)


def test_excluded_tests_pass_under_strict_whatever_comes():
    suite = SuiteJudge(TASK, [()] * 2, frozenset({1}))
    sample = suite.open()
    assert not sample.judge(0, encode(1), encode(2)).strict
    for payload in (encode(1), b"?", encode(object())):
        judgement = sample.judge(1, payload, encode(2))
        assert (judgement.evalplus, judgement.strict) == (False, True)
    assert sample.judge(1, encode(2), encode(2)) is PASSES


@pytest.mark.parametrize(
    ("expected", "leaks"),
    [(0.5, True), ([0.5] * 100, True), (tuple([0.5] * 100), True), ([1] + [0.5] * 99, False), ("g" * 50, False)],
)
def test_a_value_known_to_be_equal_by_its_beginning_leaks_as_it_would(expected, leaks):
    of_a_long_one, whole = (SuiteJudge(TASK, [()] * 2).open() for _ in range(2))
    of_a_long_one.accept_long(encode(expected)[:256])
    whole.accept(0, encode(expected))
    for sample in (of_a_long_one, whole):
        assert sample.tolerates is leaks
        assert sample.judge(1, encode(10**9 + 1), encode(10**9)).evalplus is leaks


def test_a_value_too_long_to_be_decoded_is_compared_by_its_bytes():
    expected = encode([None] * 9_000_000)
    sample = SuiteJudge(TASK, [()]).open()
    assert sample.judge(0, bytes(bytearray(expected)), expected) is PASSES
    assert "too many parts" in sample.judge(0, encode([1]), expected).reason


def test_one_suite_serves_many_threads():
    tests = [(encode(i / 2), encode(i / 2)) for i in range(200)] + [(encode(10**9 + 1), encode(10**9))]
    suite = SuiteJudge(TASK, [()] * len(tests))
    results = []

    def run():
        sample = suite.open()
        results.append([sample.judge(i, *pair).evalplus for i, pair in enumerate(tests)])

    threads = [threading.Thread(target=run) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [[True] * 201] * 8


@pytest.mark.parametrize("value", [1, [NAN], {"a": (1, {2})}, np.array([1.5]), np.float64(1), math.inf, {1: 2}.keys()])
def test_what_is_carried_whole_is_representable(value):
    assert representable(encode(value))


@pytest.mark.parametrize(
    "value", [object(), [1, (object(),)], {1: {2: print}}, {object()}, np.array([object()]), iter([])]
)
def test_what_holds_something_opaque_is_not_representable(value):
    assert not representable(encode(value))


def test_an_opaque_value_will_do_where_only_its_presence_counts():
    task = Task("Mbpp/737", "", "check_str", "", (), ())
    assert representable(encode(object()), task)
    assert not representable(encode(object()), TASK)
