"""What is shown of the samples in a file of verdicts."""

import json
from dataclasses import replace

import pytest
from recorded_files import human_eval_lines, lm_eval_lines, results, row

from evalplus_run import recorded
from evalplus_run.interchange.failing import KnownInputs
from evalplus_run.records import Outcome, ProfileVerdict, Program, SuiteVerdict, Verdict
from evalplus_run.report.html import write_html
from evalplus_run.report.page_data import RunPage
from evalplus_run.report.sample import Sample, failures


def shown(path, named=None):
    """Of each failure its suite, its test's number and the call."""
    samples = recorded.read(path, named).samples()
    return [(one.suite, one.verdict.test, one.call) for sample in samples for one in failures(sample)]


def test_a_failing_input_is_the_test_of_the_benchmark_that_has_it(tmp_path, own):
    failed = row("fail", "timeout", base_fail_tests=[[2]], plus_fail_tests=[[{"a": 1}]])
    assert shown(results(tmp_path, {"Own/1": [failed]}), own) == [("base", 1, "f(2)"), ("plus", 1, "f({'a': 1})")]


def test_all_failing_inputs_are_its_tests_and_the_first_of_them_is_shown(tmp_path, own):
    path = results(tmp_path, {"Own/1": [row("fail", "pass", base_fail_tests=[[3], [1]])]})
    (sample,) = recorded.read(path, own).samples()
    assert sample.verdict.evalplus.base.failed_tests == (0, 2)
    assert shown(path, own) == [("base", 0, "f(1)")]


def test_a_failing_input_that_no_test_of_the_benchmark_has_is_shown_as_it_is(tmp_path, own):
    failed = row("fail", "pass", base_fail_tests=[[9]])
    assert shown(results(tmp_path, {"Own/1": [failed]}), own) == [("base", None, "f(9)")]


def test_without_a_benchmark_the_failing_arguments_alone_are_shown(tmp_path):
    failed = row("pass", "fail", plus_fail_tests=[["x", [1]]])
    assert shown(results(tmp_path, {"T/1": [failed]})) == [("plus", None, "('x', [1])")]


def test_the_old_forms_tests_are_those_of_the_benchmark_only_where_it_is_the_same(tmp_path, own):
    old = {"Own/1": {"nfiles": 1, "base": [["failed", [1, 0]]], "plus": [["success", [1, 1]]]}}
    assert shown(results(tmp_path, old), own) == [("base", 1, "f(2)")]
    assert shown(results(tmp_path, old, hash="f" * 32), own) == [("base", 1, "")]


@pytest.mark.parametrize(
    ("arguments", "written", "call"),
    [
        (((1, 2), {3}), [[1, 2], [3]], "f((1, 2), {3})"),
        ((0.5, 1 + 2j), ["0.5", "(1+2j)"], "f(0.5, (1+2j))"),
        ((10**5000,), [10**5000], f"f(1{'0' * 1997} … (3,004 more characters)"),
    ],
)
def test_what_json_lacks_is_found_as_evalplus_writes_it(own, arguments, written, call):
    task = replace(own.tasks[0], base_inputs=((), arguments))
    verdict = KnownInputs(task.base_inputs).located(SuiteVerdict(Outcome.WRONG), [written])
    judged = ProfileVerdict(verdict, SuiteVerdict(Outcome.WRONG))
    sample = Sample(task, Program("Own/0", 0, ""), Verdict("Own/0", 0, "", judged, judged))
    assert next(failures(sample)).call == call


def test_samples_stand_in_the_benchmarks_order_else_by_number(tmp_path, own):
    entries = {f"Own/{number}": [row(), row()] for number in (2, 0, 1)}
    ids = [(one.program.task_id, one.program.index) for one in recorded.read(results(tmp_path, entries), own).samples()]
    assert ids == [(f"Own/{number}", index) for number in range(3) for index in range(2)]
    entries = {f"T/{number}": [row()] for number in (10, 9)}
    assert [one.task.task_id for one in recorded.read(results(tmp_path, entries)).samples()] == ["T/9", "T/10"]


def test_human_evals_program_is_the_prompt_with_the_completion(tmp_path, own):
    (sample,) = recorded.read(human_eval_lines(tmp_path, ["Own/0"]), own).samples()
    assert sample.program.solution == "def f(x):\n    return 0\n"
    (bare,) = recorded.read(human_eval_lines(tmp_path, ["T/0"])).samples()
    assert bare.program.solution == "    return 0\n"


def test_raw_answers_are_answers_and_their_programs_are_not_known(tmp_path, own):
    (sample,) = recorded.read(lm_eval_lines(tmp_path, ["Own/0"]), own).samples()
    assert (sample.program.solution, sample.completion.text) == ("", "    return 0\n")


def test_answers_of_which_nobody_knows_which_passed_are_not_shown(tmp_path, own):
    some = recorded.read(lm_eval_lines(tmp_path, ["Own/0"], ["a", "b"], 0.5), own).samples()
    none = recorded.read(lm_eval_lines(tmp_path, ["Own/0"], ["a", "b"], 0.0), own).samples()
    assert [one.completion for one in some] == [None, None]
    assert [one.completion.text for one in none] == ["a", "b"]


@pytest.mark.parametrize("is_named", [True, False])
def test_every_file_has_its_row_and_its_outcomes_on_a_page(tmp_path, own, is_named):
    named = own if is_named else None
    old = {"Own/1": {"nfiles": 1, "base": [["failed", [1, 0]]], "plus": [["success", [1, 1]]]}}
    paths = [human_eval_lines(tmp_path, ["Own/0"]), lm_eval_lines(tmp_path, ["Own/2"]), results(tmp_path, old)]
    runs = [recorded.read(path, named) for path in paths]
    write_html(tmp_path / "p.html", [RunPage(run.summary, run.samples(), {}) for run in runs])
    page = (tmp_path / "p.html").read_text()
    index = json.loads(page.partition('id="index">')[2].partition("</script>")[0])
    assert [run["label"] for run in index["runs"]] == ["results.jsonl", "samples.jsonl", "results.json"]
    assert [run["outcomes"]["evalplus"]["base"] for run in index["runs"]] == ["a", "a", "c"]


def test_a_task_that_nobody_knows_has_the_text_that_the_file_has_of_it(tmp_path):
    (sample,) = recorded.read(lm_eval_lines(tmp_path, ["Other/0"])).samples()
    assert sample.task.prompt == "def f(x):\n"
