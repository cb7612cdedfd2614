"""What each test of a task shows."""

from dataclasses import replace

from evalplus_run.testgen.matrix import observed
from evalplus_run.testgen.settings import ReduceSettings
from tests.testgen.conftest import MEMORY, task_of

TASK = replace(
    task_of("def f(n):\n    if n > 2:\n        return n - 1\n    return 0\n", (0,)), plus_inputs=((2,), (3,), (9,))
)


def test_the_tests_beyond_a_boundary_kill_what_those_below_do_not(worker):
    matrix = observed(worker, TASK, ReduceSettings(), memory=MEMORY)
    below, at, above, far = matrix.tests
    assert len(matrix.base) == 1
    assert set(below.killed) < {number for each in matrix.tests for number in each.killed}
    assert set(at.outcomes) == set(below.outcomes) != set(above.outcomes)
    assert set(above.killed) - set(below.killed)
    assert far.value == "8"
    assert not any(each.unknown for each in matrix.tests)
    assert len(matrix.mutants) > len({*below.killed}) > 0


def test_the_same_settings_make_the_same_matrix(worker):
    assert observed(worker, TASK, ReduceSettings(), memory=MEMORY) == observed(
        worker, TASK, ReduceSettings(), memory=MEMORY
    )


def test_tests_beyond_the_work_that_is_allowed_are_said_to_be_unknown(worker):
    matrix = observed(worker, TASK, ReduceSettings(work=0), memory=MEMORY)
    assert [each.unknown for each in matrix.tests] == ["not run"] * 4
    assert all(each.outcomes for each in matrix.tests)


def test_a_test_that_the_contract_refuses_is_a_test_all_the_same(worker):
    matrix = observed(worker, replace(TASK, contract="    assert n > 5\n"), ReduceSettings(), memory=MEMORY)
    assert not any(each.unknown for each in matrix.tests)


def test_a_test_that_is_too_slow_is_tried_on_no_mutant(worker):
    slow = replace(
        task_of("def f(n):\n    for i in range(n):\n        pass\n    return n\n", (1,)), plus_inputs=((9999,),)
    )
    quick, long = observed(worker, slow, ReduceSettings(steps=1000), memory=MEMORY).tests
    assert (quick.unknown, long.unknown) == ("", "exhausted")
