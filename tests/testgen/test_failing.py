"""Programs with bugs, run in the sandbox on ever smaller inputs."""

import pytest

from evalplus_run.evaluate.judging import Rules
from evalplus_run.evaluate.settings import EvaluateSettings
from evalplus_run.records import Outcome
from evalplus_run.sandbox import tiers
from evalplus_run.sandbox.settings import SandboxSettings
from evalplus_run.testgen.failing import NotShrunk, shrink_failure
from tests.testgen.conftest import MEMORY, task_of

RULES = Rules(MEMORY, EvaluateSettings(min_time_limit=0.3), tiers.choose_tier(SandboxSettings()))
SUM = "def f(x):\n    return sum(x)\n"
NUMBERS = ([14, -3, 8, 20, -77, 5, 9, 61] * 5,)


@pytest.fixture
def found(worker):
    def shrunk(task, program, arguments, profile="evalplus"):
        return shrink_failure(worker, task, program, arguments, RULES, profile)

    return shrunk


def test_an_off_by_one_on_longer_lists_with_a_negative_number_shrinks_to_four_items(found):
    program = "def f(x):\n    return sum(x) - (len(x) > 3 and min(x) < 0)\n"
    small = found(task_of(SUM), program, NUMBERS)
    assert sorted(small.arguments[0]) == [-1, 0, 0, 0]
    assert (small.verdict.outcome, small.verdict.expected, small.verdict.got) == (Outcome.WRONG, "-1", "-2")
    assert small.is_least
    assert small.keeps_contract


def test_a_failure_of_another_kind_is_not_taken_for_it(found):
    program = "def f(x):\n    if len(x) < 3: raise KeyError('a')\n    return sum(x) if len(x) < 6 else x[99]\n"
    small = found(task_of(SUM), program, NUMBERS)
    assert len(small.arguments[0]) == 6
    assert small.verdict.error.startswith("IndexError")


@pytest.mark.parametrize(
    ("contract", "least"), [("    assert sum(x) > 100", 101), ("    assert len(x) > 2", 0), ("    assert not x", None)]
)
def test_the_contract_holds_still_where_it_held(found, contract, least):
    small = found(task_of(SUM, contract=contract), "def f(x):\n    return None\n", ([70, 60, 50],))
    assert small.keeps_contract == (least is not None)
    assert least is None or sum(small.arguments[0]) == least


def test_the_reference_returns_on_the_smaller_input(found):
    task = task_of("def f(x):\n    return x[4]\n")
    assert len(found(task, "def f(x):\n    return x[3]\n", (list(range(50)),)).arguments[0]) == 5


def test_values_are_compared_as_the_judge_does(found):
    near = "def f(x):\n    return x / 3 + (1e-9 if x < 50 else 1)\n"
    assert found(task_of("def f(x):\n    return x / 3\n"), near, (1234.5,)).arguments == (50.0,)


def test_each_input_is_judged_with_the_program_as_just_loaded(found):
    program = "seen = []\ndef f(x):\n    seen.append(x)\n    return sum(x) + (len(seen) > 1) + (len(x) > 9)\n"
    assert found(task_of(SUM), program, NUMBERS).arguments == ([0] * 10,)


@pytest.mark.parametrize(
    ("program", "why"),
    [
        (SUM, "alone"),
        ("def f(x):\n    while True: pass\n", "a failure by timeout"),
        ("import os\ndef f(x):\n    os._exit(1)\n", "a failure by crash"),
    ],
)
def test_what_is_not_to_be_met_again_is_not_shrunk(found, program, why):
    with pytest.raises(NotShrunk, match=why):
        found(task_of(SUM), program, NUMBERS)


def test_a_program_that_is_endless_on_smaller_inputs_still_shrinks(found):
    program = "def f(x):\n    while len(x) == 20: pass\n    return 0\n"
    small = found(task_of(SUM), program, NUMBERS)
    assert (small.arguments, small.is_least) == (([1],), True)


def test_a_search_that_waits_too_often_is_given_up_and_says_so(found, monkeypatch):
    monkeypatch.setattr("evalplus_run.testgen.failing._MOST_TIMEOUTS", 1)
    small = found(task_of(SUM), "def f(x):\n    while len(x) < 40: pass\n    return 0\n", NUMBERS)
    assert not small.is_least
    assert small.verdict.outcome is Outcome.WRONG
