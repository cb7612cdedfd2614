"""Programs under test beside the search: what tells them apart, and how little a hostile one can say."""

from random import Random

import pytest

from evalplus_run.testgen.programs import Panel, UnderTest
from tests.testgen.conftest import MEMORY, task_of

TASK = task_of("def f(n):\n    return n * n\n", (0,), (2,))
RIGHT = "def f(n):\n    return n ** 2\n"
DOUBLED = "def f(n):\n    return n + n\n"
SHIFTED = "def f(n):\n    return n << 1 if n < 5 else 0\n"


def panel_of(worker, *sources, task=TASK, most=20, steps=10_000):
    programs = [UnderTest(f"p{number}", source) for number, source in enumerate(sources)]
    return Panel(*(worker, task, programs, task.base_inputs), most=most, rng=Random(0), memory=MEMORY, steps=steps)


def hostile(action, otherwise="n * n", when="n == 3"):
    return f"import os, sys\ndef f(n):\n    if {when}:\n        {action}\n    return {otherwise}\n"


def test_an_input_is_news_where_it_splits_programs_that_agreed_so_far_and_never_again(worker):
    panel = panel_of(worker, RIGHT, DOUBLED, SHIFTED)
    news = panel.news([(2,), (3,), (4,), (9,), (10,)])
    assert [sorted(each) for each in news[:3]] == [[], ["program p1", "program p2"], []]
    assert len(news[3]) == 1
    assert set(news[3][0].split()) == {"split", "p1,", "p2"} or set(news[3][0].split()) == {"split", "p2,", "p1"}
    assert news[4] == ()
    told = panel.told
    assert (told.programs, told.wrong, told.classes, told.stopped, told.left_out) == (3, 2, 3, 0, {})


def test_without_programs_nothing_is_run_or_told():
    panel = panel_of(None)
    assert panel.news([(1,), (2,)]) == [(), ()]
    assert panel.told is None


def test_floats_differ_as_the_judge_says(worker):
    task = task_of("def f(x):\n    return [x * 3]\n", (1.0,))
    panel = panel_of(worker, "def f(x):\n    return [x + x + x]\n", "def f(x):\n    return (x * 3,)\n", task=task)
    assert panel.news([(0.1,), (0.7,)]) == [(), ()]
    assert panel.told.left_out == {"fails the base inputs": 1}


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("def f(n):\n    return n\n", "fails the base inputs"),
        ("def f(n):\n    while True:\n        pass\n", "too slow on the base inputs"),
        ("import os\ndef f(n):\n    os._exit(0)\n", "fails the base inputs"),
        ("def g(n):\n    return n * n\n", "cannot be loaded"),
        ("import nowhere\ndef f(n):\n    return n * n\n", "cannot be loaded"),
        ("import sys\nsys.exit(0)\ndef f(n):\n    return n * n\n", "cannot be loaded"),
        ("import os\nos._exit(0)\n", "cannot be loaded"),
        ("while True:\n    pass\ndef f(n):\n    return n * n\n", "cannot be loaded"),
        ("def f(n):\n    return n * n\n)", "cannot be instrumented"),
        (f"x = {'-' * 20_000}1\n", "cannot be instrumented"),
    ],
)
def test_what_is_wrong_from_the_first_or_cannot_be_followed_is_left_out_and_counted(worker, source, reason):
    panel = panel_of(worker, source, RIGHT)
    assert panel.told.left_out == {reason: 1}
    assert panel.news([(3,)]) == [()]


def test_programs_with_imports_prints_and_a_main_block_take_part(worker):
    source = (
        "from __future__ import annotations\nimport math, sys\nfrom dataclasses import dataclass\n"
        "@dataclass\nclass P:\n    n: int\n"
        "def f(n: int) -> int:\n    'doc'\n    print(n, file=sys.stderr)\n    return int(math.pow(P(n).n, 2))\n"
        "print('loaded')\nif __name__ == '__main__':\n    f(int(input()))\n"
    )
    panel = panel_of(worker, source)
    assert panel.told.left_out == {}
    assert panel.news([(3,)]) == [()]


