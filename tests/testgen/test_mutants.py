"""Mutants of a reference."""

import ast
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from evalplus_run.testgen.mutants import mutants

REFERENCE = '''
def helper(x):
    """A text that is no code."""
    return x + 1

def f(items, n: int = 3, flag=True):
    """Another."""
    found = []
    for i, each in enumerate(items[1:]):
        if each > n and not flag or i == 0:
            continue
        found.append(sorted(each, reverse=True) if each else helper(-n))
    while len(found) < n:
        found = found * 2
        break
    return [each.lower() for each in found if each]
'''


def made(seed, most=10_000):
    return mutants(REFERENCE, most, Random(seed))


def test_all_mutants_parse_and_differ_from_one_another_and_from_the_reference():
    trees = [ast.dump(ast.parse(each.source)) for each in made(0)]
    assert len(trees) > 50
    assert len({*trees, ast.dump(ast.parse(REFERENCE))}) == len(trees) + 1


def test_docstrings_are_no_code():
    assert not any("A text" in each.source for each in made(0))


@settings(max_examples=10)
@given(st.integers(0, 1000), st.integers(1, 30))
def test_a_few_mutants_are_of_many_operators_and_the_same_for_the_same_seed(seed, most):
    few = made(seed, most)
    assert few == made(seed, most)
    assert len(few) == most
    operators = {each.operator for each in made(seed)}
    assert len({each.operator for each in few}) == min(most, len(operators))


def test_the_order_of_a_sort_the_bounds_of_a_slice_and_a_filter_are_changed():
    operators = {each.operator for each in made(0)}
    assert {"keyword", "slice", "filter", "comparison", "and or", "constant", "jump", "call left out"} <= operators


def test_a_call_on_starred_arguments_is_left_out_in_no_mutant():
    for mutant in mutants("def f(rows):\n    return [sum(each) for each in zip(*rows)]\n", 100, Random(0)):
        ast.parse(mutant.source)
