"""What a run on fewer tasks or samples does to the result of the whole one."""

import json

import pytest

NAMES = ("first", "second", "third")
SAMPLES = ("samples=samples.jsonl", "dataset=custom", "dataset.path=benchmark.jsonl", "run_dir=run")
REPLAY = ("model=replay", "model.path=answers.jsonl", "dataset=custom", "dataset.path=benchmark.jsonl", "run_dir=run")


@pytest.fixture(autouse=True)
def three_tasks(tmp_path):
    """A benchmark of three tasks, and two answers to each: the first is right."""
    tasks, answers, samples = [], [], []
    for number, name in enumerate(NAMES):
        tasks.append(
            {
                "task_id": f"Own/{number}",
                "prompt": f"def {name}(x):\n",
                "entry_point": name,
                "canonical_solution": "    return x\n",
                "base_input": [[1]],
            }
        )
        for value in ("x", "2"):
            program = f"def {name}(x):\n    return {value}\n"
            answers.append({"task_id": f"Own/{number}", "text": f"```python\n{program}```"})
            samples.append({"task_id": f"Own/{number}", "solution": program})
    for name, rows in (("benchmark", tasks), ("answers", answers), ("samples", samples)):
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


def contents(folder):
    """Of the files that a result stands on and of those that tell it."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def size(folder):
    score = json.loads((folder / "scores.json").read_text())["scores"]["evalplus"]
    return score["tasks"], score["samples"]


@pytest.mark.parametrize(
    ("command", "less", "told"),
    [
        ((*REPLAY, "sampling.n=2"), ("dataset.limit=1",), (1, 2)),
        ((*REPLAY, "sampling.n=2"), ("dataset.tasks=[Own/2,Own/1]",), (2, 4)),
        ((*REPLAY, "sampling.n=2"), ("sampling.n=1",), (3, 3)),
        (SAMPLES, ("dataset.limit=2",), (2, 4)),
    ],
    ids=["limit", "tasks", "n", "given"],
)
def test_a_part_of_a_finished_run_is_told_beside_it_and_changes_none_of_its_files(
    evalplus_run, tmp_path, command, less, told
):
    evalplus_run(*command)
    run, part = tmp_path / "run", tmp_path / "run" / "part"
    before = contents(run)
    # Another judge, so that there are verdicts to be written.
    done = evalplus_run(*command, *less, "evaluate.details=true")
    assert contents(run) == before
    assert size(part) == told
    assert "The larger result in run stays as it is." in done.stdout
    assert "Files: run/part" in done.stdout
    assert "starting" not in done.stderr


def test_what_is_missing_of_a_part_is_drawn_once_for_both(evalplus_run, tmp_path):
    run, part = tmp_path / "run", tmp_path / "run" / "part"
    evalplus_run(*REPLAY)
    before = contents(run)
    evalplus_run(*REPLAY, "sampling.n=2", "dataset.limit=1")
    drawn = before.pop("completions.jsonl")
    after = contents(run)
    assert after.pop("completions.jsonl").startswith(drawn)
    assert after == before
    assert size(part) == (1, 2)
    assert "first_prompt" in json.loads((part / "manifest.json").read_text())
    evalplus_run(*REPLAY, "sampling.n=2")
    rows = [json.loads(line) for line in (run / "completions.jsonl").read_text().splitlines()]
    assert sorted((row["task_id"], row["index"]) for row in rows) == [(f"Own/{n}", i) for n in range(3) for i in (0, 1)]
    assert size(run) == (3, 6)


def test_more_tasks_replace_the_result_of_fewer_whatever_their_samples(evalplus_run, tmp_path):
    evalplus_run(*REPLAY, "dataset.limit=1", "sampling.n=2")
    evalplus_run(*REPLAY, "dataset.limit=2")
    assert size(tmp_path / "run") == (2, 2)
    assert not (tmp_path / "run" / "part").exists()
    # Verdicts of the second sample are still in the log, and count no more.
    found = json.loads(evalplus_run("compare", "run", "run", "--json").stdout)
    assert found["pairs"][0]["result"]["first"] == 1


def test_a_part_is_read_where_it_is_named_and_left_out_where_its_run_is(evalplus_run, tmp_path):
    evalplus_run(*REPLAY, "sampling.n=2")
    evalplus_run(*REPLAY, "sampling.n=2", "dataset.tasks=[Own/2]")
    shown = evalplus_run("report", "run", "--html", "page.html").stdout
    assert "3 of 3 tasks" in shown
    below = json.loads(evalplus_run("report", ".", "--json").stdout)
    assert [run["run_dir"] for run in below] == ["run"]
    shown = evalplus_run("report", "run/part", "--html", "page.html").stdout
    assert "1 of 3 tasks" in shown
    shown = evalplus_run("show", "run/part", "Own/2").stdout
    assert "== raw answer ==\n```python\ndef third(x):" in shown
    compared = json.loads(evalplus_run("compare", "run", "run/part", "--json").stdout)
    assert (compared["tasks"], compared["tasks_left_out"]) == (1, 2)


def test_a_folder_of_other_samples_is_refused_as_ever_and_gets_no_part(evalplus_run, tmp_path):
    evalplus_run(*REPLAY, "sampling.n=2")
    done = evalplus_run(*REPLAY, "sampling.temperature=0.5", "dataset.limit=1", status=2)
    assert "holds samples of other settings" in done.stderr
    assert not (tmp_path / "run" / "part").exists()


def test_a_run_may_be_called_part(evalplus_run, tmp_path):
    evalplus_run(*REPLAY[:-1], "run_dir=part")
    assert "== raw answer ==" in evalplus_run("show", "part", "Own/1").stdout
