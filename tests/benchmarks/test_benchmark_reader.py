import contextlib
import gc
import gzip
import json
import sys
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalplus_run.benchmarks import mbpp
from evalplus_run.benchmarks.content import Content, read_content
from evalplus_run.benchmarks.reader import read_tasks
from evalplus_run.records import Task, UserError

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**400), 10**400) | st.floats() | st.text(),
    lambda values: st.lists(values, max_size=4) | st.dictionaries(st.text(), values, max_size=4),
    max_leaves=12,
)
ARGUMENT_LISTS = st.lists(st.lists(JSON, max_size=3), min_size=1, max_size=4)


def content(*lines: bytes) -> Content:
    return Content(data=b"\n".join(lines), sha256="", md5="", source="own.jsonl")


def encoded(row: dict) -> bytes:
    return json.dumps(row, ensure_ascii=False).encode("utf-8", "surrogatepass")


def test_a_row_becomes_a_task(row):
    [task] = read_tasks(content(encoded(row)))
    assert task == Task(
        task_id="Own/1",
        prompt=row["prompt"],
        entry_point="double",
        reference=row["prompt"] + row["canonical_solution"],
        base_inputs=((1,), (2,)),
        plus_inputs=((-1,),),
        atol=0.5,
        contract=row["contract"],
        check="",
    )


@pytest.mark.parametrize("absent", [{}, {"contract": None, "plus_input": None, "atol": None}], ids=["missing", "null"])
def test_an_optional_field_may_be_missing_or_null(row, absent):
    for name in ("contract", "plus_input", "atol"):
        del row[name]
    [task] = read_tasks(content(encoded(row | absent)))
    assert (task.contract, task.plus_inputs, task.atol) == ("", (), 0.0)


def test_an_empty_object_stands_for_no_plus_inputs(row):
    [task] = read_tasks(content(encoded(row | {"plus_input": {}})))
    assert task.plus_inputs == ()


def test_a_row_with_a_check_in_place_of_inputs_keeps_the_check(row):
    del row["base_input"]
    check = "def check(candidate):\n    assert candidate(1) == 2\n"
    [task] = read_tasks(content(encoded(row | {"test": check})))
    assert (task.base_inputs, task.plus_inputs, task.check) == ((), (), check)


def test_inputs_win_over_a_check(row):
    [task] = read_tasks(content(encoded(row | {"test": "def check(candidate): pass"})))
    assert task.check == ""
    assert task.base_inputs


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"task_id": None}, "`task_id` is missing"),
        ({"task_id": 3}, "`task_id` is a number in place of text"),
        ({"task_id": ""}, "`task_id` is empty"),
        ({"task_id": "Own/\n1"}, "cannot be printed"),
        ({"prompt": None}, "`prompt` is missing"),
        ({"prompt": ["x"]}, "`prompt` is a list in place of text"),
        ({"entry_point": None}, "`entry_point` is missing"),
        ({"entry_point": "double it"}, "no Python name"),
        ({"entry_point": "class"}, "no Python name"),
        ({"entry_point": "triple"}, "the reference does not define triple"),
        ({"entry_point": "x"}, "the reference does not define x"),
        ({"canonical_solution": None}, "`canonical_solution` is missing"),
        ({"canonical_solution": "    return ("}, "the reference does not parse"),
        ({"canonical_solution": "    return '\0'"}, "the reference does not parse"),
        ({"canonical_solution": "    return '\ud800'"}, "the reference does not parse"),
        ({"contract": "    assert ("}, "`contract` does not parse"),
        ({"contract": True}, "`contract` is true or false in place of text"),
        ({"base_input": None}, "`base_input` is missing"),
        ({"base_input": {"x": 1}}, "`base_input` is an object in place of a list of argument lists"),
        ({"base_input": []}, "`base_input` is empty"),
        ({"base_input": [[1], 2]}, "`base_input[1]` is a number in place of a list of arguments"),
        ({"plus_input": [[1], None]}, "`plus_input[1]` is null in place of a list of arguments"),
        ({"plus_input": ""}, "`plus_input` is text in place of a list of argument lists"),
        ({"plus_input": False}, "`plus_input` is true or false in place of"),
        ({"atol": "1e-6"}, "`atol` is text in place of a number"),
        ({"atol": True}, "`atol` is true or false in place of a number"),
        ({"atol": -1}, "`atol` is negative or not finite"),
        ({"atol": float("nan")}, "`atol` is negative or not finite"),
        ({"atol": 10**400}, "`atol` is negative or not finite"),
        ({"base_input": None, "test": "def check(candidate): return ("}, "`test` does not parse"),
        ({"base_input": None, "test": "def verify(candidate): pass"}, "`test` does not define check"),
    ],
)
def test_a_malformed_row_is_refused_by_file_line_and_fault(row, changes, complaint):
    good = encoded(row | {"task_id": "Own/0"})
    bad = json.dumps(row | changes).encode()
    with pytest.raises(UserError) as caught:
        read_tasks(content(good, b"", bad))
    assert str(caught.value).startswith("own.jsonl, line 3: ")
    assert complaint in str(caught.value)


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (b"{", "not JSON"),
        (b"[1]", "a list in place of an object"),
        (b"null", "null in place of an object"),
        (b"\xff\xfe", "not UTF-8"),
        (b"[" * 100_000, "nested too deeply"),
    ],
)
def test_a_line_that_is_no_object_is_refused(line, complaint):
    with pytest.raises(UserError, match=f"line 1: .*{complaint}"):
        read_tasks(content(line))


