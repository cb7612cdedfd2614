import pytest

from evalplus_run.benchmarks.declared import ill_typed
from evalplus_run.records import Task


def found(signature, *inputs):
    task = Task("Test/0", "", "f", f"import typing\nfrom typing import *\ndef f({signature}): return 1\n", (), ())
    return [test for test, _ in ill_typed(task, inputs)]


@pytest.mark.parametrize(
    ("annotation", "right", "wrong"),
    [
        ("int", 3, True),
        ("float", 3, "3"),
        ("float", 3.0, False),
        ("str", "a", ["a"]),
        ("bool", True, 1),
        ("list", [1, "a"], (1,)),
        ("List[str]", ["a"], "a"),
        ("list[List[int]]", [[1], []], [1]),
        ("typing.List[int]", [1], [True]),
        ("Dict[str, int]", {"a": 1}, {1: 1}),
        ("Tuple[int, str]", (1, "a"), (1, "a", 2)),
        ("Tuple[int, ...]", (1, 2, 3), (1, "a")),
        ("Set[int]", {1}, [1]),
        ("Optional[int]", None, "a"),
        ("Union[int, str]", "a", 1.5),
        ("int | None", None, "a"),
        ("'List[int]'", [1], 1),
        ("None", None, 0),
    ],
)
def test_an_input_of_another_type_than_declared_is_found(annotation, right, wrong):
    assert found(f"x: {annotation}", (right,), (wrong,), (right,)) == [1]


@pytest.mark.parametrize("annotation", ["Any", "Callable", "Iterable[int]", "np.ndarray", "'not an expression('"])
def test_what_cannot_be_told_from_a_value_fits(annotation):
    assert found(f"x: {annotation}", (1,), ("a",)) == []


def test_parameters_without_a_type_are_passed_over():
    assert found("x, y: int", ("a", 1), ("a", "b")) == [1]
    assert found("x, y", ("a", 1)) == []


def test_the_reason_names_the_parameter_and_both_types():
    task = Task("Test/0", "", "f", "def f(x: list[str]): return 1\n", (), ())
    assert [*ill_typed(task, (("ab",), ([1],)))] == [
        (0, "x is declared list[str] and is str"),
        (1, "x is declared list[str] and is list of int"),
    ]
