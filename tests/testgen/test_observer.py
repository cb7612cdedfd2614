"""What the sandbox tells of a reference and its mutants."""

import pytest

from evalplus_run.records import RunFailed
from evalplus_run.testgen.observer import Observer
from tests.testgen.conftest import MEMORY, task_of

LOOP = "def f(n):\n    total = 0\n    for i in range(n):\n        if i % 2:\n            total += i\n    return total\n"
BLOCKING = "__import__('re').match('(a*)*b', 'a' * 40)"
"""Takes long in one step."""


def observe(worker, task, inputs, mutants=(), steps=10_000):
    return Observer(worker, task, memory=MEMORY, steps=steps).observe(inputs, mutants)


def test_outcomes_are_those_that_ran(worker):
    observer = Observer(worker, task_of(LOOP), memory=MEMORY, steps=10_000)
    (none, one, both), _ = observer.observe([(0,), (1,), (2,)], [])
    assert observer.outcomes == 5
    assert len({none.outcomes, one.outcomes, both.outcomes}) == 3
    assert set(one.outcomes) < set(both.outcomes)
    assert (none.value, one.value, both.value) == (0, 0, 1)


def test_a_mutant_is_killed_by_another_value_an_exception_or_too_many_steps(worker):
    task = task_of("def f(n):\n    while n > 3:\n        n -= 1\n    return n\n")
    mutants = [
        "def f(n):\n    while n > 2:\n        n -= 1\n    return n\n",
        "def f(n):\n    raise ValueError\n",
        "def f(n):\n    while n > 3:\n        n += 1\n    return n\n",
        "def f(n):\n    while n >= 4:\n        n -= 1\n    return n\n",
    ]
    (small, large), blocked = observe(worker, task, [(1,), (9,)], mutants)
    assert small.killed == {1}
    assert large.killed == {0, 1, 2}
    assert not blocked


def test_a_float_that_differs_by_rounding_kills_nothing(worker):
    (seen,), _ = observe(worker, task_of("def f(x):\n    return [x * 3]\n"), [(0.1,)], ["def f(x): return [0.3]"])
    assert not seen.killed


@pytest.mark.parametrize(
    ("reference", "contract", "ending"),
    [
        ("def f(n):\n    return n\n", "\n    assert n > 5, 'invalid'\n", "contract"),
        ("def f(n):\n    return 1 // 0\n", "", "ZeroDivisionError"),
        ("def f(n):\n    while True:\n        pass\n", "", "exhausted"),
        ("def f(n):\n    return 3 ** 10 ** 9\n", "", "exhausted"),
        ("def f(n):\n    return sum(range(10 ** 12))\n", "", "exhausted"),
        ("def f(n):\n    return sum(range(10 ** 12, 0, -1))\n", "", "exhausted"),
        ("import itertools\ndef f(n):\n    return list(itertools.product([1, 2], repeat=60))\n", "", "exhausted"),
        ("import itertools\ndef f(n):\n    x = set()\n    x.update(itertools.count())\n", "", "exhausted"),
        ("def f(n):\n    return len(range(10 ** 12)) - 10 ** 12\n", "", "returned"),
        (f"def f(n):\n    return {BLOCKING}\n", "", "stalled"),
        ("import itertools\nc = itertools.count()\ndef f(n):\n    return next(c)\n", "", "unsteady"),
        ("def f(n):\n    return 'a' * 90000\n", "", "too large"),
        ("def f(n):\n    return object()\n", "", "unsteady"),
        ("def f(n):\n    return f\n", "", "opaque"),
    ],
)
def test_what_is_no_test_is_refused_with_the_reason(worker, reference, contract, ending):
    (seen,), _ = observe(worker, task_of(reference, contract=contract), [(1,)])
    assert seen.ending == ending


def test_an_input_that_stalls_costs_those_after_it_nothing(worker):
    task = task_of(f"def f(n):\n    return {BLOCKING} if n == 2 else n\n")
    seen, _ = observe(worker, task, [(1,), (2,), (3,)])
    assert [each.ending for each in seen] == ["returned", "stalled", "returned"]


def test_a_mutant_that_blocks_is_found_and_the_others_are_judged(worker):
    task = task_of("def f(n):\n    return n\n")
    mutants = [
        "def f(n):\n    return n + 1\n",
        f"def f(n):\n    return {BLOCKING}\n",
        "def f(n):\n    return n",
    ]
    (seen,), blocked = observe(worker, task, [(1,)], mutants)
    assert blocked == {1}
    assert seen.killed == {0, 1}


def test_a_mutant_that_blocks_is_killed_by_no_other_input(worker):
    task = task_of("def f(n):\n    return n\n")
    mutant = f"def f(n):\n    return {BLOCKING} if n == 2 else n\n"
    seen, blocked = observe(worker, task, [(1,), (2,), (3,)], [mutant])
    assert blocked == {0}
    assert [each.killed for each in seen] == [set(), {0}, set()]


def test_a_program_that_changes_its_argument_changes_it_for_nobody_else(worker):
    task = task_of("def f(a):\n    a.append(1)\n    return len(a)\n")
    (seen,), _ = observe(worker, task, [([],)], ["def f(a):\n    return len(a) + 1\n"])
    assert (seen.value, seen.killed) == (1, frozenset())


def test_the_contract_knows_the_names_of_the_module(worker):
    task = task_of(
        "import math\ndef f(x=1):\n    return x\n", contract="\n\tassert math.isfinite(x)\n\ty = x\n\tassert y"
    )
    seen, _ = observe(worker, task, [(2,), (0,)])
    assert [each.ending for each in seen] == ["returned", "contract"]


def test_a_reference_that_cannot_be_loaded_ends_the_run(worker):
    with pytest.raises(RunFailed, match="Small/0"):
        observe(worker, task_of("import nowhere\ndef f(n): ...\n"), [(1,)])
