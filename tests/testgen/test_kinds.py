"""Kinds from values and from annotations."""

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalplus_run.testgen.kinds import (
    NOTHING,
    Choice,
    Dictionary,
    Fixed,
    Items,
    Row,
    Scalar,
    fits,
    join,
    join_all,
    of_annotation,
    of_value,
    settled,
)

INT, STR, NONE = Scalar("int"), Scalar("str"), Scalar("NoneType")
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.binary()
HASHABLE = st.recursive(SCALARS, lambda part: st.tuples(part, part) | st.frozensets(part, max_size=3), max_leaves=5)
VALUES = st.recursive(
    HASHABLE,
    lambda part: st.lists(part, max_size=4) | st.dictionaries(st.text(), part, max_size=3) | st.sets(HASHABLE),
    max_leaves=12,
)


@given(VALUES)
def test_a_value_is_of_its_own_kind(value):
    assert fits(value, of_value(value))


@given(VALUES, VALUES)
def test_both_values_are_of_the_joined_kind_whatever_the_order(first, second):
    kind = join(of_value(first), of_value(second))
    assert fits(first, kind)
    assert fits(second, kind)
    assert kind == join(of_value(second), of_value(first))


def test_a_bool_is_no_int():
    assert not fits(True, INT)
    assert join(of_value(True), of_value(1)) == Choice((Scalar("bool"), INT))


def test_what_an_empty_list_holds_is_told_by_another():
    assert join(of_value([]), of_value([1])) == Items("list", INT)


def test_a_list_of_different_things_is_a_row_until_its_length_changes():
    assert of_value(["a", 1]) == Row("list", (STR, INT))
    assert join(of_value(["a", 1]), of_value(["b", 2, 3])) == Items("list", Choice((INT, STR)))


def test_a_tuple_of_alike_items_is_a_sequence_and_a_pair_within_a_list_stays_one():
    assert settled(of_value((1, 2, 3))) == Items("tuple", INT)
    assert settled(of_value([(1, 2), (3, 4)])) == Items("list", Row("tuple", (INT, INT)))


def test_a_type_that_is_not_known_is_kept_as_it_is():
    assert of_value(range(3)) == Fixed("range")


@pytest.mark.parametrize(
    ("annotation", "kind"),
    [
        ("List[int]", Items("list", INT)),
        ("typing.Optional[str]", Choice((NONE, STR))),
        ("int | None", Choice((NONE, INT))),
        ("Union[int, str]", Choice((INT, STR))),
        ("Tuple[int, str]", Row("tuple", (INT, STR))),
        ("tuple[int, ...]", Items("tuple", INT)),
        ("Dict[str, List[int]]", Dictionary(STR, Items("list", INT))),
        ("'set[str]'", Items("set", STR)),
        ("list", Items("list", NOTHING)),
        ("Widget", None),
        ("Union[int, Widget]", None),
    ],
)
def test_an_annotation_is_read(annotation, kind):
    assert of_annotation(ast.parse(annotation, mode="eval").body) == kind


def test_any_takes_booleans_and_none_too():
    kind = join_all([of_annotation(ast.Name("Any"))])
    assert all(fits(value, kind) for value in (True, None, 1, 0.5, "a", [1], {"a": 1}))
