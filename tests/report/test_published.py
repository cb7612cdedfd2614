import pytest

from evalplus_run import json_text
from evalplus_run.records import Outcome
from evalplus_run.report.published import Published
from evalplus_run.report.summary import as_json, read_scores, write_scores
from evalplus_run.report.wording import published_lines

PASS, WRONG = Outcome.PASS, Outcome.WRONG


@pytest.fixture
def lines(make_sample, make_summary):
    def told(base=None, plus=None, **changes):
        samples = [make_sample(f"T/{task}", plus=PASS if task < 50 else WRONG) for task in range(100)]
        published = Published(source="a table", base=base, plus=plus)
        return list(published_lines(make_summary(*samples, published=published, **changes)))

    return told


@pytest.mark.parametrize(
    ("published", "consistent"),
    [(50.0, True), (40.4, True), (59.6, True), (40.35, True), (40.3, False), (59.7, False)],
)
def test_a_score_is_consistent_inside_the_interval_but_for_its_rounding(lines, published, consistent):
    (line,) = lines(plus=published)
    assert ("not consistent" not in line) is consistent


def test_each_suite_has_a_sentence_with_the_source(lines):
    base, plus = lines(base=90.0, plus=55.0)
    assert base == "base: published 90.0 lies 6.3 points below our interval [96.3, 100.0]: not consistent (a table)"
    within = "lies in our interval [40.4, 59.6], 5 of 100 tasks from our score: consistent"
    assert plus == f"base + plus: published 55.0 {within} (a table)"


def test_only_what_was_published_is_spoken_of(lines):
    assert [line.split(":")[0] for line in lines(plus=70.0)] == ["base + plus"]
    assert "10.4 points above" in lines(plus=70.0)[0]


def test_a_run_made_otherwise_says_so(lines):
    assert "take it as a hint" in lines(plus=50.0, comparable=False)[-1]


def test_without_a_published_score_nothing_is_said(make_sample, make_summary):
    assert not list(published_lines(make_summary(make_sample())))


def test_a_run_without_an_estimate_is_not_held_against_it(make_sample, make_summary):
    summary = make_summary(make_sample(base=Outcome.HOST_FAULT), published=Published(source="a", base=50.0))
    assert "has no score here" in next(iter(published_lines(summary)))


@pytest.mark.parametrize("changes", [{"version": "v0.1.9"}, {"variant": "mini"}])
def test_a_run_on_another_version_than_the_published_one_says_so(make_sample, make_summary, changes):
    published = Published(source="a", plus=50.0, version="v0.1.10")
    *_, last = published_lines(make_summary(make_sample(), published=published, **changes))
    assert last.startswith("Published on version v0.1.10, and this run is on v0.1.")
    lines = [*published_lines(make_summary(make_sample(), published=published))]
    assert len(lines) == 1


def test_the_json_tells_of_each_suite_whether_it_is_consistent(make_sample, make_summary, tmp_path):
    samples = [make_sample(f"T/{task}", plus=PASS if task < 50 else WRONG) for task in range(100)]
    summary = make_summary(*samples, published=Published(source="a", base=90.0, plus=55.0))
    write_scores(tmp_path / "scores.json", summary)
    assert json_text.decode((tmp_path / "scores.json").read_bytes())["consistent"] == {"base": False, "plus": True}
    assert read_scores(tmp_path / "scores.json") == summary
    assert "consistent" not in as_json(make_summary(make_sample()))
    unjudged = make_summary(make_sample(base=Outcome.HOST_FAULT), published=Published(source="a", base=50.0))
    assert as_json(unjudged)["consistent"] == {}
