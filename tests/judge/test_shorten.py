"""Encoded values as text for people."""

from collections import Counter, OrderedDict, namedtuple
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalplus_run.judge import shorten
from evalplus_run.sandbox.guest.encode import encode

plain = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.complex_numbers()
    | st.text(st.characters())
    | st.binary(),
    lambda inner: st.lists(inner) | st.lists(inner).map(tuple) | st.dictionaries(st.text(), inner, max_size=1),
)


@given(plain)
def test_plain_values_are_shown_as_python_prints_them(value):
    text = repr(value)
    shown = shorten(encode(value), limit=100)
    assert shown == text or (len(shown) == 101 and text.startswith(shown[:-1]))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ((1,), "(1,)"),
        (set(), "set()"),
        ({2, 1}, "{1, 2}"),
        (frozenset([1]), "frozenset({1})"),
        (frozenset(), "frozenset()"),
        ({"b": [1], "a": None}, "{'a': None, 'b': [1]}"),
        (["x"] * 9, str(["x"] * 9)),
        (("x",) * 9, str(("x",) * 9)),
        (Decimal("0.25"), "Decimal('0.25')"),
        (Decimal("nan"), "Decimal('nan')"),
        (Fraction(1, 3), "Fraction(1, 3)"),
        (np.float64(0.5), "numpy(0.5)"),
        (np.array([1, 2]), "array([1, 2])"),
        (Counter("aa"), "collections.Counter({'a': 2})"),
        (OrderedDict(b=1), "collections.OrderedDict({'b': 1})"),
        (namedtuple("Point", "x y")(1, 2), "Point((1, 2))"),
        ({1: 2}.keys(), "dict_keys(frozenset({1}))"),
        (bytearray(b"a"), "bytearray(b'a')"),
        ((i for i in ()), "<generator object>"),
        (float("nan"), "nan"),
        ("\ud800\x00\u202e\n", r"'\ud800\x00\u202e\n'"),
        (10**3000, "<int of 9966 bits>"),
        ([1] * 100, "[1, 1, 1, 1, 1, 1, 1…"),
        ("x" * 10**6, "'xxxxxxxxxxxxxxxxxxx…"),
    ],
)
def test_values_are_shown_briefly(value, text):
    assert shorten(encode(value), limit=20 if text.endswith("…") else 200) == text


def test_the_name_of_a_type_cannot_break_a_terminal():
    assert shorten(b"o\3\x1b[m") == "<?[m object>"


@given(st.binary(max_size=60) | plain.map(encode), st.integers(0, 80))
def test_any_bytes_are_shown_printable_and_within_the_limit(payload, cut):
    for limit in (5, 200):
        shown = shorten(payload[:cut], limit)
        assert len(shown) <= limit + 11
        assert shown.isprintable()


def test_the_beginning_of_a_value_is_shown_as_far_as_it_goes():
    assert shorten(encode([1, 2, 3])[:12]) == "[1, …"
    assert shorten(b"?") == "<malformed>"


def test_deep_values_are_cut():
    value = 1
    for _ in range(100):
        value = [value]
    assert shorten(encode(value)) == "[" * 60 + "…"
