import sys

from hypothesis import given, settings
from hypothesis import strategies as st

from evalplus_run.records import Estimate
from evalplus_run.report.text import call, p_value, percent, shorten, visible


@settings(deadline=None)
@given(st.text(st.characters()))
def test_no_text_of_a_model_obeys_or_hides_once_it_is_visible(text):
    shown = visible(text)
    assert all(character.isprintable() or character in "\n\t" or ord(character) >= 0xA0 for character in shown)
    shown.encode("utf-8")


def test_escapes_of_the_terminal_become_text():
    assert visible("\x1b[2Ja\tb\n\x9b\u202ec\ud800") == "\\x1b[2Ja\tb\n\\x9b\\u202ec\\ud800"


def test_ordinary_text_is_left_alone():
    assert visible("größer 漢字 🙂\r\n") == "größer 漢字 🙂\n"


def test_shortening_tells_how_much_is_missing():
    assert shorten("abc", 3) == "abc"
    assert shorten("a" * 1503, 3) == "aaa … (1,500 more characters)"


def test_a_call_shows_integers_of_thousands_of_digits_and_leaves_the_limit_as_it_was():
    before = sys.get_int_max_str_digits()
    try:
        sys.set_int_max_str_digits(700)
        assert call("f", (10**5000, "a")) == f"f(1{'0' * 5000}, 'a')"
        assert sys.get_int_max_str_digits() == 700
    finally:
        sys.set_int_max_str_digits(before)


def test_an_argument_beyond_all_text_is_left_out_of_a_call():
    deep = []
    for _ in range(100_000):
        deep = [deep]
    assert call("f", (1, 10**100_001, deep)) == "f(1, …, …)"


def test_a_p_value_says_where_it_is_only_known_to_be_no_more():
    assert (p_value(0.004), p_value(0.004, is_at_most=True)) == ("0.004", "≤ 0.004")
    assert p_value(0.0002, is_at_most=True) == p_value(0.0002) == "< 0.001"


def test_a_score_without_a_value_has_no_figures():
    nan = float("nan")
    assert percent(Estimate(nan, nan, nan, "undefined")) == "n/a"
    assert percent(Estimate(0.5732, 0.4964, 0.646, "Wilson")) == "57.3 [49.6, 64.6]"
