"""What programs of several models tell of the tests that judged them."""

import functools

import pytest

from evalplus_run.audit.findings import Finding, Kind, errata_of
from evalplus_run.audit.models import judge_all, pass_rates
from evalplus_run.audit.samples import find_other_answers, find_undecided
from evalplus_run.records import Program
from tests.audit.conftest import task_of

# The reference is wrong at 4.
TASK = task_of("def f(x):\n    return 99 if x == 4 else x\n", [(x,) for x in range(5)], [(x,) for x in range(20, 40)])
RIGHT = "def f(x):\n    return x\n"


@pytest.fixture(autouse=True)
def own_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("EVALPLUS_RUN_CACHE", str(tmp_path))


@pytest.fixture
def judged(runner):
    """What comes of programs, by model."""
    return functools.partial(judge_by_model, runner)


def judge_by_model(runner, programs, task=TASK, faults=()):
    given = {model: [Program("Small/0", i, text) for i, text in enumerate(some)] for model, some in programs.items()}
    return judge_all(runner, [task], given, errata_of(faults), lambda: None)


def test_a_test_at_which_models_agree_on_another_value_is_found(runner, judged):
    programs = judged({"a": [RIGHT], "b": [RIGHT], "c": ["def f(x):\n    return x if x < 30 else 0\n"]})["Small/0"]
    (found,) = find_other_answers(runner, TASK, programs)
    assert (found.kind, found.suite, found.test) == (Kind.ANOTHER_ANSWER, "base", 4)
    assert found.reason.startswith("2 programs of 2 models agree on 4 in place of 99")
    assert not found.is_fault


@pytest.mark.parametrize(
    "programs",
    [
        {"a": [RIGHT, RIGHT]},
        {"a": [RIGHT], "b": ["def f(x):\n    return -1 if x == 4 else x\n"]},
        {"a": ["def f(x):\n    return 0\n"], "b": ["def f(x):\n    return 0\n"]},
        {"a": ["def f(x):\n    return x if x != 4 else 1 // 0\n"], "b": [RIGHT]},
    ],
    ids=["one model alone", "another value each", "wrong everywhere", "an exception"],
)
def test_what_several_nearly_right_models_do_not_say_is_no_finding(runner, programs, judged):
    assert not list(find_other_answers(runner, TASK, judged(programs)["Small/0"]))


def test_a_test_that_is_left_out_fails_nobody(judged):
    fault = Finding(Kind.ILL_TYPED, "Small/0", "", "base", 4)
    (program,) = judged({"a": [RIGHT]}, faults=[fault])["Small/0"]
    assert program.verdict.passed


def test_accepted_programs_that_differ_from_the_reference_elsewhere_are_found(runner, judged):
    task = task_of("def f(x):\n    return abs(x)\n", [(1,), (2,)])
    programs = judged({"a": [RIGHT], "b": [RIGHT], "c": ["def f(x):\n    return abs(x)\n"]}, task)["Small/0"]
    (found,) = find_undecided(runner, task, programs, [(3,), (-3,)])
    assert found.kind is Kind.UNDECIDED
    assert found.reason == "2 programs of 2 models, of 3 that pass all tests, give -3 at f(-3), the reference 3"
    assert not list(find_undecided(runner, task, programs, [(3,)]))


def test_a_models_pass_rate_is_the_share_of_its_samples_where_all_models_have_some(judged):
    programs = judged({"a": [TASK.reference, RIGHT], "b": [RIGHT]})
    assert pass_rates(programs, ["a", "b"]) == {"Small/0": [0.5, 0.0]}
    assert pass_rates(programs, ["a", "b", "c"]) == {}
