"""Going from a failing input to a small one."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalplus_run.testgen.kinds import fits
from evalplus_run.testgen.relations import relations
from evalplus_run.testgen.shrinking import Shape, shrink
from evalplus_run.testgen.signatures import argument_kinds
from evalplus_run.testgen.simpler import rank
from tests.testgen.conftest import task_of

TWO = task_of("def f(a, b):\n    return 0\n", ([1, 2], "xy"), ([3, 4, 5], "xyz"))
ANY = task_of("def f(a):\n    return 0\n", contract="    assert True")


def least(task, arguments, fails):
    return shrink(arguments, Shape(task, arguments), lambda batch: [fails(*each) for each in batch])


@pytest.mark.parametrize(
    ("start", "fails", "end"),
    [
        ([9, -4, 12, 7, 80, -3] * 30, lambda x: len(x) > 3 and min(x) < 0, 13),
        ([5] * 200, lambda x: sum(x) >= 10, 6),
        ("the Quick brown fox " * 50, lambda x: any(c.isupper() for c in x), 3),
        (987_654_321, lambda x: x > 1234, 4),
        ({"a": [1, 2], "bb": [3], "c": []}, lambda x: any(x.values()), 9),
        ([[1, 2, 3]] * 20, lambda x: any(3 in row for row in x), 5),
        (-123.75, lambda x: x < -2.4, 4),
    ],
)
def test_the_input_at_the_end_is_a_small_one(start, fails, end):
    found = least(ANY, (start,), fails)
    assert fails(*found.arguments)
    assert found.is_least
    assert len(repr(found.arguments[0])) == end


@settings(max_examples=25)
@given(
    st.lists(st.integers(), min_size=1, max_size=12).flatmap(
        lambda a: st.tuples(st.just(a), st.text(min_size=len(a), max_size=len(a)))
    ),
    st.sets(st.integers(0, 6)),
)
def test_what_is_run_is_simpler_and_of_the_tasks_kinds_and_has_its_relations(arguments, classes):
    known = [each for each in relations(TWO.base_inputs, has_contract=False) if each.holds(arguments)]
    kinds = argument_kinds(TWO, [*TWO.base_inputs, arguments])
    best = [arguments]

    def fails(batch):
        seen = [sum(a) % 7 in classes for a, _ in batch]
        for each in batch:
            assert rank(each) < rank(best[-1])
            assert all(map(fits, each, kinds))
            assert all(relation.holds(each) for relation in known)
        best.extend(sorted([each for each, failed in zip(batch, seen, strict=True) if failed], key=rank)[:1])
        return seen

    found = shrink(arguments, Shape(TWO, arguments), fails)
    assert found.arguments == best[-1]


def test_an_input_is_run_once():
    run = []
    least(ANY, ([3, 1, 4, 1, 5, 9, 2, 6] * 4,), lambda x: run.append(repr(x)) or len(x) > 2)
    assert len(run) == len(set(run))


def test_the_same_input_shrinks_to_the_same_one():
    sets = ({"pear", "fig", "plum", "kiwi"},)
    assert least(ANY, sets, lambda x: len(x) > 1) == least(ANY, sets, lambda x: len(x) > 1)


def test_a_text_gets_no_characters_that_the_tasks_own_inputs_lack():
    brackets = task_of("def f(s):\n    return 0\n", ("()",), ("([])",))
    assert least(brackets, ("[()][()]",), lambda s: len(s) > 2).arguments == ("(((",)
    assert least(ANY, ("[()][()]",), lambda s: len(s) > 2).arguments == ("aaa",)


def test_arguments_stay_of_one_length_where_all_inputs_have_it():
    found = least(TWO, ([5, 6, 7, 8], "xyzy"), lambda a, b: 7 in a and "z" in b)
    assert found.arguments == ([7], "z")


def test_a_search_that_takes_too_long_is_given_up(monkeypatch):
    monkeypatch.setattr("evalplus_run.testgen.shrinking._MOST", 100)
    found = least(ANY, (list(range(1000, 1300)),), lambda x: len(x) > 200)
    assert not found.is_least
    assert len(str(found.arguments[0])) < len(str(list(range(1000, 1300))))