def test_a_task_id_may_not_stand_twice(row):
    with pytest.raises(UserError, match="line 2: the task_id Own/1 stands in an earlier row too"):
        read_tasks(content(encoded(row), encoded(row)))


@pytest.mark.parametrize("data", [b"", b"\n \n"])
def test_a_file_without_tasks_is_refused(data):
    with pytest.raises(UserError, match="holds no task"):
        read_tasks(content(data))


@pytest.mark.parametrize(
    "source",
    ["double = lambda x: 2 * x", "class double: pass", "from math import sqrt as double", "if 1:\n  double = 2"],
)
def test_any_binding_at_the_top_level_defines_the_entry_point(row, source):
    [task] = read_tasks(content(encoded(row | {"prompt": "", "canonical_solution": source})))
    assert task.reference == source


def test_long_integers_and_numbers_that_are_not_finite_are_read(row):
    digits = "9" * 5000
    line = encoded(row | {"base_input": "HERE"}).replace(b'"HERE"', f"[[{digits}, NaN, -Infinity]]".encode())
    [task] = read_tasks(content(line))
    [(integer, nan, infinity)] = task.base_inputs
    assert integer == 10**5000 - 1
    assert nan != nan
    assert infinity == float("-inf")


@pytest.mark.parametrize(
    ("value", "complaint"),
    [(b"9" * 100_001, "more than 100,000 digits"), (b"[" * 850 + b"]" * 850, "nested too deeply")],
)
def test_a_value_that_could_not_be_written_again_is_refused(row, value, complaint):
    line = encoded(row | {"base_input": "HERE"}).replace(b'"HERE"', b"[[" + value + b"]]")
    with pytest.raises(UserError, match=f"line 1: .*{complaint}"):
        read_tasks(content(line))


@pytest.mark.parametrize("line", [b"{", b'{"task_id": 1}', None])
@pytest.mark.parametrize(("digits", "collecting"), [(700, True), (0, False)])
def test_reading_leaves_the_interpreter_as_it_was_even_when_it_fails(row, line, digits, collecting):
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(digits)
    (gc.enable if collecting else gc.disable)()
    try:
        with contextlib.nullcontext() if line is None else pytest.raises(UserError):
            read_tasks(content(line or encoded(row)))
        assert (sys.get_int_max_str_digits(), gc.isenabled()) == (digits, collecting)
    finally:
        gc.enable()
        sys.set_int_max_str_digits(limit)


def test_an_odd_escape_in_a_reference_warns_nobody(row):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        read_tasks(content(encoded(row | {"canonical_solution": "    return '\\d'\n"})))


