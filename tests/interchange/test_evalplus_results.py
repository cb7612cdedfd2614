"""What EvalPlus's result files come to, in the form of today and in that before EvalPlus 0.2."""

import json

import pytest

from evalplus_run.interchange.registry import read_recorded
from evalplus_run.metrics.score import score
from evalplus_run.records import Outcome, UserError

PASS, FAILED, TIMEOUT = Outcome.PASS, Outcome.FAILED, Outcome.TIMEOUT


@pytest.fixture
def read(tmp_path):
    """Reads what a file with this content says."""

    def run(content, **more):
        path = tmp_path / "results.json"
        path.write_text(content if isinstance(content, str) else json.dumps({"eval": content, **more}))
        return read_recorded(path)[1]

    return run


def test_the_old_form_is_read_with_its_old_words(read):
    base = [["success", [True, True]], ["failed", [True, False]], ["timed out", []]]
    plus = [["success", None], ["success", None], ["failed", None]]
    results = read({"HumanEval/0": {"nfiles": 3, "base": base, "plus": plus}}, hash="h")
    found = score(results.verdicts, tasks_in_dataset=1)["evalplus"]
    assert found.outcomes["base"] == {PASS: 1, FAILED: 1, TIMEOUT: 1}
    assert found.plus[1].value == pytest.approx(1 / 3)
    assert results.suites == ("base", "plus")


def test_the_oldest_form_names_its_files(read):
    (verdict,) = read({"T": {"files": ["0.py"], "base": [["success", None]], "plus": [["failed", None]]}}).verdicts
    assert (verdict.evalplus.base.outcome, verdict.evalplus.plus.outcome) == (PASS, FAILED)


@pytest.mark.parametrize("plus", [{}, {"plus": []}, {"plus": None}])
def test_the_old_form_may_lack_the_plus_tests(read, plus):
    assert read({"HumanEval/0": {"nfiles": 1, "base": [["pass", None]], **plus}}).suites == ("base",)


@pytest.mark.parametrize("plus", [{}, {"plus_status": None}])
def test_the_new_form_may_lack_the_plus_tests(read, plus):
    assert read({"T": [{"solution": "", "base_status": "pass", **plus}]}).suites == ("base",)


@pytest.mark.parametrize(
    ("status", "details", "test", "all_tests"),
    [
        ("success", [1, 1], None, None),
        ("failed", None, None, None),
        ("failed", [], None, None),  # its tests were never reached, or the first one failed: nobody knows
        ("failed", [True, False], 1, None),
        ("failed", [1, 0, 1, 0], 1, (1, 3)),
        ("failed", [True, True], 2, None),
        ("timed out", [1, 1, 1], 3, None),
    ],
)
def test_the_old_forms_details_tell_which_tests_failed(read, status, details, test, all_tests):
    (verdict,) = read({"T": {"nfiles": 1, "base": [[status, details]], "plus": [["success", [1]]]}}).verdicts
    assert (verdict.evalplus.base.test, verdict.evalplus.base.failed_tests) == (test, all_tests)
    assert verdict.evalplus.plus.test is None


def test_the_new_forms_failing_inputs_are_kept_for_each_program(read):
    row = {"solution": "a", "base_status": "fail", "plus_status": "fail"}
    failed = row | {"base_fail_tests": [[[1, 2], "x"]], "plus_fail_tests": [[1], ["long"]]}
    text = json.dumps({"eval": {"T": [row, failed]}}).replace('"long"', f"1{'0' * 5000}")
    assert read(text).failing_inputs == (
        {"base": (), "plus": ()},
        {"base": ([[1, 2], "x"],), "plus": ([1], [10**5000])},
    )


def test_what_is_no_list_of_arguments_is_no_failing_input(read):
    odd = {"solution": "", "base_status": "fail", "base_fail_tests": [3, "x", {"a": 1}, [1]]}
    assert read({"T": [odd]}).failing_inputs == ({"base": ([1],), "plus": ()},)


def test_the_scores_that_a_file_tells_are_kept_by_suite_and_k(read):
    told = {"base": {"pass@1": 0.5, "pass@10": 1, "note": "x"}, "plus": {"pass@1": 0.25}, "other": {"pass@1": 1.0}}
    rows = {"T": [{"base_status": "pass", "plus_status": "pass"}]}
    assert read(rows, pass_at_k=told).pass_at_k == {"base": {1: 0.5, 10: 1}, "plus": {1: 0.25}}
    assert read(rows, pass_at_k=[1]).pass_at_k == {}
    odd = {"base": {"pass@1": 10**400, "pass@2": -1, "pass@3": "x", "pass@4": None, "pass@5": float("nan")}}
    assert read(rows, pass_at_k=odd).pass_at_k == {"base": {}}


@pytest.mark.parametrize(
    "content",
    [
        '{"eval": []}',
        '{"eval": {"T": [{"solution": "x"}]}}',
        '{"eval": {"T": [{"solution": 3, "base_status": "pass", "plus_status": "pass"}]}}',
        '{"eval": {"T": [{"solution": "", "base_status": "passed", "plus_status": "pass"}]}}',
        '{"eval": {"T": [{"solution": "", "base_status": null, "plus_status": null}]}}',
        '{"eval": {"T": [{"solution": "", "base_status": "fail", "base_fail_tests": 3}]}}',
        '{"eval": {"T": {"base": [["pass", null]], "plus": [["pass", null], ["pass", null]]}}}',
        '{"eval": {"T": {"base": [["failed", 3]], "plus": []}}}',
        '{"eval": {"T": {"base": [[]], "plus": []}}}',
        '{"eval": {"T": {"base": 3}}}',
    ],
)
def test_anything_else_is_refused_in_one_sentence(read, content):
    with pytest.raises(UserError, match=r"results\.json is taken for a result file in EvalPlus's form, and cannot"):
        read(content)


def test_a_missing_plus_status_among_others_never_becomes_a_pass(read):
    rows = [{"solution": "", "base_status": "pass", "plus_status": status} for status in ("fail", None)]
    with pytest.raises(UserError, match="some have none"):
        read({"T": rows})
