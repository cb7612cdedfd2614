"""Answers without a program."""

import pytest

from evalplus_run.records import Outcome

PROMPT = 'def f(a, b):\n    """Do it."""\n'

NOTHING = {
    "no text": ("", "unknown", Outcome.EMPTY),
    "null": (None, "unknown", Outcome.EMPTY),
    "white space": (" \n\t\n", "stop", Outcome.EMPTY),
    "prose": ("I cannot help with that.", "stop", Outcome.NO_CODE),
    "prose that parses": ("a\nb\nc", "stop", Outcome.NO_CODE),
    "an empty fence": ("```python\n```", "stop", Outcome.NO_CODE),
    "a special token": ("<|endoftext|>", "stop", Outcome.NO_CODE),
    "reasoning that does not end": ("<think>\n```python\ndef f(a, b):\n    return 1\n```\n", "stop", Outcome.NO_CODE),
    "reasoning at the limit": ("<think>\nwell, def f(a", "length", Outcome.TRUNCATED),
    "nothing at the limit": ("", "length", Outcome.TRUNCATED),
    "prose at the limit": ("First, we note that", "length", Outcome.TRUNCATED),
    "half a header": ("def f(a, b", "unknown", Outcome.TRUNCATED),
    "half a header in a fence": ("So:\n```python\ndef f(a, b", "unknown", Outcome.TRUNCATED),
    "a header": ("def f(a, b):\n", "unknown", Outcome.TRUNCATED),
    "half a docstring": ('def f(a, b):\n    """Do', "unknown", Outcome.TRUNCATED),
    "half a first statement": ('def f(a, b):\n    """Do it."""\n    for x in (a', "unknown", Outcome.TRUNCATED),
    "half a string": ("def f(a, b):\n    x = 'ab", "unknown", Outcome.TRUNCATED),
    "helpers and half a header": ("def g(x):\n    return 1\n\ndef f(", "unknown", Outcome.TRUNCATED),
    "a refusal": ("No.", "refusal", Outcome.REFUSED),
    "a silent refusal": ("", "refusal", Outcome.REFUSED),
}


@pytest.mark.parametrize(("text", "finish_reason", "outcome"), NOTHING.values(), ids=NOTHING.keys())
def test_an_answer_without_program_is_named(text, finish_reason, outcome, sanitized):
    program = sanitized(text, finish_reason=finish_reason, prompt=PROMPT)
    assert program.outcome is outcome
    assert program.solution == ""


CONTINUATIONS = {
    "nothing": ("", "stop", Outcome.EMPTY),
    "prose": ("I cannot.", "stop", Outcome.NO_CODE),
    "comments": ("    # To be done.\n", "stop", Outcome.NO_CODE),
    "half a statement": ("    for x in (", "length", Outcome.TRUNCATED),
    "half a statement, the reason unknown": ("    for x in (", "unknown", Outcome.TRUNCATED),
    "a stub": ("    pass\n", "stop", None),
    "a broken body": ("    return (a))\n", "stop", None),
}


@pytest.mark.parametrize(("text", "finish_reason", "outcome"), CONTINUATIONS.values(), ids=CONTINUATIONS.keys())
def test_the_prompt_alone_is_no_answer(text, finish_reason, outcome, sanitized):
    assert sanitized(text, finish_reason=finish_reason, prompt=PROMPT, front=True).outcome is outcome


@pytest.mark.parametrize("finish_reason", ["length", "refusal", "error"])
def test_a_program_is_judged_whatever_the_finish_reason(finish_reason, sanitized):
    program = sanitized("def f(a, b):\n    return 1\n", finish_reason=finish_reason)
    assert program.outcome is None
    assert program.solution == "def f(a, b):\n    return 1\n"


@pytest.mark.parametrize("name", ["evalplus", "none"])
def test_other_sanitizers_tell_an_empty_answer(name, sanitized):
    assert sanitized("", name=name).outcome is Outcome.EMPTY
    assert sanitized("", name=name, finish_reason="length").outcome is Outcome.TRUNCATED
    assert sanitized("", name=name, finish_reason="refusal").outcome is Outcome.REFUSED
    assert sanitized("I cannot.", name=name).outcome is None


def test_an_apostrophe_in_prose_after_code_cuts_nothing_off(sanitized):
    program = sanitized("```\ndef g(x):\n    return 2\n```\nThat's all.")
    assert program.outcome is None
    assert program.notes["entry_point"] == "not defined"