def test_a_byte_order_mark_and_windows_line_ends_are_read(row):
    data = b"\xef\xbb\xbf" + encoded(row) + b"\r\n" + encoded(row | {"task_id": "Own/2"}) + b"\r\n"
    assert [task.task_id for task in read_tasks(content(data))] == ["Own/1", "Own/2"]


@pytest.mark.parametrize("pack", [gzip.compress, bytes])
def test_a_file_reads_the_same_packed_or_not(tmp_path, row, pack):
    data = encoded(row)
    path = tmp_path / "any.name"
    path.write_bytes(pack(data))
    found = read_content(path)
    assert found.data == data
    assert found.source == str(path)


@pytest.mark.parametrize("damage", [lambda data: data[:-9], lambda data: data[:20] + b"xxxx" + data[24:]])
def test_a_broken_gzip_file_is_a_user_error(tmp_path, row, damage):
    path = tmp_path / "own.jsonl.gz"
    path.write_bytes(damage(gzip.compress(encoded(row))))
    with pytest.raises(UserError, match="broken gzip file"):
        read_content(path)


def test_a_missing_file_or_a_folder_is_a_user_error(tmp_path):
    for path in (tmp_path / "none.jsonl", tmp_path):
        with pytest.raises(UserError, match="cannot be read"):
            read_content(path)


@given(base=ARGUMENT_LISTS, plus=ARGUMENT_LISTS, ascii_only=st.booleans())
def test_inputs_come_back_as_they_were_written(base, plus, ascii_only):
    row = {
        "task_id": "Own/1",
        "prompt": "def f(*x):\n",
        "entry_point": "f",
        "canonical_solution": "    return x\n",
        "base_input": base,
        "plus_input": plus,
    }
    [task] = read_tasks(content(json.dumps(row, ensure_ascii=ascii_only).encode("utf-8")))
    assert repr(task.base_inputs) == repr(tuple(tuple(test) for test in base))
    assert repr(task.plus_inputs) == repr(tuple(tuple(test) for test in plus))


FIELDS = (
    "task_id",
    "prompt",
    "entry_point",
    "canonical_solution",
    "contract",
    "base_input",
    "plus_input",
    "atol",
    "test",
)
TEXTS = (
    st.sampled_from(["Mbpp/722", "Mbpp/124", "f", "def f(x): return x", "def check(c): pass", "(" * 300]) | st.text()
)


@given(st.lists(st.binary() | st.text().map(str.encode) | JSON.map(json.dumps).map(str.encode), max_size=3))
def test_garbage_is_never_worse_than_a_user_error(lines):
    with pytest.raises(UserError):
        read_tasks(content(*lines))


@given(st.dictionaries(st.sampled_from(FIELDS), TEXTS | JSON | ARGUMENT_LISTS))
def test_a_row_of_odd_values_is_a_task_or_a_user_error(row):
    try:
        [task] = read_tasks(content(json.dumps(row).encode()), mbpp.restore)
    except UserError as error:
        assert "line 1: " in str(error)
    else:
        assert task.task_id == row["task_id"]


def test_a_number_beyond_all_floats_is_a_user_error_where_a_float_is_wanted(row):
    line = encoded(row | {"task_id": "Mbpp/124", "base_input": [[10**400, "1j"]]})
    with pytest.raises(UserError, match=r"`base_input\[0\]` is not what Mbpp/124 takes"):
        read_tasks(content(line), mbpp.restore)


@given(task_id=st.sampled_from(sorted(mbpp._RULE_OF_TASK)), tests=ARGUMENT_LISTS)
def test_inputs_that_a_task_cannot_take_are_a_user_error(task_id, tests):
    row = {"task_id": task_id, "prompt": "", "entry_point": "f", "canonical_solution": "f = 0", "base_input": tests}
    try:
        [task] = read_tasks(content(json.dumps(row).encode()), mbpp.restore)
    except UserError as error:
        assert f"is not what {task_id} takes" in str(error)
    else:
        assert len(task.base_inputs) == len(tests)
