from dataclasses import replace

from page_reader import Page

from evalplus_run.records import Outcome
from evalplus_run.report.html import write_html
from evalplus_run.report.page_data import RunPage


def test_what_stands_around_the_tasks_in_a_runs_prompts_is_there_once(build, make_sample):
    manifest = {"first_prompt": {"text": "<|user|>def f(x):</script>\x00", "task_at": [8, 17]}}
    page = build(make_sample("T/0"), make_sample("T/1"), manifest=manifest)
    assert page.index["runs"][0]["prompt"] == ["<|user|>", "</script>\\x00"]
    assert build(make_sample("T/0")).index["runs"][0]["prompt"] is None


def test_the_index_has_of_each_sample_what_it_counts_as(build, make_sample):
    page = build(
        make_sample(),
        make_sample("T/1", plus=Outcome.WRONG),
        make_sample("T/2", base=Outcome.TIMEOUT, plus=Outcome.WRONG),
        make_sample("T/3", base=Outcome.PASS, plus=Outcome.HOST_FAULT),
    )
    (run,) = page.index["runs"]
    named = [page.index["outcomes"][ord(letter) - ord("a")] for letter in run["outcomes"]["evalplus"]["plus"]]
    assert named == ["pass", "wrong", "timeout", "host_fault"]
    assert page.index["groups"][0]["tasks"] == ["T/0", "T/1", "T/2", "T/3"]


def test_a_sample_without_a_verdict_is_told_as_not_judged(tmp_path, make_sample, make_summary):
    path = tmp_path / "report.html"
    judged, open_one = make_sample(), replace(make_sample("T/1"), verdict=None)
    write_html(path, [RunPage(make_summary(judged), [judged, open_one], {})])
    page = Page(path.read_text())
    assert page.index["runs"][0]["outcomes"]["evalplus"]["plus"] == "a-"
    assert page.samples["1/0/T/1"]["verdict"] == "not judged yet"


def test_a_run_with_several_samples_has_a_curve_and_one_with_single_samples_has_none(build, make_sample):
    assert build(make_sample()).index["runs"][0]["curve"] == []
    ten = [make_sample(index=index, plus=Outcome.WRONG if index else Outcome.PASS) for index in range(10)]
    assert build(*ten).index["runs"][0]["curve"] == [
        [1, 1.0, 0.1],
        [2, 1.0, 0.2],
        [3, 1.0, 0.3],
        [5, 1.0, 0.5],
        [7, 1.0, 0.7],
        [10, 1.0, 1.0],
    ]
