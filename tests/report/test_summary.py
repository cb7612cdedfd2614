import json
from dataclasses import replace
from math import isnan

import pytest

from evalplus_run.records import Outcome, UserError
from evalplus_run.report.page_data import benchmark_title
from evalplus_run.report.summary import (
    Moved,
    SanitizersCompared,
    compare_sanitizers,
    moved_samples,
    read_scores,
    write_scores,
)

PASS, WRONG, HOST = Outcome.PASS, Outcome.WRONG, Outcome.HOST_FAULT


def test_scores_come_back_as_they_were_written(tmp_path, make_sample, make_summary):
    samples = [make_sample(), make_sample("T/1", plus=WRONG, strict=(PASS, PASS))]
    compared = SanitizersCompared(
        samples=2, only_default=(("T/1", 0),), only_evalplus=(), only_cleaned=(("T/0", 0), ("T/1", 0)), only_whole=()
    )
    summary = make_summary(*samples, warnings=("partial",), seconds={"sampling": 1.5}, cost=0.25, sanitizers=compared)
    write_scores(tmp_path / "scores.json", summary)
    assert read_scores(tmp_path / "scores.json") == summary


def test_not_a_number_travels_as_null(tmp_path, make_sample, make_summary):
    samples = [make_sample(index=index) for index in range(10)] + [make_sample("T/1")]
    path = tmp_path / "scores.json"
    write_scores(path, make_summary(*samples))
    assert json.loads(path.read_text())["scores"]["evalplus"]["base"]["10"]["value"] is None
    back = read_scores(path).scores["evalplus"].base
    assert isnan(back[10].value)
    assert isnan(back[10].high)
    assert back[1].value == 1.0


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"scores": {"evalplus": 3}}', '{"scores": {}}', "[" * 100_000])
def test_another_file_is_refused_in_one_sentence(tmp_path, content):
    path = tmp_path / "scores.json"
    path.write_text(content)
    with pytest.raises(UserError, match=r"scores\.json is not a scores\.json of this program"):
        read_scores(path)


@pytest.mark.parametrize(
    "path",
    [
        "scores/strict",
        "scores/evalplus",
        "scores/evalplus/base/1",
        "scores/strict/plus/1",
        "scores/strict/outcomes/plus",
    ],
)
def test_a_file_without_one_of_its_scores_is_refused(tmp_path, make_sample, make_summary, path):
    write_scores(tmp_path / "scores.json", make_summary(make_sample()))
    content = json.loads((tmp_path / "scores.json").read_text())
    *way, last = path.split("/")
    part = content
    for step in way:
        part = part[step]
    del part[last]
    (tmp_path / "scores.json").write_text(json.dumps(content))
    with pytest.raises(UserError, match=r"scores\.json is not a scores\.json of this program"):
        read_scores(tmp_path / "scores.json")


@pytest.mark.parametrize("suites", [[], ["plus"], ["plus", "base"], ["base", "base"]])
def test_suites_that_no_benchmark_has_are_refused(tmp_path, make_sample, make_summary, suites):
    write_scores(tmp_path / "scores.json", make_summary(make_sample(), suites=suites))
    with pytest.raises(UserError, match="those of other suites"):
        read_scores(tmp_path / "scores.json")


@pytest.mark.parametrize("change", [{"value": 7.0}, {"low": 0.9}, {"high": float("nan")}, {"high": 1.1}, {"low": -0.1}])
def test_a_score_outside_its_interval_is_refused(tmp_path, make_sample, make_summary, change):
    summary = make_summary(make_sample(), make_sample("T/1", plus=WRONG))
    write_scores(tmp_path / "scores.json", summary)
    content = json.loads((tmp_path / "scores.json").read_text())
    content["scores"]["strict"]["plus"]["1"].update(change)
    (tmp_path / "scores.json").write_text(json.dumps(content))
    with pytest.raises(UserError, match="a score lies outside its interval"):
        read_scores(tmp_path / "scores.json")


def test_scores_for_no_k_at_all_are_refused(tmp_path, make_sample, make_summary):
    summary = make_summary(make_sample())
    empty = {name: replace(score, base={}, plus={}, drop={}) for name, score in summary.scores.items()}
    write_scores(tmp_path / "scores.json", replace(summary, scores=empty))
    with pytest.raises(UserError, match="it has no scores"):
        read_scores(tmp_path / "scores.json")


def test_a_run_without_scores_says_what_to_do(tmp_path):
    with pytest.raises(UserError, match="run it again"):
        read_scores(tmp_path / "scores.json")


def test_only_samples_whose_pass_hangs_on_the_profile_have_moved(make_sample):
    samples = [
        make_sample("A", base=WRONG, plus=PASS, strict=(WRONG, WRONG)),
        make_sample("B", plus=WRONG, strict=(PASS, PASS)),
        make_sample("C", plus=WRONG, strict=(PASS, Outcome.EXCEPTION)),
        make_sample("D", base=PASS, plus=PASS, strict=(WRONG, PASS)),
        make_sample("E", base=HOST, plus=HOST),
    ]
    assert moved_samples(sample.verdict for sample in samples) == (
        Moved("B", 0, "plus", WRONG, PASS),
        Moved("D", 0, "base", PASS, WRONG),
        Moved("D", 0, "plus", PASS, WRONG),
    )


def test_a_version_that_is_not_known_leaves_no_gap_in_the_name_of_the_benchmark(make_sample, make_summary):
    summary = make_summary(make_sample(), dataset="an unknown dataset", version="")
    assert summary.benchmark == "an unknown dataset (full)"
    assert benchmark_title(summary) == "an unknown dataset"
    assert benchmark_title(replace(summary, version="v1", variant="mini")) == "an unknown dataset v1 (mini)"


def test_a_sample_hangs_on_the_sanitizer_where_it_passes_in_one_way_and_not_in_another():
    ids = [("T/0", 0), ("T/0", 1), ("T/1", 0)]
    ways = {
        "default": dict(zip(ids, [PASS, PASS, WRONG], strict=True)),
        "evalplus": dict(zip(ids, [PASS, WRONG, Outcome.NO_CODE], strict=True)),
        "none": dict(zip(ids, [WRONG, PASS, Outcome.SYNTAX_ERROR], strict=True)),
    }
    compared = compare_sanitizers(ways, "default", ids)
    assert (compared.only_default, compared.only_evalplus) == ((("T/0", 1),), ())
    assert (compared.only_cleaned, compared.only_whole) == ((("T/0", 0),), ())
    compared = compare_sanitizers(ways, "evalplus", ids)
    assert (compared.only_cleaned, compared.only_whole) == ((("T/0", 0),), (("T/0", 1),))


def test_a_sample_that_the_machine_failed_in_one_way_hangs_on_nothing():
    ways = {name: {("T/0", 0): PASS, ("T/1", 0): HOST} for name in ("default", "none")}
    ways["evalplus"] = {("T/0", 0): HOST, ("T/1", 0): WRONG}
    compared = compare_sanitizers(ways, "default", [("T/0", 0), ("T/1", 0)])
    assert compared == SanitizersCompared(samples=0, only_default=(), only_evalplus=(), only_cleaned=(), only_whole=())
