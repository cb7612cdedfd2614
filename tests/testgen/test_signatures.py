"""What kinds a task's arguments have, all that is known of them together."""

from evalplus_run.testgen.kinds import NOTHING, Choice, Dictionary, Items, Scalar, fits
from evalplus_run.testgen.signatures import argument_kinds, of_contract
from tests.testgen.conftest import task_of

INT, FLOAT, STR = Scalar("int"), Scalar("float"), Scalar("str")


def kinds(reference, *seeds, contract=""):
    return argument_kinds(task_of(reference, *seeds, contract=contract), seeds)


def test_inputs_tell_what_no_annotation_does():
    assert kinds("def f(a, b): ...", (1, ["x"]), (2, [])) == (INT, Items("list", STR))


def test_an_annotation_tells_of_what_no_input_shows():
    assert kinds("def f(a: Optional[int]): ...", (1,)) == (Choice((Scalar("NoneType"), INT)),)
    assert kinds("def f(a: List[str]): ...", ([],)) == (Items("list", STR),)


def test_a_contract_widens_ints_to_floats_and_keeps_each_list_of_one_type():
    contract = "\n    assert all(isinstance(x, (int, float)) for x in a)\n    assert type(b) in [int, float]\n"
    a, b = kinds("def f(a, b): ...", ([1, 2], 3), contract=contract)
    assert b == Choice((FLOAT, INT))
    assert fits([0.5, 1.5], a)
    assert not fits([0.5, 1], a)


def test_a_contract_of_ints_does_not_let_booleans_in():
    (kind,) = kinds("def f(n): ...", (3,), contract="\n    assert isinstance(n, int) and n > 0\n")
    assert not fits(True, kind)


def test_what_is_in_a_container_that_is_always_empty_is_guessed():
    assert kinds("def f(a, b): ...", ([], {})) == (Items("list", INT), Dictionary(STR, INT))


def test_an_optional_argument_that_no_input_gives_has_no_kind():
    assert len(kinds("def f(a, b=0): ...", (1,))) == 1


def test_assertions_in_loops_and_of_expressions_say_nothing():
    contract = "\n  for x in a:\n    assert isinstance(x, str)\n  assert len(a) > 0\n  assert isinstance(a[0], int)\n"
    assert of_contract(contract) == {}


def test_a_container_in_a_contract_says_nothing_of_its_items():
    assert of_contract("  assert type(a) == list\n") == {"a": Items("list", NOTHING)}


def test_lists_of_one_type_each_stay_so():
    (kind,) = kinds("def f(a): ...", ([1, 2],), (["x"],))
    assert fits(["y", "z"], kind)
    assert not fits(["y", 1], kind)
