import json
from dataclasses import replace
from datetime import datetime

import pytest

from evalplus_run.interchange.registry import read_recorded
from evalplus_run.metrics.score import score
from evalplus_run.records import Outcome, SuiteVerdict
from evalplus_run.report.evalplus_format import write_results

PASS, WRONG, TIMEOUT, CRASH = Outcome.PASS, Outcome.WRONG, Outcome.TIMEOUT, Outcome.CRASH
WHEN = datetime(2026, 3, 4, 5, 6, 7)


@pytest.fixture
def write(tmp_path, make_dataset):
    """Write samples as a result file; the dataset holds the tasks in the order of `order`, or of the samples."""

    def run(*samples, order=()):
        path = tmp_path / "eval_results.json"
        scores = score([one.verdict for one in samples if one.verdict], tasks_in_dataset=len(samples))
        write_results(path, make_dataset(*(order or samples)), samples, scores["evalplus"], WHEN)
        return path

    return run


def test_the_file_has_evalplus_members_and_statuses(write, make_sample):
    samples = [make_sample("T/1"), make_sample("T/0", base=TIMEOUT, plus=CRASH), make_sample("T/1", 1, plus=WRONG)]
    content = json.loads(write(*samples).read_text())
    assert list(content) == ["date", "hash", "eval", "pass_at_k"]
    assert (content["date"], content["hash"]) == ("2026-03-04 05:06", "0123456789abcdef")
    assert list(content["eval"]) == ["T/1", "T/0"]
    assert content["eval"]["T/0"] == [
        {
            "task_id": "T/0",
            "solution": "def f(x): pass\n",
            "base_status": "timeout",
            "plus_status": "fail",
            "base_fail_tests": [[2]],
            "plus_fail_tests": [[[3, [4]]]],
        }
    ]
    assert [row["plus_status"] for row in content["eval"]["T/1"]] == ["pass", "fail"]
    assert content["eval"]["T/1"][0]["plus_fail_tests"] == []
    assert content["pass_at_k"] == {"base": {"pass@1": 0.5}, "plus": {"pass@1": 0.25}}


def test_rows_stand_in_the_datasets_order_whatever_order_they_come_in(write, make_sample):
    samples = [make_sample(f"T/{task}", index, solution=str(index)) for task in (10, 9, 2) for index in range(3)]
    content = json.loads(write(*samples[::-1], order=samples).read_text())
    assert list(content["eval"]) == ["T/10", "T/9", "T/2"]
    assert all([row["solution"] for row in rows] == ["0", "1", "2"] for rows in content["eval"].values())


def test_details_name_every_failing_input(write, make_sample):
    sample = make_sample(base=WRONG)
    base = SuiteVerdict(WRONG, test=0, failed_tests=(0, 1))
    verdict = replace(sample.verdict, evalplus=replace(sample.verdict.evalplus, base=base))
    content = json.loads(write(replace(sample, verdict=verdict)).read_text())
    assert content["eval"]["T/0"][0]["base_fail_tests"] == [[1], [2]]


def test_what_json_lacks_is_written_as_evalplus_writes_it(write, make_sample):
    sample = make_sample(base=WRONG)
    task = replace(sample.task, base_inputs=((), ({1}, (1, 2), 1 + 2j, 10**5000)))
    text = write(replace(sample, task=task)).read_text()
    assert f'[[1], [1, 2], "(1+2j)", 1{"0" * 5000}]' in text


def test_a_failing_input_beyond_all_text_is_left_out(write, make_sample):
    sample = make_sample(base=WRONG)
    task = replace(sample.task, base_inputs=((), (10**100_001,)))
    (row,) = json.loads(write(replace(sample, task=task)).read_text())["eval"]["T/0"]
    assert (row["base_status"], row["base_fail_tests"]) == ("fail", [])


def test_a_host_fault_and_an_unjudged_sample_are_left_out(write, make_sample):
    host = make_sample("T/1", base=Outcome.HOST_FAULT, plus=Outcome.HOST_FAULT)
    waiting = replace(make_sample("T/2"), verdict=None)
    content = json.loads(write(make_sample(), host, waiting).read_text())
    assert list(content["eval"]) == ["T/0"]
    assert content["pass_at_k"]["base"] == {"pass@1": 1.0}


def test_an_estimate_that_does_not_exist_is_left_out(write, make_sample):
    path = write(*(make_sample(index=index) for index in range(10)), make_sample("T/1"))
    assert json.loads(path.read_text())["pass_at_k"] == {"base": {"pass@1": 1.0}, "plus": {"pass@1": 1.0}}


def test_a_benchmark_without_plus_tests_claims_no_plus_score(write, make_sample):
    sample = make_sample()
    path = write(replace(sample, task=replace(sample.task, plus_inputs=())))
    content = json.loads(path.read_text())
    assert content["eval"]["T/0"][0]["plus_status"] is None
    assert content["pass_at_k"] == {"base": {"pass@1": 1.0}}
    assert read_recorded(path)[1].suites == ("base",)


def test_no_samples_make_a_file_that_is_still_json(write):
    assert json.loads(write().read_text())["eval"] == {}


def test_what_was_written_scores_the_same_when_read(write, make_sample):
    outcomes = [(PASS, PASS), (PASS, WRONG), (TIMEOUT, TIMEOUT), (Outcome.MEMORY, CRASH)]
    samples = [make_sample(f"T/{task}", index, *pair) for task in range(5) for index, pair in enumerate(outcomes)]
    _, results = read_recorded(write(*samples))
    ours = score([sample.verdict for sample in samples], tasks_in_dataset=5)["evalplus"]
    theirs = score(results.verdicts, tasks_in_dataset=5)["evalplus"]
    assert (theirs.base, theirs.plus) == (ours.base, ours.plus)
    assert results.dataset_md5 == "0123456789abcdef"
    assert results.pass_at_k["plus"][1] == ours.plus[1].value
    assert results.programs == tuple(sample.program for sample in samples)
    assert results.suites == ("base", "plus")
