"""What other tools' words tell of a failure."""

import pytest

from evalplus_run.interchange.failed import failed
from evalplus_run.records import Outcome

TRACEBACK = 'Traceback (most recent call last):\n  File "<string>", line 9, in <module>\n'


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("timed out", Outcome.TIMEOUT),
        ("Verification timed out.", Outcome.TIMEOUT),
        ("name 'foo' is not defined", Outcome.EXCEPTION),
        ("unsupported operand type(s) for +: 'int' and 'str'", Outcome.EXCEPTION),
        ("invalid syntax (<string>, line 3)", Outcome.SYNTAX_ERROR),
        (f"{TRACEBACK}ZeroDivisionError: division by zero", Outcome.EXCEPTION),
        (f"{TRACEBACK}decimal.InvalidOperation: [<class>]\nValueError", Outcome.EXCEPTION),
        (f"{TRACEBACK}MemoryError", Outcome.MEMORY),
        (f"{TRACEBACK}    x =\n       ^\nSyntaxError: invalid syntax", Outcome.SYNTAX_ERROR),
    ],
)
def test_the_kind_is_the_one_that_the_words_tell(text, outcome):
    assert (failed(text).outcome, failed(text).error) == (outcome, text)


@pytest.mark.parametrize(
    "text", ["", "Test 1", "AssertionError", f"{TRACEBACK}AssertionError: first", "pass", "pass: x"]
)
def test_what_is_not_told_is_no_kind_and_never_a_pass(text):
    assert failed(text).outcome is Outcome.FAILED


def test_what_this_program_exports_comes_back_as_it_was():
    verdict = failed("no_entry_point: there is no f: in it")
    assert (verdict.outcome, verdict.error) == (Outcome.NO_ENTRY_POINT, "there is no f: in it")


def test_of_a_very_long_text_the_end_is_kept():
    assert failed("x" * 5_000 + "\nKeyError: 1").error.endswith("KeyError: 1")
    assert len(failed("x" * 5_000).error) < 2_100