@pytest.mark.parametrize(
    "action",
    [
        "sys.exit(0)",
        "os._exit(0)",
        "os.kill(os.getpid(), 9)",
        "bytearray(1 << 40)",
        "[os.write(each, b'V' * 4096) for each in range(3, 20)]",
        "raise SystemExit",
    ],
)
def test_a_program_that_ends_its_child_is_told_from_the_reference_there_and_costs_its_neighbours_nothing(
    worker, action
):
    panel = panel_of(worker, hostile(action), DOUBLED, RIGHT)
    news = panel.news([(1,), (3,), (4,)])
    assert set(news[0]) >= {"program p1"}
    assert "program p2" not in {each for one in news for each in one}
    assert "program p0" in {each for one in news for each in one}


@pytest.mark.parametrize(
    "action",
    [
        "sum(range(10 ** 12))",
        "while True:\n            pass",
        "while True:\n            try:\n                f(3)\n            except BaseException:\n                pass",
    ],
)
def test_to_be_slow_is_not_to_be_wrong(worker, action):
    panel = panel_of(worker, hostile(action), DOUBLED, steps=1000)
    assert panel.news([(1,), (3,), (4,)]) == [("program p1",), (), ()]
    assert (panel.told.stopped, panel.told.wrong) == (0, 1)


def test_a_program_that_is_slow_too_often_is_stopped(worker):
    panel = panel_of(worker, hostile("while True:\n            pass", when="n > 2"), steps=1000)
    assert panel.news([(n,) for n in range(9)]) == [()] * 9
    assert panel.told.stopped == 1


def test_a_program_that_takes_many_steps_on_all_inputs_together_is_stopped(worker):
    slow = "def f(n):\n    for _ in range(300):\n        pass\n    return n * n\n"
    panel = panel_of(worker, slow, steps=100)
    assert panel.news([(n,) for n in range(20)]) == [()] * 20
    assert panel.told.stopped == 0
    panel.news([(n,) for n in range(60)])
    assert panel.told.stopped == 1


def test_a_program_cannot_change_what_the_reference_or_another_returns(worker):
    source = (
        "import builtins, operator\nbuiltins.sum = builtins.len = builtins.print = lambda *a: 0\n"
        "import sys\nfor m in list(sys.modules.values()):\n"
        "    for k, v in list(vars(m).items()):\n        pass\n"
        "def f(n):\n    return n * n\n"
    )
    panel = panel_of(worker, source, RIGHT, DOUBLED)
    assert panel.news([(1,), (3,)])[0] == ("program p2",)
    assert panel.told.wrong == 1


def test_one_that_fails_too_often_is_stopped_and_one_that_answers_at_random_is_news_once(worker):
    panel = panel_of(
        worker,
        hostile("os._exit(0)", when="n > 2"),
        hostile("return os.urandom(8)", when="n > 2"),
        hostile("return os.urandom(8)", when="n > 2") + "x = 1\n",
    )
    news = panel.news([(n,) for n in range(3, 30)])
    assert len([each for one in news for each in one]) == 3
    assert len(news[0]) == 3
    assert (panel.told.stopped, panel.told.classes) == (1, 4)


def test_no_more_than_so_many_take_part_and_the_choice_is_the_same_each_time(worker):
    sources = [f"def f(n):\n    return n * n if n < {limit} else 0\n" for limit in range(3, 12)]
    told = [[each for one in panel_of(worker, *sources, most=4).news([(20,)]) for each in one] for _ in range(2)]
    assert told[0] == told[1]
    assert len(told[0]) == 4
    assert panel_of(worker, *sources, most=4).told.left_out == {"one too many": 5}


@pytest.mark.parametrize(
    "value", ["'a' * 20_000", "'a'.ljust(9_000_000)", "[0.5] * 5_000", "object()", "f", "float('nan')"]
)
def test_a_value_of_any_length_and_type_differs_from_the_references(worker, value):
    panel = panel_of(worker, hostile(f"return {value}"))
    assert panel.news([(1,), (3,)]) == [(), ("program p0",)]


def test_iterators_are_compared_by_what_they_give(worker):
    task = task_of("def f(a):\n    return map(abs, a)\n", ([1],))
    panel = panel_of(worker, "def f(a):\n    return (abs(x) for x in a)\n", task=task)
    assert panel.told.left_out == {}
    assert panel.news([([-1, 2],)]) == [()]
