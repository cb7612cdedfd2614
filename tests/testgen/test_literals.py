"""Inputs in a model's answer."""

import time
from collections import Counter

import pytest

from evalplus_run.testgen import literals
from evalplus_run.testgen.literals import inputs_in


def of_two(arguments):
    return len(arguments) == 2 and type(arguments[0]) is int


def of_one_list(arguments):
    return len(arguments) == 1 and type(arguments[0]) is list


def read(text, is_input=of_two):
    return inputs_in(text, "f", ("a", "b"), is_input)


@pytest.mark.parametrize(
    ("text", "inputs"),
    [
        ("f(1, 'x')", [(1, "x")]),
        ("Here they are:\n```python\nf(1, 2)\nf(-3, [4])  # f shall not\n```\nGood luck", [(1, 2), (-3, [4])]),
        ("1. `f(1, 2)`\n2. `f(3, 4)`", [(1, 2), (3, 4)]),
        ("assert f(1, 2) == f(3, 4)\nprint(f(5, {'a': (6,)}))", [(1, 2), (3, 4), (5, {"a": (6,)})]),
        ("f(\n    1,\n    ''')\n(''',\n)", [(1, ")\n(")]),
        ("f(1, 'it\\'s \\\\')", [(1, "it's \\")]),
        ("f(1, b=2)\nf(b=4, a=3)", [(1, 2), (3, 4)]),
        ("Solution().f(1, 2)", [(1, 2)]),
        ("def f(a, b):\n    return a\n\nf(1, 2)", [(1, 2)]),
        ("```\n[1, 2]\n(3, 4),\n5, 6\n```", [(1, 2), (3, 4), (5, 6)]),
        ("```json\n[[1, 2],\n [3, 4]]\n```", [(1, 2), (3, 4)]),
        ("inputs = [\n    (1, 2),\n    (3, 4),\n]", [(1, 2), (3, 4)]),
        ("- [1, 2]\n- [3, 4]", [(1, 2), (3, 4)]),
    ],
)
def test_calls_and_lists_of_arguments_are_read_wherever_they_stand(text, inputs):
    assert read(text) == (inputs, Counter())


@pytest.mark.parametrize(
    ("text", "inputs"),
    [("[[1, 2]]", [([1, 2],)]), ("[[[1]], [[2]]]", [([1],), ([2],)]), ("[1, 2, 3]", [([1, 2, 3],)]), ("[]", [([],)])],
)
def test_of_the_ways_to_read_a_list_the_one_that_fits_is_taken(text, inputs):
    assert read(text, of_one_list) == (inputs, Counter())


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("I cannot do that.", literals.NO_INPUT),
        ("", literals.NO_INPUT),
        ("f(10 ** 9, 1)", literals.NO_LITERALS),
        ("f(1, 'a' * 1000)", literals.NO_LITERALS),
        ("f(1, __import__('os').system('true'))", literals.NO_LITERALS),
        ("f(1, {[]: 2})", literals.NO_LITERALS),
        ("f(1, x)", literals.NO_LITERALS),
        ("f(1, 2", literals.NO_PYTHON),
        ("f(1, 2]", literals.NO_PYTHON),
        ("f(1 2)", literals.NO_PYTHON),
        ("f(1, 'cut off", literals.NO_PYTHON),
        (f"f(1, '{'a' * 20_000}')", literals.TOO_LONG),
        (f"f(1, {'[' * 500}{']' * 500})", literals.NO_PYTHON),
        (f"f(1, {'-' * 9_000}1)", literals.NO_PYTHON),
        (f"f(1, {'9' * 5_000})", literals.NO_PYTHON),
        ("f(1)", literals.OTHER_TYPES),
        ("f('x', 2)", literals.OTHER_TYPES),
        ("f(1, c=2)", literals.OTHER_TYPES),
        ("```\nnothing\n```", literals.NO_LITERALS),
    ],
)
def test_what_is_no_input_is_counted_by_its_reason(text, reason):
    assert read(text) == ([], Counter({reason: 1}))


def test_what_is_cut_off_costs_those_before_it_nothing():
    assert read("f(1, 2)\nf(3, 4)\nf(5, ") == ([(1, 2), (3, 4)], Counter({literals.NO_PYTHON: 1}))


@pytest.mark.parametrize(
    "text", ["f(" * 100_000, "f('" * 60_000, "f(1, 2)\n" * 25_000, "```\n" * 50_000, "(" * 200_000]
)
def test_an_answer_of_any_length_takes_little_time(text):
    began = time.process_time()
    found, _ = read(text)
    assert len(found) <= 200
    assert time.process_time() - began < 5
