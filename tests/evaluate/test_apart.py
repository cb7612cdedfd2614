"""Inputs that are judged as if each were alone."""

from small_tasks import RULES, task

from evalplus_run.evaluate.apart import judge_apart
from evalplus_run.records import Outcome

PASS, WRONG, CRASH, TIMEOUT = Outcome.PASS, Outcome.WRONG, Outcome.CRASH, Outcome.TIMEOUT


def outcomes(worker, reference, program, inputs, key):
    judged = judge_apart(worker, task(reference), inputs, program, RULES, key)
    return [tuple(each[name].outcome for name in ("evalplus", "strict")) for each in judged]


def test_no_tolerance_is_carried_from_one_input_to_the_next(worker):
    reference = "def f(x):\n    return [x, 1] if x > 1 else 0.5\n"
    program = "def f(x):\n    return [x + 1e-9, 1] if x > 1 else 0.5\n"
    assert outcomes(worker, reference, program, [(1,), (2,)], "a")[1][0] is WRONG


def test_a_program_that_dies_on_one_input_is_judged_on_the_others(worker):
    program = "import os\ndef f(x):\n    return os._exit(3) if x == 2 else x + (x == 4)\n"
    found = outcomes(worker, "def f(x):\n    return x\n", program, [(1,), (2,), (3,), (4,)], "b")
    assert [each[0] for each in found] == [PASS, CRASH, PASS, WRONG]


def test_long_values_are_compared_in_full(worker):
    program = "def f(x):\n    return [x] * 20000 + [x + x % 2]\n"
    found = outcomes(worker, "def f(x):\n    return [x] * 20001\n", program, [(2,), (3,)], "c")
    assert [each[0] for each in found] == [PASS, WRONG]


def test_what_stands_after_a_time_out_was_not_run(worker):
    program = "def f(x):\n    while x == 2: pass\n    return x\n"
    judged = judge_apart(worker, task("def f(x):\n    return x\n"), [(1,), (2,), (3,)], program, RULES, "d")
    assert [(each["evalplus"].outcome, each["evalplus"].test) for each in judged] == [
        (PASS, None),
        (TIMEOUT, 0),
        (TIMEOUT, None),
    ]
