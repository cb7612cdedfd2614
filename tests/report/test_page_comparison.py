from page_reader import Page

from evalplus_run.records import Outcome
from evalplus_run.report.html import write_html
from evalplus_run.report.page_data import RunPage


def test_a_run_without_the_plus_tests_is_not_the_best_and_leaves_the_others_their_comparison(
    tmp_path, make_sample, make_summary
):
    path = tmp_path / "report.html"
    samples = [[make_sample(f"T/{task}", plus=plus) for task in range(8)] for plus in (Outcome.PASS, Outcome.WRONG)]
    runs = [make_summary(*samples[0], model="base only", suites=("base",))]
    runs += [make_summary(*samples[1], model="first"), make_summary(*samples[1], model="second")]
    shown = [RunPage(summary, one, {}) for summary, one in zip(runs, [samples[0], samples[1], samples[1]], strict=True)]
    write_html(path, shown)
    page = Page(path.read_text())
    assert page.index["groups"][0]["runs"] == [2, 3, 1]
    assert "second base + plus +0.0" in page.words


def test_runs_are_compared_with_the_best_by_an_exact_test(build_several, make_sample):
    right = [make_sample(f"T/{task}") for task in range(8)]
    wrong = [make_sample(f"T/{task}", plus=Outcome.WRONG) for task in range(8)]
    words = build_several(best=right, worse=wrong).words
    assert "Against best: pass@1 in points with 95% intervals, on the 8 tasks that all have." in words
    assert "Tests: exact McNemar, interval Bonett-Price" in words
    assert "Scores in %, with 95% intervals (Wilson); judge: evalplus" in words
    assert "worse base + plus -100.0" in words
    assert "0.008 0 8 worse" in words


def test_where_one_reference_was_chosen_of_several_it_is_said_what_p_is_not_adjusted_for(build_several, make_sample):
    runs = {name: [make_sample(f"T/{task}") for task in range(8)] for name in ("first", "second", "third")}
    told = "p (the intervals not) adjusted for the comparisons with this run on its suite (Holm); not for the choice"
    assert told in build_several(**runs).words
    del runs["third"]
    assert "not for the choice of this run" not in build_several(**runs).words
