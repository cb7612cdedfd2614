import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalplus_run.benchmarks.mbpp import restore, serialize

NUMBERS = st.integers() | st.floats(allow_nan=False)
LISTS = st.lists(NUMBERS, max_size=4)
NESTED = st.recursive(NUMBERS, lambda values: st.lists(values, max_size=3), max_leaves=8)


@pytest.mark.parametrize(
    ("task_id", "stored", "restored"),
    [
        ("Mbpp/3", [[1, [2]]], ([1, [2]],)),
        ("Mbpp/2", [[3, 4], [5]], ((3, 4), (5,))),
        ("Mbpp/63", [[[3, 5], [1, 7]]], ([(3, 5), (1, 7)],)),
        ("Mbpp/75", [[[6, 24], [7, 9]], 6], ([(6, 24), (7, 9)], 6)),
        ("Mbpp/106", [[5, 6], [9, 10]], ([5, 6], (9, 10))),
        ("Mbpp/115", [[[1, 2], [], {"a": 1}]], ([{1, 2}, {}, {}],)),
        ("Mbpp/124", ["2", "(-0-1j)"], (2.0, complex(-0.0, -1.0))),
        ("Mbpp/252", [1], (1 + 0j,)),
        ("Mbpp/250", [[10, 8], 4], ((10, 8), 4)),
        ("Mbpp/259", [[[1, 3]], [[6, 7]]], (((1, 3),), ((6, 7),))),
        ("Mbpp/278", [[1, [4, [6]], "ab"]], ((1, (4, [6]), "ab"),)),
        ("Mbpp/307", [["HELLO", 5, []], 2, 50], (("HELLO", 5, []), 2, 50)),
        ("Mbpp/722", [{"Ada": [6.2, 70]}, 6.0, 70], ({"Ada": (6.2, 70)}, 6.0, 70)),
        ("Mbpp/580", [[4, [7, [2]]]], ((4, (7, (2,))),)),
    ],
)
def test_arguments_get_the_types_that_their_task_wants(task_id, stored, restored):
    assert repr(restore(task_id, stored)) == repr(restored)


@pytest.mark.parametrize(("task_id", "stored"), [("Mbpp/2", [3]), ("Mbpp/75", [[[1]]]), ("Mbpp/252", ["one"])])
def test_arguments_of_another_shape_are_refused(task_id, stored):
    with pytest.raises((TypeError, ValueError)):
        restore(task_id, stored)


@pytest.mark.parametrize(
    ("task_id", "arguments"),
    [
        ("Mbpp/2", st.tuples(LISTS, LISTS)),
        ("Mbpp/63", st.tuples(st.lists(LISTS))),
        ("Mbpp/75", st.tuples(st.lists(LISTS), NUMBERS)),
        ("Mbpp/115", st.tuples(st.lists(LISTS | st.dictionaries(st.text(), NUMBERS)))),
        ("Mbpp/124", st.tuples(NUMBERS.map(str), st.complex_numbers(allow_nan=False).map(str))),
        ("Mbpp/252", st.tuples(st.complex_numbers(allow_nan=False).map(str))),
        ("Mbpp/259", st.tuples(st.lists(LISTS), st.lists(LISTS))),
        ("Mbpp/278", st.tuples(st.lists(NUMBERS | LISTS))),
        ("Mbpp/722", st.tuples(st.dictionaries(st.text(), LISTS), NUMBERS, NUMBERS)),
        ("Mbpp/580", st.tuples(NESTED.filter(lambda value: isinstance(value, list)))),
    ],
)
def test_restored_arguments_survive_being_written_and_read_again(task_id, arguments):
    @given(arguments)
    def check(stored):
        restored = restore(task_id, list(stored))
        assert restore(task_id, json.loads(json.dumps(serialize(restored)))) == restored

    check()
