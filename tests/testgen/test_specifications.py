"""What the texts of HumanEval's tasks promise, as contracts."""

import ast
import builtins
import os
import re
import symtable
from dataclasses import replace
from pathlib import Path

import pytest

from evalplus_run.benchmarks import RECORDER, recording_program
from evalplus_run.datasets import named
from evalplus_run.testgen import specifications
from evalplus_run.testgen.observer import Observer, contract_program
from evalplus_run.testgen.signatures import parameter_names
from evalplus_run.testgen.specifications import contract_of, specified
from tests.testgen.conftest import MEMORY, task_of

SOURCE = Path(specifications.__file__).with_name("humaneval.py").read_text("utf-8")
FUNCTIONS = {each.name: each for each in ast.parse(SOURCE).body if isinstance(each, ast.FunctionDef)}
TASKS = {int(task.task_id.removeprefix("HumanEval/")): task for task in named("humaneval").tasks}
AGAINST_THE_TEXT = {
    75: [(125,), (105,), (126,), (729,), (891,), (1001,)],
    78: [([],)],
    103: [(560, 851), (185, 546)],
    116: [([-2, -3, -4, -5, -6],)],
    129: [([[1, 3], [3, 2]], 10)],
}
JUNK = [
    None,
    True,
    5,
    -1,
    2.5,
    "",
    "x",
    [],
    [None],
    [[]],
    {},
    {"a": 1},
    (),
    ("x", 1),
    b"x",
    {1, 2},
    float("nan"),
    1 << 80,
]


def contract(number):
    """The contract of a task, to be called."""
    task = TASKS[number]
    program = contract_program(replace(task, contract=contract_of(task)), ast.parse(task.reference))
    names = {}
    exec(program, names)
    return names["__contract__"]


def is_accepted(number, *arguments):
    try:
        contract(number)(*arguments)
    except AssertionError:
        return False
    return True


def recorded(task):
    """The arguments of the task's own tests, their dictionaries as they were."""
    names = {}
    exec(recording_program(task), names)
    return [tuple(dict(each) if isinstance(each, dict) else each for each in call) for call in names[RECORDER]()]


def test_every_task_has_one_with_the_parameters_of_its_entry_point():
    found = {name: [each.arg for each in node.args.args] for name, node in FUNCTIONS.items() if name[0] != "_"}
    wanted = {f"HumanEval_{number}_{task.entry_point}": parameter_names(task) for number, task in TASKS.items()}
    assert found == wanted
    assert len(found) == 164


@pytest.mark.official
@pytest.mark.skipif("EVALPLUS_RUN_DATA" not in os.environ, reason="EVALPLUS_RUN_DATA names no folder of datasets")
def test_the_parameters_are_those_of_humaneval_plus_too():
    for task in named("humaneval_plus").tasks:
        own = TASKS[int(task.task_id.removeprefix("HumanEval/"))]
        assert (task.entry_point, parameter_names(task)) == (own.entry_point, parameter_names(own))
        assert contract_of(task) != ""


def test_the_file_has_functions_only_and_no_name_that_is_not_defined():
    docstring, *rest = ast.parse(SOURCE).body
    assert isinstance(docstring, ast.Expr)
    assert all(isinstance(each, ast.FunctionDef) for each in rest)
    known = {*dir(builtins), *(name for name in FUNCTIONS if name[0] == "_")}
    for function in symtable.symtable(SOURCE, "humaneval.py", "exec").get_children():
        assert unknown_names(function) <= known, function.get_name()


def unknown_names(function):
    """The names that a function takes from outside, those of its inner functions included."""
    own = {each.get_name() for each in function.get_symbols() if each.is_global()}
    return own.union(*map(unknown_names, function.get_children()))


def test_no_parameter_hides_a_name_that_a_helper_uses():
    parameters = {name for task in TASKS.values() for name in parameter_names(task)}
    functions = symtable.symtable(SOURCE, "humaneval.py", "exec").get_children()
    used = set().union(*(unknown_names(each) for each in functions if each.get_name()[0] == "_"))
    assert "isinstance" in used or "type" in used
    assert not used & parameters


def test_helpers_come_along_only_where_they_are_named():
    assert "def _reals" in contract_of(TASKS[0])
    assert "def _is_real" in contract_of(TASKS[0])
    assert "def _is_balanced" not in contract_of(TASKS[0])
    assert "def" not in contract_of(TASKS[15])


@pytest.mark.parametrize(
    "changes", [{"task_id": "Own/15"}, {"task_id": "HumanEval/16"}, {"entry_point": "f"}, {"task_id": "HumanEval/164"}]
)
def test_other_tasks_have_none(changes):
    assert contract_of(TASKS[15])
    assert contract_of(replace(TASKS[15], **changes)) == ""


@pytest.mark.parametrize("number", TASKS)
def test_a_tasks_own_tests_pass_but_for_those_that_go_against_its_text(number):
    refused = [arguments for arguments in recorded(TASKS[number]) if not is_accepted(number, *arguments)]
    assert refused == AGAINST_THE_TEXT.get(number, [])


@pytest.mark.parametrize("number", TASKS)
def test_the_wrong_types_are_refused_by_an_assertion(number):
    check = contract(number)
    count = len(parameter_names(TASKS[number]))
    good = recorded(TASKS[number])[0]
    for place in range(count):
        for junk in JUNK:
            # Whether it is accepted depends on the task; anything else than AssertionError would be a fault.
            try:
                check(*good[:place], junk, *good[place + 1 :])
            except AssertionError:
                continue
    with pytest.raises(AssertionError):
        check(*[b"x"] * count)


