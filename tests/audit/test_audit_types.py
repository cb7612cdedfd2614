"""Inputs of other types than declared."""

from evalplus_run.audit.findings import Kind
from evalplus_run.audit.types import find_ill_typed
from tests.audit.conftest import places, task_of


def test_an_input_that_contradicts_the_signature_is_found_with_what_is_declared():
    found = list(find_ill_typed(task_of("def f(n: int):\n    return n\n", [(1,)], [(2,), (True,)])))
    assert places(found) == [(Kind.ILL_TYPED, "plus", 1)]
    assert found[0].reason == "n is declared int and is bool"
