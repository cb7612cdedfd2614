"""Mutated inputs are of the kinds of their parents, and the same for the same seed."""

import subprocess
import sys
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalplus_run.testgen.ingredients import examples, gather
from evalplus_run.testgen.kinds import fits
from evalplus_run.testgen.mutation import Mutator
from evalplus_run.testgen.signatures import argument_kinds
from evalplus_run.testgen.values import key
from tests.testgen.conftest import task_of

ARGUMENTS = st.tuples(
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(),
    st.booleans(),
    st.none(),
    st.binary(),
    st.lists(st.integers()),
    st.sets(st.integers()),
    st.frozensets(st.text()),
    st.dictionaries(st.text(), st.lists(st.floats(allow_nan=False, allow_infinity=False))),
    st.lists(st.tuples(st.integers(), st.text())),
    st.complex_numbers(allow_nan=False, allow_infinity=False),
)


def mutator_for(task, seed=0):
    kinds = argument_kinds(task, task.base_inputs)
    return kinds, Mutator(kinds, gather(task, kinds, task.base_inputs), Random(seed))


@given(ARGUMENTS, st.integers(0, 1000))
def test_a_mutated_input_has_the_kinds_and_the_number_of_arguments_of_its_parent(arguments, seed):
    task = task_of("def f(*a): ...", arguments)
    kinds, mutator = mutator_for(task, seed)
    for _ in range(5):
        new, _names = mutator.mutated(arguments, [arguments])
        assert len(new) == len(arguments)
        assert all(map(fits, new, kinds)), new


@given(st.integers(0, 100))
def test_what_cannot_be_mutated_stays(seed):
    arguments = (range(4), 1)
    _, mutator = mutator_for(task_of("def f(a, b): ...", arguments), seed)
    new, _ = mutator.mutated(arguments, [arguments])
    assert new[0] == range(4)


@pytest.mark.parametrize("empty", [set(), frozenset(), [], (), {}, "", b""])
def test_an_empty_argument_is_no_trouble(empty):
    _, mutator = mutator_for(task_of("def f(a): ...", (empty,)))
    made = {key(mutator.mutated((empty,), [(empty,)])[0]) for _ in range(60)}
    assert made


def test_a_default_that_no_input_gives_is_never_given():
    arguments = (1,)
    _, mutator = mutator_for(task_of("def f(a, b=0): ...", arguments))
    assert {len(mutator.mutated(arguments, [arguments])[0]) for _ in range(50)} == {1}


_SCRIPT = """
from tests.testgen.test_mutation import mutator_for, key, task_of
arguments = ({"b", "a", "cc"}, {"x": {1, 2}}, "ab c", 3)
_, mutator = mutator_for(task_of("def f(a, b, c, d): return 'lit'", arguments))
print([key(mutator.mutated(arguments, [arguments])[0]) for _ in range(200)])
"""


def test_the_order_of_sets_in_a_process_changes_nothing():
    made = {
        subprocess.run(
            [sys.executable, "-c", _SCRIPT], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("0", "1", "7")
    }
    assert len(made) == 1


def test_examples_of_the_prompt_are_inputs_where_they_are_literals_of_the_right_kinds():
    prompt = '''def f(a, b):
    """
    >>> f([1, (2)], "x)")
    3
    f(a, b) is f([True], 2), f([4], 'y') -> 1
    """
'''
    task = task_of("def f(a, b): ...", ([5], "z"), prompt=prompt)
    kinds = argument_kinds(task, task.base_inputs)
    assert list(examples(task, kinds)) == [([1, 2], "x)"), ([4], "y")]
