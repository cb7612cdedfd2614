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


OPEN = ": open, as it is more than chance unless {} or more that ours {} there, which no score tells"


@pytest.mark.parametrize(
    ("published", "verdict"),
    [
        (55.0, ": consistent"),
        (45.0, ": consistent"),
        (45.04, ": consistent"),
        (
            56.0,
            OPEN.format("1 task", "passes failed"),
        ),
        (
            44.0,
            OPEN.format("1 task", "fails passed"),
        ),
        (
            68.0,
            OPEN.format("29 tasks", "passes failed"),
        ),
        (69.0, ": not consistent"),
        (
            32.0,
            OPEN.format("29 tasks", "fails passed"),
        ),
        (31.0, ": not consistent"),
    ],
)
def test_scores_of_the_same_tasks_go_together_as_far_as_tasks_flip_by_chance(lines, published, verdict):
    (line,) = lines(plus=published)
    assert line.removesuffix(" (a table)").endswith(verdict)


def test_each_suite_has_a_sentence_with_the_source(lines):
    base, plus = lines(base=90.0, plus=55.0)
    where = "where chance alone may put it on the same tasks"
    assert base == (
        f"base: published 90.0 is 10 of 100 tasks below ours, outside [95.0, 100.0], {where}: not consistent (a table)"
    )
    assert plus == (
        f"base + plus: published 55.0 is 5 of 100 tasks above ours, in [45.0, 55.0], {where}: consistent (a table)"
    )
    assert "published 50.0 is ours to the task, in" in lines(plus=50.0)[0]


def test_only_what_was_published_is_spoken_of(lines):
    assert [line.split(":")[0] for line in lines(plus=70.0)] == ["base + plus"]


def test_several_samples_go_together_as_far_as_their_sampling_error_reaches(make_sample, make_summary):
    samples = [make_sample(f"T/{task}", n, plus=PASS if n else WRONG) for task in range(400) for n in range(2)]
    error = make_summary(*samples).scores["evalplus"].plus[1].sampling_error
    within = 1.96 * error * 400
    assert within > 7
    told = [
        next(iter(published_lines(make_summary(*samples, published=Published(source="a", plus=50 + tasks / 4)))))
        for tasks in (int(within), int(within) + 1)
    ]
    assert [": consistent" in line for line in told] == [True, False]


def test_a_run_made_otherwise_says_why_and_is_not_held_against_it(lines, make_sample, make_summary):
    published = Published(source="a", plus=50.0, temperature=0)
    for changes, reason in (
        ({"temperature": 0.8}, "it was drawn at temperature 0 and this run at 0.8"),
        ({"tasks_in_dataset": 164}, "ours is of 1 of 164 tasks"),
    ):
        summary = make_summary(make_sample(), published=published, **changes)
        assert list(published_lines(summary)) == [
            f"base + plus: published 50.0 is not held against ours, since {reason} (a)"
        ]
        assert as_json(summary)["consistent"] == {"plus": None}
    assert "not held" not in next(iter(published_lines(make_summary(make_sample(), published=published))))


def test_without_a_published_score_nothing_is_said(make_sample, make_summary):
    assert not list(published_lines(make_summary(make_sample())))


def test_a_run_without_an_estimate_is_not_held_against_it(make_sample, make_summary):
    summary = make_summary(make_sample(base=Outcome.HOST_FAULT), published=Published(source="a", base=50.0))
    assert "has no score here" in next(iter(published_lines(summary)))


@pytest.mark.parametrize("changes", [{"version": "v0.1.9"}, {"variant": "mini"}])
def test_a_run_on_another_version_than_the_published_one_says_so(make_sample, make_summary, changes):
    published = Published(source="a", plus=50.0, version="v0.1.10")
    (line,) = published_lines(make_summary(make_sample(), published=published, **changes))
    assert "is not held against ours, since it is on version v0.1.10 and this run on v0.1." in line


def test_the_json_tells_of_each_suite_whether_it_is_consistent(make_sample, make_summary, tmp_path):
    samples = [make_sample(f"T/{task}", plus=PASS if task < 50 else WRONG) for task in range(100)]
    summary = make_summary(*samples, published=Published(source="a", base=80.0, plus=55.0))
    write_scores(tmp_path / "scores.json", summary)
    assert json_text.decode((tmp_path / "scores.json").read_bytes())["consistent"] == {"base": False, "plus": True}
    assert read_scores(tmp_path / "scores.json") == summary
    assert "consistent" not in as_json(make_summary(make_sample()))
    unjudged = make_summary(make_sample(base=Outcome.HOST_FAULT), published=Published(source="a", base=50.0))
    assert as_json(unjudged)["consistent"] == {}
