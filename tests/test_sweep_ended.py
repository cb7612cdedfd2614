"""Sweeps that a signal, a kill or a broken pipe ends, and what the same command makes of them."""

import errno
import json
import os
import random
import signal
import subprocess
import time

import pytest
from sweeping import RIGHT, WRONG, command, jobs, replay, scored, sweep, until

from evalplus_run import pipeline
from evalplus_run.benchmarks import DatasetSettings, load
from evalplus_run.sweep import Sweep


def test_a_pipe_that_breaks_inside_a_job_fails_the_job(tmp_path, monkeypatch):
    def break_off(*_, **__):
        raise BrokenPipeError(errno.EPIPE, "Broken pipe")

    monkeypatch.setattr(pipeline, "run", break_off)
    Sweep("s", ()).run({"sweep": {"dir": str(tmp_path)}}, number=0, overrides=("a=1",), at_once=1)
    (job,) = jobs(tmp_path, ".").values()
    assert (job["state"], job["error"].partition(":")[0]) == ("failed", "the system failed (Broken pipe)")


def test_a_sweep_whose_reader_went_away_ends_as_by_sigpipe(environment, tmp_path):
    replay(tmp_path, "a", RIGHT)
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(command(*sweep()), cwd=tmp_path, env=environment, stdout=writing, check=False, timeout=120)
    os.close(writing)
    assert done.returncode == 128 + signal.SIGPIPE
    assert [job["state"] for job in jobs(tmp_path).values()] == ["finished"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_sweep_and_its_job_says_so(evalplus_run, environment, tmp_path, number):
    replay(tmp_path, "a", *[RIGHT] * 40, seconds=0.5)
    slow = sweep("sampling.n=40", "k=[1]", "model.pace=1", "model.concurrency=1", "sampling.temperature=0.2,0.8")
    process = subprocess.Popen(command(*slow), cwd=tmp_path, env=environment, stderr=subprocess.DEVNULL)
    until(lambda: any(path.stat().st_size for path in tmp_path.rglob("completions.jsonl")))
    process.send_signal(number)
    assert process.wait(60) == 128 + number
    assert [job["state"] for job in jobs(tmp_path).values()] == ["ended"]
    done = evalplus_run(*slow[:-3], "sampling.temperature=0.2,0.8")
    assert scored(done.stdout, "100.0") == 2


@pytest.mark.parametrize(
    ("kills", "models", "datasets", "n"),
    [
        pytest.param(3, "ab", ("example",), 30, id="few"),
        pytest.param(5, "abc", ("humaneval", "example"), 1, id="all", marks=pytest.mark.slow),
    ],
)
def test_a_sweep_that_is_killed_again_and_again_ends_with_the_table_of_one_that_never_was(
    evalplus_run, environment, tmp_path, kills, models, datasets, n
):
    tasks = [task for name in datasets for task in load(DatasetSettings(name=name)).tasks]
    for place, model in enumerate(models):
        answers = [
            {"task_id": task.task_id, "index": index, "seconds": 0.02, "text": RIGHT if (place + index) % 3 else WRONG}
            for task in tasks
            for index in range(n)
        ]
        (tmp_path / f"{model}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in answers))
    paths = ",".join(f"{model}.jsonl" for model in models)
    arguments = (
        *("-m", "model=replay", f"model.path={paths}", f"dataset={','.join(datasets)}", f"sampling.n={n}"),
        *("sampling.temperature=0.2,0.6,1", "model.pace=1", "model.concurrency=4"),
    )
    never = evalplus_run(*arguments, "sweep.dir=never").stdout
    moments = random.Random(kills)
    for kill in range(kills):
        process = subprocess.Popen(
            command(*arguments), cwd=tmp_path, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        # Later each time, and at a random moment of a job.
        until(lambda wanted=kill: sum(job["state"] == "finished" for job in jobs(tmp_path).values()) >= wanted, 300)
        time.sleep(moments.uniform(0, 4))
        process.kill()
        process.wait()
    done = evalplus_run(*arguments)
    assert done.stdout == never
    assert "finished before" in done.stderr
    more = evalplus_run(*arguments[:-3], "sampling.temperature=0.2,0.6,0.8,1", *arguments[-2:])
    runs = len(models) * len(datasets)
    assert (more.stderr.count("finished before"), more.stderr.count("starting")) == (3 * runs, runs)
