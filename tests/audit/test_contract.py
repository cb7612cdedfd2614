"""Inputs that a contract refuses."""

from evalplus_run.audit.contract import find_refused
from evalplus_run.audit.findings import Kind
from tests.audit.conftest import places, task_of

CONTRACT = "\n    assert isinstance(n, int), 'invalid' # a note\n    assert n > 0\n"
REFERENCE = "def f(n):\n    return n\n"


def test_a_refused_input_is_found_with_the_assertion_that_refuses_it(runner):
    task = task_of(REFERENCE, [(1,), (0,)], [("a",), (3,)], contract=CONTRACT)
    found = list(find_refused(runner, task))
    assert places(found) == [(Kind.CONTRACT, "base", 1), (Kind.CONTRACT, "plus", 0)]
    assert [each.reason.split()[1] for each in found] == ["2", "1"]
    assert all(each.is_fault for each in found)


def test_an_example_of_the_prompt_is_no_fault_though_the_contract_refuses_it(runner):
    task = task_of(REFERENCE, [(-7,), (-8,)], contract=CONTRACT, prompt="def f(n):\n    '''\n    >>> f(-7)\n    '''\n")
    example, other = find_refused(runner, task)
    assert (example.kind, other.kind) == (Kind.EXAMPLE, Kind.CONTRACT)
    assert not example.is_fault


def test_a_contract_that_raises_what_it_does_not_mean_to_refuses_too(runner):
    (found,) = find_refused(runner, task_of(REFERENCE, [(0,)], contract="\n    x = 1 // n\n"))
    assert found.reason == "the contract raises ZeroDivisionError"


def test_without_a_contract_nothing_is_refused(runner):
    assert not list(find_refused(runner, task_of(REFERENCE, [(0,)])))


def test_a_contract_changes_no_input_of_those_after_it(runner):
    task = task_of("def f(a):\n    return a\n", [([1],), ([2],)], contract="\n    a.pop()\n    assert not a\n")
    assert not list(find_refused(runner, task))
