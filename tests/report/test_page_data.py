from page_reader import Page

from evalplus_run.records import Outcome
from evalplus_run.report.html import write_html
from evalplus_run.report.page_data import RunPage


def test_two_runs_stand_on_one_page_under_names_of_their_own(build_several, make_sample):
    page = build_several(first=[make_sample()], second=[make_sample()])
    ids = [value for _, attributes in page.elements for name, value in attributes if name == "id"]
    assert len(ids) == len(set(ids))
    assert {"run-1", "run-2"} <= set(ids)
    assert "second on humaneval_plus" in page.text
    assert set(page.samples) == {"1/0/T/0", "2/0/T/0"}


def test_runs_of_one_model_are_told_apart(tmp_path, make_sample, make_summary):
    path = tmp_path / "report.html"
    sample = make_sample()
    changes = [{"sampling": "greedy"}, {"sampling": "n=10"}, {"sampling": "n=10", "run_dir": "/runs/other"}]
    write_html(path, [RunPage(make_summary(sample, **one), [sample], {}) for one in changes])
    labels = [run["label"] for run in Page(path.read_text()).index["runs"]]
    assert labels == ["a-model, greedy", "a-model, n=10, greedy-1a2b3c4d", "a-model, n=10, other"]


def test_runs_with_the_same_folder_name_are_numbered_within_their_benchmark(tmp_path, make_sample, make_summary):
    path = tmp_path / "report.html"
    sample = make_sample()
    changes = [{"run_dir": "/a/run"}, {"run_dir": "/b/run"}, {"run_dir": "/c/run", "dataset": "mbpp_plus"}]
    write_html(path, [RunPage(make_summary(sample, **one), [sample], {}) for one in changes])
    labels = [run["label"] for run in Page(path.read_text()).index["runs"]]
    assert labels == ["a-model, greedy, run", "a-model, greedy, run (2)", "a-model"]


def test_the_leaderboard_has_the_best_run_first_and_partial_runs_last(build_several, make_sample):
    right = [make_sample(f"T/{task}") for task in range(4)]
    wrong = [make_sample(f"T/{task}", plus=Outcome.WRONG) for task in range(4)]
    page = build_several(worse=wrong, partial=right[:1], best=right)
    assert page.index["groups"][0]["runs"] == [3, 1, 2]
    assert "drop, pass@1 tasks" in page.words
    assert "Not compared, since fewer tasks were judged: partial (1 task)." in page.words


def test_a_warning_of_many_runs_is_told_once(tmp_path, make_sample, make_summary):
    path = tmp_path / "report.html"
    told = [("a", "loud"), ("b", "loud"), ("c", "loud"), ("d", "loud")]
    for runs, who in ((told, "all runs"), ([*told, ("e", "else")], "4 of 5 runs"), (told[:2], "a, b")):
        sample = make_sample()
        pages = [RunPage(make_summary(sample, model=name, warnings=(one,)), [sample], {}) for name, one in runs]
        write_html(path, pages)
        assert f"Warning ({who}): loud" in Page(path.read_text()).words
