"""`evalplus-run inputs`, through the command line."""

import json
import re
import signal
import subprocess
import sys
import time

BENCHMARK = [
    {
        "task_id": "Mine/0",
        "prompt": "def add(a: int, b: int) -> int:\n",
        "canonical_solution": "    return a + b\n",
        "entry_point": "add",
        "base_input": [[1, 2]],
        "plus_input": [],
        "note": "kept",
    },
    {
        "task_id": "Mine/1",
        "prompt": "def turned(text: str) -> str:\n",
        "canonical_solution": "    return text[::-1]\n",
        "entry_point": "turned",
        "base_input": [["abc"]],
    },
]


def written(folder, rows=BENCHMARK):
    path = folder / "mine.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def options(path, *more):
    return ["inputs", "dataset=custom", f"dataset.path={path}", "testgen.n=20", "run_dir=made", *more]


def test_the_benchmark_is_written_with_new_inputs_and_a_wrong_program_fails_there_alone(evalplus_run, tmp_path):
    path = written(tmp_path)
    told = evalplus_run(*options(path)).stdout
    assert "40 inputs for 2 tasks" in told
    rows = [json.loads(line) for line in (tmp_path / "made/custom.jsonl").read_text().splitlines()]
    assert [len(row["plus_input"]) for row in rows] == [20, 20]
    assert rows[0]["note"] == "kept"
    samples = tmp_path / "samples.jsonl"
    wrong = {"task_id": "Mine/0", "solution": "def add(a, b):\n    return 3"}
    right = {"task_id": "Mine/1", "solution": "def turned(text):\n    return text[::-1]"}
    samples.write_text("".join(json.dumps(row) + "\n" for row in (wrong, right)))
    evalplus_run(f"samples={samples}", "dataset=custom", "dataset.path=made/custom.jsonl", "run_dir=judged")
    scores = json.loads((tmp_path / "judged/scores.json").read_text())["scores"]["evalplus"]
    assert (scores["base"]["1"]["value"], scores["plus"]["1"]["value"]) == (1.0, 0.5)


def test_any_number_of_processes_and_any_hash_seed_make_the_same_file(evalplus_run, tmp_path):
    path = written(tmp_path)
    evalplus_run(*options(path, "executor.workers=1"), environment={"PYTHONHASHSEED": "1"})
    evalplus_run(*options(path, "run_dir=other", "executor.workers=2"), environment={"PYTHONHASHSEED": "2"})
    assert (tmp_path / "made/custom.jsonl").read_bytes() == (tmp_path / "other/custom.jsonl").read_bytes()


def test_finished_tasks_are_kept_and_a_torn_row_is_made_again(evalplus_run, tmp_path):
    path = written(tmp_path)
    evalplus_run(*options(path))
    whole = (tmp_path / "made/custom.jsonl").read_bytes()
    rows = (tmp_path / "made/tasks.jsonl").read_bytes()
    (tmp_path / "made/tasks.jsonl").write_bytes(rows[:-100])
    told = evalplus_run(*options(path)).stderr
    assert "1 of 2" in told
    assert (tmp_path / "made/custom.jsonl").read_bytes() == whole


def test_a_folder_of_other_settings_is_refused(evalplus_run, tmp_path):
    path = written(tmp_path)
    evalplus_run(*options(path))
    assert "another run_dir" in evalplus_run(*options(path, "testgen.seed=1"), status=2).stderr


def test_a_reference_that_fails_is_named(evalplus_run, tmp_path):
    path = written(tmp_path, [{**BENCHMARK[0], "canonical_solution": "    return a / 0\n"}])
    assert "Mine/0" in evalplus_run(*options(path), status=1).stderr


def test_a_sweep_and_samples_that_are_not_there_are_refused(evalplus_run, tmp_path):
    path = written(tmp_path)
    assert "x does not exist" in evalplus_run(*options(path, "samples=[x]"), status=2).stderr
    assert "without a name" in evalplus_run(*options(path, "samples=[x,]"), status=2).stderr
    assert "drop -m" in evalplus_run(*options(path, "-m"), status=2).stderr


def test_the_inputs_of_a_check_are_recorded(evalplus_run, tmp_path):
    check = "def check(candidate):\n    assert candidate((1, 2), 3) == 3\n"
    row = {key: value for key, value in BENCHMARK[0].items() if key not in ("base_input", "plus_input")}
    path = written(
        tmp_path, [{**row, "prompt": "def add(a, b):\n", "canonical_solution": "    return b\n", "test": check}]
    )
    evalplus_run(*options(path))
    made = json.loads((tmp_path / "made/custom.jsonl").read_text())
    assert made["base_input"] == [[[1, 2], 3]]
    assert len(made["plus_input"]) == 20


def test_it_ends_on_ctrl_c_leaves_no_process_and_goes_on(evalplus_run, tmp_path, kept):
    slow = "    return sum(1 for i in range(300) if i % (a * a + 2)) + b\n"
    rows = [{**BENCHMARK[0], "task_id": f"Mine/{i}", "canonical_solution": slow} for i in range(6)]
    path = written(tmp_path, rows)
    command = [sys.executable, "-m", "evalplus_run", *options(path)]
    environment = {"EVALPLUS_RUN_CACHE": str(kept), "PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}
    process = subprocess.Popen(command, cwd=tmp_path, env=environment, stderr=subprocess.PIPE, start_new_session=True)
    made = tmp_path / "made/tasks.jsonl"
    while not (made.exists() and made.read_bytes().count(b"\n") > 1):
        assert process.poll() is None
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=60)
    assert process.returncode == 128 + signal.SIGINT
    assert b"goes on from here" in told
    assert not {b"Traceback", b"Warning"} & set(re.findall(rb"Traceback|Warning", told))
    while subprocess.run(["pgrep", "-s", str(process.pid)], stdout=subprocess.DEVNULL, check=False).returncode == 0:
        time.sleep(0.05)  # for ever, where one is left
    before = made.read_bytes()
    evalplus_run(*options(path))
    assert made.read_bytes().startswith(before)
    assert len(re.findall(rb'"task_id":"Mine/\d"', made.read_bytes())) == 6
