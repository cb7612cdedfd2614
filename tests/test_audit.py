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


def test_ill_typed_tests_are_listed_and_their_file_leaves_them_out(evalplus_run, tmp_path):
    (tmp_path / "b.jsonl").write_text(json.dumps(TASK) + "\n")
    (tmp_path / "s.jsonl").write_text(json.dumps({"task_id": "My/0", "solution": RIGHT}) + "\n")
    told = evalplus_run("audit", "--dataset", "b.jsonl", "--errata", "errata.jsonl").stdout
    assert "My/0 plus: 1 (tests 0): texts is declared list[str] and is str" in told
    assert strict_pass(evalplus_run, tmp_path, "none") == "exception"
    assert strict_pass(evalplus_run, tmp_path, "errata.jsonl") == "pass"
    assert strict_pass(evalplus_run, tmp_path, "auto") == "pass"


def test_a_benchmark_without_faults_has_none(evalplus_run):
    assert "0 tests" in evalplus_run("audit", "--dataset", "example").stdout