def test_tests_that_go_against_their_text_are_listed_in_the_file():
    docstring = ast.get_docstring(ast.parse(SOURCE))
    assert [int(number) for number in re.findall(r"^- HumanEval/(\d+)", docstring, re.MULTILINE)] == list(
        AGAINST_THE_TEXT
    )


@pytest.mark.parametrize(
    ("number", "arguments"),
    [
        (0, ([0.1, 0.2, 0.3], 0.1)),  # rounding decides
        (1, ("(()",)),
        (2, (-1.5,)),
        (4, ([],)),
        (6, ("() (()",)),
        (6, ("()  ()",)),
        (11, ("01", "011")),
        (13, (0, 0)),
        (17, ("o x",)),
        (18, ("aaa", "")),
        (19, ("three  one",)),
        (20, ([1.0, 2.0, 3.0],)),  # a tie
        (21, ([1.0, 1.0],)),
        (22, ([True],)),
        (31, (True,)),
        (32, ([1, 2, 3],)),
        (43, ([0, 0],)),
        (50, ("Abc",)),
        (59, (7,)),
        (67, ("5 apples or 6 oranges", 19)),
        (67, ("5 apples and 6 oranges", 10)),
        (69, ([],)),
        (69, ([1, 0],)),
        (71, (1, 1, 0)),
        (81, ([4.1],)),
        (91, ("I'm here.",)),
        (94, ([4, 6],)),
        (95, ({"a": 1, "b": 2, "C": 3},)),
        (99, ("ten",)),
        (99, ("1e5",)),
        (109, ([1, 1],)),
        (115, ([[0, 1], [1]], 1)),
        (119, (["("],)),
        (120, ([1, 2], 3)),
        (124, ("3-11-2000",)),
        (127, ((2, 1), (1, 2))),
        (129, ([[1, 2], [3, 5]], 3)),
        (133, ([float("nan")],)),
        (137, ("one", 2)),
        (144, ("1/0", "1/2")),
        (148, ("earth", "Mars")),
        (151, ([3.0],)),
        (151, ([1e-06],)),
        (156, (1001,)),
        (160, (["//"], [1, 0])),
        (160, (["+"], [1, 2, 3])),
    ],
)
def test_what_the_text_does_not_promise_is_refused(number, arguments):
    assert not is_accepted(number, *arguments)


@pytest.mark.parametrize(
    ("number", "arguments"),
    [
        (0, ([], 0.5)),
        (0, ([1, 2.5], 1)),
        (6, ("(())",)),
        (20, ([2.0, 2.0, 2.0],)),
        (35, ([1 << 80],)),
        (91, ("I am. It is: 3.5!",)),
        (99, ("-0.5",)),
        (124, ("2000-03-11",)),
        (125, ("a,b",)),
        (127, ([1, 2], [2, 3])),
        (137, ("1,5", 1.25)),
        (160, (["**", "//"], [2, 3, 4])),
    ],
)
def test_unusual_inputs_that_the_text_settles_are_let_through(number, arguments):
    assert is_accepted(number, *arguments)


def test_the_observer_takes_one_for_a_contract(worker):
    task = replace(task_of(TASKS[69].reference, name="search"), contract=contract_of(TASKS[69]))
    seen, _ = Observer(worker, task, memory=MEMORY, steps=10_000).observe([([1],), ([],), ([0],)], [])
    assert [each.ending for each in seen] == ["returned", "contract", "contract"]


def test_beside_a_contract_of_the_benchmarks_own_only_the_word_of_the_text_is_kept():
    own = replace(TASKS[44], contract="    assert base < 5\n")
    check = {}
    exec(contract_program(specified(own), ast.parse(own.reference)), check)
    check["__contract__"](0, 2)  # the reference of HumanEval errs here, another may not
    for refused in [(3, 5), (-1, 2), (3, 1)]:
        with pytest.raises(AssertionError):
            check["__contract__"](*refused)
    assert not is_accepted(44, 0, 2)
    assert specified(TASKS[44]).contract == contract_of(TASKS[44]) != ""


@pytest.mark.parametrize("number", TASKS)
def test_what_else_than_the_text_refuses_an_input_is_named(number):
    function = FUNCTIONS[f"HumanEval_{number}_{TASKS[number].entry_point}"]
    asserts = [node for node in ast.walk(function) if isinstance(node, ast.Assert)]
    assert {node.msg.value for node in asserts if node.msg} <= {"open", "slow", "reference"}
    assert any(not node.msg for node in asserts)


@pytest.mark.parametrize("number", TASKS)
def test_arguments_are_left_as_they_are_for_the_contract_that_follows(number):
    function = FUNCTIONS[f"HumanEval_{number}_{TASKS[number].entry_point}"]
    stored = {node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    assert not stored & {each.arg for each in function.args.args}


def test_a_contract_that_changes_its_argument_is_asked_last():
    own = replace(TASKS[99], contract="    value = float(value)\n    assert value < 5\n")
    check = {}
    exec(contract_program(specified(own), ast.parse(own.reference)), check)
    check["__contract__"]("4.5")
    for refused in ("5.5", "ten"):
        with pytest.raises(AssertionError):
            check["__contract__"](refused)
