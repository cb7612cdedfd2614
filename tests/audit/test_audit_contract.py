"""Inputs that a contract refuses."""

import pytest

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


def test_a_contract_that_refuses_an_example_of_the_prompt_is_in_doubt_and_its_tests_are_no_faults(runner):
    task = task_of(REFERENCE, [(-7,), (-8,)], contract=CONTRACT, prompt="def f(n):\n    '''\n    >>> f(-7)\n    '''\n")
    found = list(find_refused(runner, task))
    assert places(found) == [(Kind.CONTRACT_IN_DOUBT, "base", 0), (Kind.CONTRACT_IN_DOUBT, "base", 1)]
    assert not any(each.is_fault for each in found)


@pytest.mark.parametrize(
    ("contract", "kind", "reason"),
    [
        ("\n    x = 1 // n\n", Kind.CONTRACT_IN_DOUBT, "the contract itself fails on it with ZeroDivisionError"),
        ("\n    assert 1 // n\n", Kind.CONTRACT_IN_DOUBT, "the contract itself fails on it with ZeroDivisionError"),
        (
            "\n    try:\n        assert n\n    except:\n        raise Exception('invalid')\n",
            Kind.CONTRACT,
            "raise 1 of the contract refuses it",
        ),
    ],
)
def test_a_contract_refuses_what_it_means_to_refuse_alone(runner, contract, kind, reason):
    (found,) = find_refused(runner, task_of(REFERENCE, [(0,)], contract=contract))
    assert (found.kind, found.reason) == (kind, reason)


def test_without_a_contract_nothing_is_refused(runner):
    assert not list(find_refused(runner, task_of(REFERENCE, [(0,)])))


def test_a_contract_changes_no_input_of_those_after_it(runner):
    task = task_of("def f(a):\n    return a\n", [([1],), ([2],)], contract="\n    a.pop()\n    assert not a\n")
    assert not list(find_refused(runner, task))
