"""How much the tests of a task see."""

from evalplus_run.audit.mutants import strength
from tests.audit.conftest import task_of

REFERENCE = "def f(n):\n    return n > 3\n"


def test_mutants_that_no_test_tells_from_the_reference_survive(runner):
    weak = strength(runner, task_of(REFERENCE, [(9,)]), 40)
    strong = strength(runner, task_of(REFERENCE, [(9,), (3,), (4,)], [(5,)]), 40)
    assert 0 == len(strong.survivors) < len(weak.survivors) < weak.mutants == strong.mutants
    assert all("line 2" in each.reason for each in weak.findings())


def test_every_test_counts_however_many_there_are(runner):
    many = strength(runner, task_of(REFERENCE, [(9,)] * 100, [(3,), (4,)]), 40)
    assert many.survivors == strength(runner, task_of(REFERENCE, [(9,), (3,), (4,)]), 40).survivors


def test_what_the_entry_point_does_not_call_has_no_mutants(runner):
    helpers = "def unused(n):\n    return n + 1\n\ndef used(n):\n    return n\n\n"
    task = task_of(helpers + "def f(n):\n    return used(n) > 3\n", [(9,)])
    survivors = strength(runner, task, 40).survivors
    assert survivors
    assert all(each.line != 2 for each in survivors)
