"""Programs on inputs, whatever they do."""

from evalplus_run.judge import decode
from tests.audit.conftest import task_of


def test_an_input_that_ends_the_process_costs_the_others_nothing(runner):
    task = task_of("import os\ndef f(x):\n    if x == 2:\n        os._exit(3)\n    return 10 // (x - 3)\n")
    did = runner.run(task, [(1,), (2,), (3,), (4,)])
    assert [decode(each.value) if each.value else each.error for each in did[:1] + did[3:]] == [-5, 10]
    assert "died" in did[1].error
    assert did[2].error.startswith("ZeroDivisionError")


def test_a_program_that_ends_its_process_again_and_again_is_given_up(runner):
    did = runner.run(task_of("import os\ndef f(x):\n    os._exit(3)\n"), [(x,) for x in range(9)])
    assert [each.error.startswith("not run") for each in did] == [False] * 3 + [True] * 6


def test_a_program_that_cannot_be_loaded_fails_on_every_input(runner):
    did = runner.run(task_of("import nowhere\ndef f(x):\n    return x\n"), [(1,), (2,)])
    assert [each.error.split(":")[0] for each in did] == ["ModuleNotFoundError"] * 2


def test_the_hash_seed_moves_the_order_of_a_set_and_the_same_one_does_not(runner):
    task = task_of("def f(n):\n    return ''.join({chr(97 + i) for i in range(n)})\n")
    orders = [runner.run(task, [(20,)], hash_seed=seed)[0].value for seed in (0, 0, 1)]
    assert orders[0] == orders[1] != orders[2]
