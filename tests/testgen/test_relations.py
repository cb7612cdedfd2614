"""Relations that inputs show, and inputs made to have them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalplus_run.testgen.relations import (
    IsLength,
    NotBelow,
    NotEmpty,
    Rectangular,
    SameLength,
    Sorted,
    Within,
    relations,
    repaired,
)

INTS = st.lists(st.integers())


@pytest.mark.parametrize(
    ("seeds", "relation"),
    [
        ([([1, 2, 5],), ([0, 3, 4, 9],)], Sorted(0, falling=False)),
        ([([5, 2, 1],), ([9, 4, 3],)], Sorted(0, falling=True)),
        ([([1, 2], "ab"), ([3, 4, 5], "abc")], SameLength(0, 1)),
        ([([1, 5], 2), ([3, 4, 5], 3)], IsLength(1, 0, 0)),
        ([(1, [1, 5]), (2, [3, 4, 5])], IsLength(0, 1, 1)),
        ([([[1, 2], [3, 4]],), ([[1, 2, 3], [4, 5, 6]],)], Rectangular(0)),
    ],
)
def test_what_two_inputs_show_is_a_relation_with_a_contract_or_without(seeds, relation):
    assert relation in relations(seeds, has_contract=True)
    assert relation in relations(seeds, has_contract=False)


@pytest.mark.parametrize(
    ("seeds", "relation"),
    [([(3,), (4,)], NotBelow(0, 1)), ([(0,), (4,)], NotBelow(0, 0)), ([("a",), ("b",)], NotEmpty(0))],
)
def test_signs_and_emptiness_are_the_contracts_where_there_is_one(seeds, relation):
    assert relation in relations(seeds, has_contract=False)
    assert relation not in relations(seeds, has_contract=True)


def test_one_input_against_it_or_one_alone_for_it_is_enough_to_have_none():
    against = [([1, 2, 5],), ([0, 3, 9],), ([2, 1],)]
    assert Sorted(0, falling=False) not in relations(against, has_contract=True)
    assert Sorted(0, falling=False) not in relations([([1, 2, 5],), ([],)], has_contract=True)


@given(INTS, INTS, st.integers())
def test_a_repaired_input_has_all_relations(first, second, number):
    seeds = [([1, 2, 3], [4, 5, 6], 3), ([2, 5, 6, 7], [4, 4, 9, 9], 4)]
    known = relations(seeds, has_contract=False)
    assert {type(each) for each in known} >= {Sorted, SameLength, IsLength, NotBelow}
    made = repaired((first, second, number), [each for each in known if not isinstance(each, NotEmpty)])
    assert all(each.holds(made) for each in known if not isinstance(each, (NotEmpty, NotBelow, Within)))


@given(st.lists(INTS))
def test_rows_are_cut_to_the_shortest(rows):
    (made,) = repaired((rows,), [Rectangular(0)])
    assert Rectangular(0).holds((made,))
    assert len(made) == len(rows)


@pytest.mark.parametrize("value", [None, 5])
def test_an_argument_of_another_kind_is_left_as_it_is_and_has_no_relation(value):
    known = [Rectangular(0), SameLength(0, 1), IsLength(2, 0, 0), Sorted(0, falling=True), Within(2, 0)]
    assert repaired((value, [1], 3), known) == (value, [1], 3)
    assert not any(each.holds((value, [1], 3)) for each in known)
