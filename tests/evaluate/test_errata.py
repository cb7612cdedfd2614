from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_tasks import RULES, task

from evalplus_run.benchmarks.registry import RELEASES
from evalplus_run.evaluate import errata
from evalplus_run.evaluate.errata import Erratum, in_ranges
from evalplus_run.evaluate.judging import verdict_key
from evalplus_run.evaluate.local import LocalPool
from evalplus_run.records import Program, UserError

REFERENCE = "def f(x: str) -> str:\n    return ''.join(x)\n"
RIGHT = Program("Test/0", 0, "def f(x): return '' + x")
ILL_TYPED = task(REFERENCE, base=(("ab",),), plus=((["a", "b"],), ("c",)))


def judged(program, rules):
    with LocalPool(rules, workers=1) as pool:
        tests = pool.prepare([ILL_TYPED])[0].result()
        return pool.submit(tests, program).result(), verdict_key(program, tests, rules)


def test_an_ill_typed_test_fails_a_right_program_under_evalplus_and_not_under_strict():
    verdict, _ = judged(RIGHT, RULES)
    assert (verdict.evalplus.passed, verdict.evalplus.plus.test) == (False, 0)
    assert verdict.strict.passed


def test_without_errata_it_fails_under_both():
    verdict, _ = judged(RIGHT, replace(RULES, errata=errata.read("none")))
    assert not verdict.evalplus.passed
    assert not verdict.strict.passed


def test_a_wrong_program_fails_on_the_tests_that_are_left():
    assert not judged(Program("Test/0", 0, "def f(x): return 'ab'"), RULES)[0].strict.passed


def test_a_file_names_other_tests_in_their_place(tmp_path):
    file = tmp_path / "errata.jsonl"
    file.write_text('{"task_id": "Test/0", "suite": "plus", "test": 1, "reason": "for a test"}\n\n')
    rules = replace(RULES, errata=errata.read(str(file)))
    assert not judged(RIGHT, rules)[0].strict.passed
    verdict, key = judged(Program("Test/0", 0, "def f(x): return 'ab'"), rules)
    assert (verdict.strict.passed, verdict.evalplus.passed) == (True, False)
    assert key != judged(Program("Test/0", 0, "def f(x): return 'ab'"), RULES)[1]


def test_by_default_they_are_the_tests_that_contradict_the_declared_types():
    excluded = errata.read("auto").of(ILL_TYPED, "plus", ILL_TYPED.plus_inputs)
    assert [test in excluded for test in (0, 1)] == [True, False]


@given(st.sets(st.integers(0, 60)))
def test_ranges_hold_the_numbers_and_no_others(numbers):
    ranges = in_ranges(numbers)
    assert Erratum("T/0", "plus", ranges).numbers() == numbers
    assert Erratum("T/0", "plus", tuple(numbers)).numbers() == numbers


def test_files_that_say_the_same_have_one_key_and_others_another(tmp_path):
    def key(*rows):
        (tmp_path / "errata.jsonl").write_text("".join(f'{{"task_id":"T/0","suite":"plus",{row}}}\n' for row in rows))
        return errata.read(str(tmp_path / "errata.jsonl")).key

    assert key('"tests":[[3,5]]') == key('"test":4', '"tests":[3,5],"kind":"ill-typed"')
    assert key('"tests":[[3,5]]') != key('"tests":[3,5]')
    assert key('"tests":[3]') != errata.read("none").key != errata.read("auto").key


def test_what_an_official_release_is_known_to_have_wrong_is_shipped():
    known = errata.read("auto", RELEASES[0].sha256)
    assert known.listed is not None
    assert len(known.listed["HumanEval/29", "plus"]) == 760
    assert known.told.endswith("as shipped for HumanEval+ v0.1.10")
    assert errata.read("auto", "0" * 64).listed is None


@pytest.mark.parametrize(
    "content",
    [
        "{",
        '{"task_id": 3}',
        "[" * 100_000,
        '{"task_id":"a","suite":"other","test":1}',
        '{"task_id":"a","suite":"plus","test":-1}',
        '{"task_id":"a","suite":"plus","tests":[[0,1000000000000]]}',
        '{"task_id":"a","suite":"plus","tests":[[0,1,2]]}',
    ],
)
def test_a_row_that_is_none_is_refused_with_its_line(tmp_path, content):
    (tmp_path / "errata.jsonl").write_text(f"\n{content}\n")
    with pytest.raises(UserError, match="line 2"):
        errata.read(str(tmp_path / "errata.jsonl"))


def test_a_file_that_is_not_there_is_refused():
    with pytest.raises(UserError, match="neither auto, none nor a file"):
        errata.read("/nonexistent/errata.jsonl")
