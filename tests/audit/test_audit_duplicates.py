"""Tests that are there twice."""

from evalplus_run.audit.duplicates import find_duplicates
from evalplus_run.audit.findings import Kind
from tests.audit.conftest import places, task_of


def test_a_test_is_a_duplicate_of_an_earlier_one_of_either_suite():
    task = task_of("", [(1,), (2,), (1,)], [(2,), (3,)])
    found = list(find_duplicates(task))
    assert places(found) == [(Kind.DUPLICATE, "base", 2), (Kind.DUPLICATE, "plus", 0)]
    assert found[1].reason == "the same input as base test 1"
    assert not any(each.is_fault for each in found)


def test_values_of_other_types_are_no_duplicates():
    assert not list(find_duplicates(task_of("", [(1,), (1.0,), (True,), ([1],), ((1,),)])))
