"""References that fail, or do not pass against themselves."""

import pytest

from evalplus_run.audit.findings import Kind
from evalplus_run.audit.reference import find_contradicted, find_failing
from evalplus_run.records import Task
from tests.audit.conftest import places, task_of


def test_a_test_on_which_the_reference_raises_is_found_and_no_other(runner):
    (found,) = find_failing(runner, task_of("def f(x):\n    return 1 // x\n", [(1,)], [(2,), (0,), (3,)]))
    assert (found.kind, found.suite, found.test) == (Kind.REFERENCE, "plus", 1)
    assert "ZeroDivisionError" in found.reason


def test_a_value_that_cannot_be_compared_is_found(runner):
    assert places(find_failing(runner, task_of("def f(x):\n    return lambda: x\n", [(1,)]))) == [
        (Kind.REFERENCE, "base", 0)
    ]


@pytest.mark.parametrize(
    ("reference", "argument"),
    [
        ("def f(text):\n    return ''.join(set(text))\n", "abcdefghij"),
        ("def f(text):\n    return list({text[0], text[1]})\n", "ab"),
        ("import random\ndef f(text):\n    return random.random()\n", "a"),
        ("def f(text, seen=[]):\n    seen.append(text)\n    return len(seen)\n", "a"),
        ("import time\ndef f(text):\n    return time.time_ns()\n", "a"),
        ("def f(text):\n    return ''.join(set(text)) * 10_000\n", "abcdefghij"),
    ],
    ids=["set", "set of two", "chance", "what earlier calls left", "time", "a long value"],
)
def test_a_value_that_is_another_one_another_time_is_found(runner, reference, argument):
    found = list(find_failing(runner, task_of(reference, [(argument,), (argument,)])))
    assert (Kind.UNSTEADY, "base") in {(each.kind, each.suite) for each in found}
    assert {each.kind for each in found} == {Kind.UNSTEADY}


@pytest.mark.parametrize(
    "reference",
    [
        "def f(x):\n    return set(x)\n",
        "def f(x):\n    return sorted(set(x))\n",
        "def f(x):\n    return [float('nan'), sum(map(ord, x)) / 3]\n",
        "def f(x):\n    return sorted(x) * 20_000\n",
        "import random\ndef f(x):\n    return 1 + random.random() * 1e-9\n",
    ],
    ids=["a set", "sorted", "NaN", "long", "within the tolerance"],
)
def test_what_the_judge_takes_for_the_same_is_steady(runner, reference):
    assert not list(find_failing(runner, task_of(reference, [("abcdef",), ("ba",)])))


def test_an_oracle_says_what_is_the_same(runner):
    reference = "def similar_elements(a, b):\n    return tuple(set(a) & set(b))\n"
    texts = tuple("abcdefgh")
    asked = Task("Mbpp/2", "", "similar_elements", reference, ((texts, texts),), ())
    assert not list(find_failing(runner, asked))


def test_a_reference_that_its_own_oracle_refuses_is_found(runner):
    asked = Task("HumanEval/32", "", "find_zero", "def find_zero(xs):\n    return 9\n", (([1, 2],),), (), atol=1e-6)
    assert places(find_failing(runner, asked)) == [(Kind.UNSTEADY, "base", 0)]


def test_the_text_of_the_tests_is_held_against_the_reference(runner):
    task = task_of("def f(x):\n    return x\n")
    assert not list(find_contradicted(runner, task, ""))
    assert not list(find_contradicted(runner, task, "def check(g):\n    assert g(1) == 1\ncheck(f)\n"))
    (found,) = find_contradicted(runner, task, "assert f(1) == 1\nassert f(1) == 2, 'two'\n")
    assert (found.kind, found.test, found.reason) == (Kind.OWN_TESTS, None, "AssertionError: two")
