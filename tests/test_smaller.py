"""`show --shrink` on runs and on files of results."""

import json

PROGRAM = (
    "def sum_even_at_odd_index(numbers):\n    return sum(v for v in numbers[1::2] if v % 2 == 0) - (len(numbers) > 5)\n"
)
ROWS = [PROGRAM, PROGRAM.partition(" - ")[0] + "\n", "def sum_even_at_odd_index(numbers):\n    while True: pass\n", ""]


def test_a_failing_input_is_shown_with_a_smaller_one_that_fails_too(evalplus_run, tmp_path):
    rows = [{"task_id": "Example/0", "solution": program} for program in ROWS]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    evalplus_run("samples=a.jsonl", "dataset=example", "run_dir=run", "evaluate.min_time_limit=0.3")
    plain = evalplus_run("show", "run", "Example/0").stdout
    shown = evalplus_run("show", "run", "Example/0", "--shrink").stdout
    assert shown.startswith(plain)
    title, call, expected, got, error, found = shown[len(plain) :].splitlines()
    assert title == "== base, on a smaller input =="
    assert call == "call: sum_even_at_odd_index([0, 0, 0, 0, 0, 0])"
    assert (expected, got, error) == ("expected: 0", "got: -1", "error: wrong value")
    assert found.partition(" tests")[0].startswith("19 characters → 18, by ")
    for index, why in (
        (1, "it fails no test"),
        (2, "by timeout is not looked for"),
        (3, "no test was reached (empty)"),
    ):
        lines = evalplus_run("show", "run", "Example/0", "--index", str(index), "--shrink").stdout.splitlines()
        assert lines[-1].startswith("No smaller failing input: ")
        assert why in lines[-1]


def test_what_fails_in_another_tools_file_shrinks_too_where_it_tells_the_input(evalplus_run, tmp_path):
    failing = [[2, 4, 6, 8, 10, 12, 14]]
    row = {"task_id": "Example/0", "solution": PROGRAM, "base_status": "fail", "plus_status": None}
    told = {**row, "base_fail_tests": [failing], "plus_fail_tests": []}
    (tmp_path / "old.json").write_text(json.dumps({"date": "", "hash": "", "eval": {"Example/0": [told]}}))
    shown = evalplus_run("show", "old.json", "Example/0", "--dataset", "example", "--shrink").stdout
    assert "call: sum_even_at_odd_index([0, 0, 0, 0, 0, 0])" in shown
    told["base_fail_tests"] = [[[0, 0, 0, 0, 0, 0]]]
    (tmp_path / "least.json").write_text(json.dumps({"date": "", "hash": "", "eval": {"Example/0": [told]}}))
    least = evalplus_run("show", "least.json", "Example/0", "--dataset", "example", "--shrink").stdout
    assert "No smaller failing input: of " in least
    bare = evalplus_run("show", "old.json", "Example/0", "--shrink").stdout
    assert bare.endswith(
        "No smaller failing input: the reference of its task is not known: --dataset names the benchmark.\n"
    )
    row = {"task_id": "Example/0", "completion": PROGRAM, "passed": False}
    (tmp_path / "bare.jsonl").write_text(json.dumps(row) + "\n")
    bare = evalplus_run("show", "bare.jsonl", "Example/0", "--dataset", "example", "--shrink").stdout
    assert bare.endswith("on which input it fails is not known here: judge it with samples=FILE first.\n")


def test_to_shrink_a_task_must_be_named(evalplus_run):
    assert "give the TASK too" in evalplus_run("show", ".", "--shrink", status=2).stderr
