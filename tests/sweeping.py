"""Sweeps over answers to one small task, or to tasks of a benchmark as small, and what they leave."""

import json
import sys
import time

RIGHT = "def sum_even_at_odd_index(numbers):\n    return sum(v for v in numbers[1::2] if v % 2 == 0)\n"
WRONG = "def sum_even_at_odd_index(numbers):\n    return sum(numbers)\n"
FENCED = f"Here it is:\n```python\n{RIGHT}```\n"


def replay(folder, name, *texts, seconds=0.0):
    """A file of answers to the example's task."""
    row = {"task_id": "Example/0", "seconds": seconds}
    (folder / f"{name}.jsonl").write_text("".join(json.dumps({**row, "text": text}) + "\n" for text in texts))


def sweep(*more, models="a"):
    paths = ",".join(f"{name}.jsonl" for name in models.split(","))
    return ("-m", "model=replay", f"model.path={paths}", "dataset=example", *more)


def benchmark(folder, tasks, n):
    """A benchmark of so many small tasks, n wrong answers to each of them, and the sweep's keys for both."""
    ids = [f"Own/{number}" for number in range(tasks)]
    task = {"prompt": "def f(x):\n", "entry_point": "f", "canonical_solution": "    return x\n", "base_input": [[1]]}
    answer = {"text": "pass"}
    for name, row, each in (("own", task, 1), ("answers", answer, n)):
        rows = [json.dumps({"task_id": task_id, **row}) + "\n" for task_id in ids for _ in range(each)]
        (folder / f"{name}.jsonl").write_text("".join(rows))
    return ("model=replay", "model.path=answers.jsonl", "dataset=custom", "dataset.path=own.jsonl", f"sampling.n={n}")


def scored(shown, figure):
    """The runs of a table that have this score on base and plus tests."""
    return shown.count(f" {figure} [") / 2


def jobs(tmp_path, folder="outputs"):
    found = [json.loads(path.read_text()) for path in (tmp_path / folder / "jobs").glob("*.json")]
    return {" ".join(job["overrides"]): job for job in found}


def files(tmp_path, *below):
    """Every file of the runs, by when it was written."""
    paths = (path for path in tmp_path.joinpath(*below).rglob("*") if path.is_file())
    of_sweeps = {"jobs", ".hydra", "sweep.json"}
    return {path: path.stat().st_mtime_ns for path in paths if not of_sweeps & {*path.parts}}


def command(*arguments):
    return [sys.executable, "-m", "evalplus_run", *arguments]


def until(condition, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)
