"""`evalplus-run reduce`, through the command line."""

import json

import pytest

ROW = {
    "task_id": "Mine/0",
    "prompt": "def clipped(n: int) -> int:\n",
    "canonical_solution": "    if n > 10:\n        return 10\n    return n\n",
    "entry_point": "clipped",
    "base_input": [[1]],
    "plus_input": [[n] for n in range(2, 40)],
    "note": "kept",
}
WRONG = {"a": "return n", "b": "return min(n, 11)", "c": "return min(n, 10) if n != 7 else 8"}


@pytest.fixture
def benchmark(tmp_path):
    (tmp_path / "mine.jsonl").write_text(json.dumps(ROW) + "\n")
    for name, body in WRONG.items():
        row = {"task_id": "Mine/0", "solution": f"def clipped(n):\n    {body}\n"}
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(row) + "\n")
    return ["reduce", "dataset=custom", f"dataset.path={tmp_path / 'mine.jsonl'}", "run_dir=made"]


def plus_inputs(folder):
    (row,) = [json.loads(line) for line in (folder / "made/custom.jsonl").read_text().splitlines()]
    assert row["note"] == "kept"
    assert row["base_input"] == [[1]]
    return row["plus_input"]


def test_few_tests_catch_the_wrong_programs_and_what_they_keep_is_told(evalplus_run, benchmark, tmp_path):
    samples = ",".join(str(tmp_path / f"{name}.jsonl") for name in WRONG)
    told = evalplus_run(*benchmark, "reduce.tests=4", f"samples=[{samples}]").stdout
    chosen = plus_inputs(tmp_path)
    assert len(chosen) == 3
    assert [7] in chosen
    assert "all: 39.0 tests a task" in told
    assert "chosen: 4.0 tests a task" in told
    assert "3 of 3 wrong programs" in told
    assert "that model's 3 wrong programs" in told
    assert "c: strict pass@1 0.0 with all tests, 0.0 with those chosen" in told
    (row,) = [json.loads(line) for line in (tmp_path / "made/chosen.jsonl").read_text().splitlines()]
    assert sorted(ROW["plus_input"][each["plus_test"]] for each in row["tests"]) == sorted(chosen)


def test_without_a_budget_the_fewest_are_taken_that_kill_as_much(evalplus_run, benchmark, tmp_path):
    told = evalplus_run(*benchmark, "reduce.tests=0").stdout
    assert 1 <= len(plus_inputs(tmp_path)) <= 3
    score = [line.split("mutation score ")[1].split(",")[0] for line in told.splitlines() if "mutation score" in line]
    assert score[1] == score[2]
    assert score[1].startswith("100.0 %")
    assert f"chosen beside the base tests: {len(plus_inputs(tmp_path))}; no fewer than" in told


def test_what_was_seen_is_not_seen_again_and_another_choice_needs_another_folder(evalplus_run, benchmark, tmp_path):
    evalplus_run(*benchmark)
    seen = (tmp_path / "made/tasks.jsonl").read_bytes()
    evalplus_run(*benchmark)
    assert (tmp_path / "made/tasks.jsonl").read_bytes() == seen
    assert len(seen.splitlines()) == 2
    refused = evalplus_run(*benchmark, "reduce.seed=5", status=2)
    assert "give another run_dir" in refused.stderr


def test_a_test_that_is_wrong_itself_is_neither_chosen_nor_held_against_a_program(evalplus_run, benchmark, tmp_path):
    erratum = {"task_id": "Mine/0", "suite": "plus", "test": ROW["plus_input"].index([7])}
    (tmp_path / "errata.jsonl").write_text(json.dumps(erratum) + "\n")
    samples = f"samples={tmp_path / 'c.jsonl'}"
    told = evalplus_run(*benchmark, "reduce.tests=9", samples, f"evaluate.errata={tmp_path / 'errata.jsonl'}").stdout
    assert [7] not in plus_inputs(tmp_path)
    assert "c: strict pass@1 100.0 with all tests, 100.0 with those chosen" in told
    assert "left out as wrong themselves: 1, from" in told


def test_base_tests_that_take_the_whole_budget_are_told(evalplus_run, benchmark, tmp_path):
    assert "the base tests take all of reduce.tests" in evalplus_run(*benchmark, "reduce.tests=1").stdout
    assert plus_inputs(tmp_path) == []


def test_a_benchmark_without_plus_tests_is_sent_to_have_some_made(evalplus_run, tmp_path):
    (tmp_path / "mine.jsonl").write_text(json.dumps({**ROW, "plus_input": []}) + "\n")
    refused = evalplus_run("reduce", "dataset=custom", f"dataset.path={tmp_path / 'mine.jsonl'}", status=2)
    assert "make some first (evalplus-run inputs)" in refused.stderr
