import json
import sys

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalplus_run import json_text
from evalplus_run.records import Completion

COMPLETION = msgspec.json.Decoder(Completion)
DEEP = b"[" * 100_000 + b"]" * 100_000
WRONG = [
    (b"", "not JSON"),
    (b"\0" * 50, "not JSON"),
    (b'{"a": "', "not JSON"),
    (b'"\xff"', "not UTF-8"),
    ('{"a": 1}'.encode("utf-16"), "not UTF-8"),
    (DEEP, "nested too deeply"),
    (b'{"a":' * 100_000, "nested too deeply"),
    (b"[" + b"9" * 5000 + b"]", "more than 4,300 digits"),
]


@pytest.mark.parametrize(("content", "complaint"), WRONG)
def test_what_is_wrong_is_a_value_error_in_words(content, complaint):
    with pytest.raises(ValueError, match=complaint):
        json_text.decode(content)


@pytest.mark.parametrize("content", [content for content, _ in WRONG] + [b'{"more": ' + DEEP + b"}", b"[]", b"{}"])
def test_what_is_no_row_is_a_value_error_too(content):
    with pytest.raises(ValueError, match=r"\w"):
        json_text.decode_as(content, COMPLETION)


@given(st.text())
def test_half_a_surrogate_pair_comes_through_in_a_value_and_in_a_row(text):
    row = {"task_id": "T/0", "index": 0, "text": text + "\ud800"}
    assert json_text.decode(json.dumps(row).encode()) == row
    assert json_text.decode_as(json.dumps(row).encode(), COMPLETION) == Completion(**row)


def test_integers_of_a_hundred_thousand_digits_are_read_where_that_is_said_and_longer_ones_are_not():
    before = sys.get_int_max_str_digits()
    with json_text.long_integers():
        assert json_text.decode(b"1" + b"0" * 99_999) == 10**99_999
        with pytest.raises(ValueError, match="more than 100,000 digits"):
            json_text.decode(b"1" * 100_001)
    assert sys.get_int_max_str_digits() == before
