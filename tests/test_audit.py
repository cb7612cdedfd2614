"""`audit` through the command line, and what its file does to a run."""

import json

TASK = {
    "task_id": "My/0",
    "prompt": "def join(texts: list[str]) -> str:\n",
    "entry_point": "join",
    "canonical_solution": "    return ''.join(texts)\n",
    "base_input": [[["a", "b"]]],
    "plus_input": [["ab"], [["c"]]],
}
RIGHT = "def join(texts):\n    return ''.join(texts + [])\n"


def strict_pass(evalplus_run, folder, errata):
    evalplus_run(
        "samples=s.jsonl", "dataset=custom", "dataset.path=b.jsonl", "run_dir=run", f"evaluate.errata={errata}"
    )
    return json.loads((folder / "run" / "verdicts.jsonl").read_text().splitlines()[-1])["strict"]["plus"]["outcome"]


def test_tests_that_are_wrong_are_listed_and_their_file_leaves_them_out(evalplus_run, tmp_path):
    (tmp_path / "b.jsonl").write_text(json.dumps(TASK) + "\n")
    (tmp_path / "s.jsonl").write_text(json.dumps({"task_id": "My/0", "solution": RIGHT}) + "\n")
    told = evalplus_run("audit", "--dataset", "b.jsonl", "--errata", "errata.jsonl").stdout
    assert "My/0 plus: 1 test (0): texts is declared list[str] and is str" in told
    assert told.endswith("1 test of 1 of 1 task says nothing of a program.\n")
    assert json.loads((tmp_path / "errata.jsonl").read_text()) == {
        "task_id": "My/0",
        "suite": "plus",
        "tests": [0],
        "kind": "ill-typed",
        "reason": "texts is declared list[str] and is str",
    }
    assert strict_pass(evalplus_run, tmp_path, "none") == "exception"
    assert strict_pass(evalplus_run, tmp_path, "errata.jsonl") == "pass"
    assert strict_pass(evalplus_run, tmp_path, "auto") == "pass"
    manifest = json.loads((tmp_path / "run" / "manifest.json").read_text())
    assert manifest["judge"]["left_out"] == "those whose input contradicts the declared types"


def test_what_needs_runs_is_found_too_but_not_quickly(evalplus_run, tmp_path):
    body = "    return 1 / len(texts)\n"
    row = {**TASK, "canonical_solution": body, "contract": "\n    assert len(texts) < 3\n", "assertion": "assert 0"}
    (tmp_path / "b.jsonl").write_text(json.dumps({**row, "base_input": [[["a"]], [[]], [list("abc")]]}) + "\n")
    slow, quick = (evalplus_run("audit", "--dataset", "b.jsonl", *more).stdout for more in ([], ["--quick"]))
    assert "ZeroDivisionError" in slow
    assert "AssertionError" in slow
    assert "ZeroDivisionError" not in quick
    assert "No reference was run" in quick
    assert "assertion 1 of the contract refuses it" in slow
    assert "assertion 1 of the contract refuses it" in quick


def test_samples_of_several_models_tell_of_a_wrong_expected_value(evalplus_run, tmp_path):
    body = "    return 'x' if texts == ['c'] else ''.join(texts)\n"
    inputs = [[[letter]] for letter in "abcdefgh"]
    row = {**TASK, "canonical_solution": body, "base_input": inputs, "plus_input": []}
    (tmp_path / "b.jsonl").write_text(json.dumps(row) + "\n")
    for model in ("one", "other"):
        (tmp_path / f"{model}.jsonl").write_text(json.dumps({"task_id": "My/0", "solution": RIGHT}) + "\n")
    arguments = ["--samples", "one.jsonl", "other.jsonl", "--findings", "found.jsonl", "--errata", "errata.jsonl"]
    done = evalplus_run("audit", "--dataset", "b.jsonl", *arguments)
    assert "cannot be told from 2 models" in done.stderr
    assert "My/0 base: 1 test (2): 2 programs of 2 models agree on 'c' in place of 'x'" in done.stdout
    assert "programs agree on another answer" in (tmp_path / "found.jsonl").read_text()
    assert (tmp_path / "errata.jsonl").read_text() == ""


def test_a_benchmark_without_faults_has_none(evalplus_run):
    assert evalplus_run("audit", "--dataset", "example").stdout.endswith(
        "0 tests of 0 of 1 task say nothing of a program.\n"
    )


def test_a_task_that_is_not_there_is_refused(evalplus_run):
    assert "no task My/9" in evalplus_run("audit", "--dataset", "example", "--tasks", "My/9", status=2).stderr


def test_two_files_of_one_name_are_no_two_models(evalplus_run, tmp_path):
    (tmp_path / "b.jsonl").write_text(json.dumps(TASK) + "\n")
    (tmp_path / "s.jsonl").write_text(json.dumps({"task_id": "My/0", "solution": RIGHT}) + "\n")
    done = evalplus_run("audit", "--dataset", "b.jsonl", "--samples", "s.jsonl", "./s.jsonl", status=2)
    assert "Two of the samples are called s" in done.stderr
