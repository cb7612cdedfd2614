"""Sweeps through the command line: what is run, what is passed over, what is told, by every launcher."""

import errno
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import fake_slurm
import pytest

from evalplus_run import pipeline
from evalplus_run.benchmarks import DatasetSettings, load
from evalplus_run.sweep import Sweep
from evalplus_run.sweeps.jobs import at_work_in

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


def test_the_end_is_one_table_of_all_runs(evalplus_run, tmp_path):
    replay(tmp_path, "a", RIGHT)
    replay(tmp_path, "b", WRONG)
    shown = evalplus_run(*sweep("sampling.temperature=0.2,0.8", models="a,b")).stdout
    assert (shown.count("temperature 0.2"), shown.count("temperature 0.8")) == (2, 2)
    assert (scored(shown, "100.0"), scored(shown, "0.0")) == (2, 2)
    assert shown.count("scores in %") == 1
    reported = evalplus_run("report", "outputs").stdout
    assert reported == f"{shown}Each run in full: its folder in place of this one, or --full.\n"
    (run, *_) = sorted(path.parent.relative_to(tmp_path) for path in tmp_path.rglob("scores.json"))
    full = evalplus_run("report", "outputs", "--full").stdout
    assert evalplus_run("report", str(run)).stdout in full
    assert full.count("Files: ") == 4
    assert full.endswith(shown)


def test_what_is_finished_is_passed_over_and_what_is_new_is_run(evalplus_run, tmp_path):
    replay(tmp_path, "a", RIGHT)
    evalplus_run(*sweep("sampling.temperature=0.2,0.8"))
    before = files(tmp_path, "outputs")
    done = evalplus_run(*sweep("sampling.temperature=0.2,0.8,1"))
    assert done.stderr.count("finished before") == 2
    assert done.stderr.count("starting") == 1
    after = files(tmp_path, "outputs")
    assert {path: after[path] for path in before} == before
    assert done.stdout.count("temperature") == 3


def test_a_run_whose_files_have_changed_since_is_run_again(evalplus_run, tmp_path):
    replay(tmp_path, "a", RIGHT)
    evalplus_run(*sweep("sampling.temperature=0.2"))
    (scores,) = tmp_path.rglob("scores.json")
    right = scores.read_text()
    scores.write_text(right.replace("1.0", "0.5"))
    done = evalplus_run(*sweep("sampling.temperature=0.2"))
    assert "finished before" not in done.stderr
    assert json.loads(scores.read_text())["scores"] == json.loads(right)["scores"]


@pytest.mark.parametrize("more", ["k=[1]", "evaluate.details=true", "published={example: {base: 90, source: a paper}}"])
def test_a_run_that_is_told_something_else_is_not_passed_over(evalplus_run, tmp_path, more):
    replay(tmp_path, "a", RIGHT)
    evalplus_run(*sweep("sampling.temperature=0.2"))
    assert "finished before" not in evalplus_run(*sweep("sampling.temperature=0.2", more)).stderr


@pytest.mark.parametrize("fewer", ["dataset.limit=3", "dataset.tasks=[HumanEval/53]", "sampling.n=1"])
def test_a_run_on_fewer_samples_is_not_taken_for_the_whole(evalplus_run, tmp_path, fewer):
    tasks = [task.task_id for task in load(DatasetSettings(name="humaneval")).tasks]
    rows = [{"task_id": task, "index": index, "text": "pass"} for task in tasks for index in range(2)]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    arguments = (
        "-m",
        "model=replay",
        "model.path=a.jsonl",
        "dataset=humaneval",
        "sampling.n=2",
        "sanitizer.compare=false",
    )
    evalplus_run(*arguments, fewer)
    done = evalplus_run(*arguments)
    assert "finished before" not in done.stderr
    (whole,) = [path for path in tmp_path.rglob("scores.json") if path.parent.name != "part"]
    assert json.loads(whole.read_text())["scores"]["evalplus"]["samples"] == 328


def test_other_workers_do_not_make_another_run(evalplus_run, tmp_path):
    replay(tmp_path, "a", RIGHT)
    evalplus_run(*sweep("sampling.temperature=0.2"))
    assert "finished before" in evalplus_run(*sweep("sampling.temperature=0.2", "executor.workers=1")).stderr


def test_a_job_that_fails_is_told_and_stops_no_other(evalplus_run, tmp_path):
    replay(tmp_path, "a", RIGHT)
    done = evalplus_run(*sweep("sampling.temperature=0,1", models="none,a"), status=1)
    assert "2 of the sweep's 4 jobs failed: see outputs/jobs." in done.stderr
    assert scored(done.stdout, "100.0") == 2
    assert done.stdout.count("failed: There is no file none.jsonl") == 2
    states = {name: (job["state"], job["error"]) for name, job in jobs(tmp_path).items()}
    failed = states["model=replay model.path=none.jsonl dataset=example sampling.temperature=0"]
    assert (failed[0], "There is no file none.jsonl" in failed[1]) == ("failed", True)
    assert states["model=replay model.path=a.jsonl dataset=example sampling.temperature=1"] == ("finished", "")
    assert "failed: There is no file none.jsonl" in evalplus_run("report", "outputs").stdout


def test_before_any_run_has_ended_a_report_tells_of_the_jobs(evalplus_run, tmp_path):
    evalplus_run(*sweep(models="none"), status=1)
    assert "failed: There is no file none.jsonl" in evalplus_run("report", "outputs").stdout
    assert "has ended yet" in evalplus_run("report", "outputs", "--html", "page.html", status=2).stderr


def test_a_second_sweep_into_a_folder_leaves_the_other_runs_and_a_third_repeats_what_failed(evalplus_run, tmp_path):
    replay(tmp_path, "a", RIGHT)
    evalplus_run(*sweep("hydra.sweep.dir=mine", models="a,none,a"), status=1)
    first = files(tmp_path, "mine")
    evalplus_run(*sweep("hydra.sweep.dir=mine", models="none"), status=1)
    assert files(tmp_path, "mine") == first
    replay(tmp_path, "none", WRONG)
    done = evalplus_run(*sweep("hydra.sweep.dir=mine", models="a,none,a"))
    assert (done.stderr.count("finished before"), done.stderr.count("starting none")) == (2, 1)
    after = files(tmp_path, "mine")
    assert {path: after[path] for path in first} == first
    assert not (tmp_path / "outputs").exists()


def test_with_fail_fast_nothing_begins_after_a_failure(evalplus_run, tmp_path):
    replay(tmp_path, "a", RIGHT)
    done = evalplus_run(*sweep("sweep.fail_fast=true", models="a,none,a,none"), status=1)
    assert (done.stderr.count("job 0"), done.stderr.count("job 2"), done.stderr.count("job 3")) == (1, 0, 0)
    assert scored(done.stdout, "100.0") == 1
    done = evalplus_run(*sweep("sweep.fail_fast=true", "sampling.temperature=0.2,0.4", models="none,a"), status=1)
    assert "1 of the sweep's 4 jobs failed, 3 were not begun: see outputs/jobs." in done.stderr
    assert "not begun, 3 of 4 jobs: model=replay model.path=none.jsonl" in done.stdout


def test_what_failed_in_an_earlier_command_is_told_apart_and_can_be_dropped(evalplus_run, tmp_path):
    replay(tmp_path, "a", RIGHT)
    evalplus_run("-m", status=1)
    evalplus_run(*sweep())
    (told,) = [line for line in evalplus_run("report", "outputs").stdout.splitlines() if "the job without any" in line]
    assert told.startswith("earlier, by another command (")
    assert "failed: Give a model" in told
    (tmp_path / told.partition("rm ")[2].partition(")")[0]).unlink()
    assert "earlier" not in evalplus_run("report", "outputs").stdout


def test_a_finished_job_whose_result_is_gone_has_a_line(evalplus_run, tmp_path):
    replay(tmp_path, "a", RIGHT)
    evalplus_run(*sweep("sampling.temperature=0.2,0.8"))
    (scores,) = tmp_path.rglob("t0.2-*/scores.json")
    scores.unlink()
    shown = evalplus_run("report", "outputs").stdout
    assert (
        f"sampling.temperature=0.2 finished, but its result is gone from {scores.parent.relative_to(tmp_path)}" in shown
    )
    assert "gone" not in evalplus_run(*sweep("sampling.temperature=0.2,0.8")).stdout


def test_runs_that_would_look_alike_are_named_by_what_differs(evalplus_run, tmp_path):
    for name, text in (("a", RIGHT), ("b", WRONG)):
        (tmp_path / name).mkdir()
        replay(tmp_path / name, "samples", text)
    swept = sweep("evaluate.time_factor=4,8", "sampling.temperature=0,1", models="a/samples,b/samples")
    shown = evalplus_run(*swept, environment={"COLUMNS": "120"})
    names = [line.partition(": ")[0] for line in shown.stdout.splitlines() if line.startswith("samples")]
    assert sorted(names) == sorted(
        f"samples, model.path={model}/samples.jsonl, evaluate.time_factor={factor}{at}"
        for model in "ab"
        for factor in (4, 8)
        for at in (", sampling.temperature=0", "")
    )
    assert evalplus_run("report", "outputs", "--markdown").stdout.count("time\\_factor=8") == 4


def test_runs_of_no_sweep_that_look_alike_are_named_by_their_folders(evalplus_run, tmp_path):
    replay(tmp_path, "a", RIGHT)
    for factor in "48":
        evalplus_run(*sweep()[1:], f"evaluate.time_factor={factor}", f"run_dir=run{factor}")
    shown = evalplus_run("report", "run4", "run8").stdout
    assert ("\na, run4: " in shown, "\na, run8: " in shown) == (True, True)


def test_each_run_of_a_sweep_is_held_against_what_was_published(evalplus_run, tmp_path):
    tasks = [task.task_id for task in load(DatasetSettings(name="humaneval")).tasks]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps({"task_id": task, "text": "pass"}) + "\n" for task in tasks))
    published = "published={humaneval: {base: 90, source: a table, temperature: 0}}"
    more = ("sampling.temperature=0,1", "sanitizer.compare=false", published)
    done = evalplus_run("-m", "model=replay", "model.path=a.jsonl", "dataset=humaneval", *more)
    shown = " ".join(done.stdout.split())
    assert shown.count("164 published: 90.0, -: ") == 2
    assert "published: 90.0, -: not consistent" in shown
    assert "not held against ours: it was drawn at temperature 0 and this run at 1" in shown


def test_jobs_that_share_a_folder_are_told_of_whose_result_stands_there(evalplus_run, tmp_path):
    replay(tmp_path, "a", RIGHT, WRONG)
    shown = evalplus_run(*sweep("sampling.n=1,2")).stdout
    (told,) = [line for line in shown.splitlines() if "another job's result stands now" in line]
    assert "sampling.n=1 has its run in" in told


def test_what_cannot_be_composed_is_refused_before_any_job(evalplus_run, tmp_path):
    replay(tmp_path, "a", RIGHT)
    assert "did you mean dataset=example?" in evalplus_run(*sweep()[:-1], "dataset=example,exampel", status=2).stderr
    assert not (tmp_path / "outputs").exists()


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


@pytest.mark.parametrize("more", ["sampling.temperature=glob(*)", "dataset=glob(z*)"])
def test_a_sweep_without_any_job_is_no_success(evalplus_run, tmp_path, more):
    replay(tmp_path, "a", RIGHT)
    assert "The sweep has no job" in evalplus_run(*sweep()[:-1], "dataset=example", more, status=2).stderr


def test_a_job_that_the_launcher_could_not_begin_is_no_success(evalplus_run, tmp_path):
    replay(tmp_path, "a", RIGHT)
    (tmp_path / "outputs" / ".hydra").mkdir(parents=True)
    (tmp_path / "outputs" / ".hydra" / "1").touch()
    done = evalplus_run(*sweep("hydra.sweep.subdir=${hydra.job.num}", "sampling.temperature=0,1"), status=1)
    told = done.stderr.splitlines()[-1]
    assert told.startswith("evalplus-run: ")
    assert (
        "outputs/.hydra/1 cannot be used (File exists)" in told.partition("1 of the sweep's 2 jobs were not begun")[0]
    )
    assert (
        "not begun, 1 of 2 jobs: model=replay model.path=a.jsonl dataset=example sampling.temperature=1" in done.stdout
    )
    assert scored(done.stdout, "100.0") == 1
    meanwhile = evalplus_run("report", "outputs").stdout
    assert "not begun, 1 of 2 jobs" in meanwhile
    (tmp_path / "outputs" / ".hydra" / "1").unlink()
    assert (
        "not begun"
        not in evalplus_run(*sweep("hydra.sweep.subdir=${hydra.job.num}", "sampling.temperature=0,1")).stdout
    )


def test_a_sweep_that_is_told_by_its_mode_alone_is_refused(evalplus_run, tmp_path):
    replay(tmp_path, "a", RIGHT)
    asked = (*sweep()[1:], "hydra.mode=MULTIRUN", "sampling.temperature=0,1")
    assert "say so by -m" in evalplus_run(*asked, status=2).stderr
    assert not list(tmp_path.rglob("scores.json"))


def test_sanitizers_share_the_answers_and_not_the_folder(evalplus_run, tmp_path):
    replay(tmp_path, "a", FENCED)
    done = evalplus_run(*sweep("sanitizer=default,none,evalplus"))
    assert (scored(done.stdout, "100.0"), scored(done.stdout, "0.0")) == (2, 1)
    assert done.stderr.count("starting") == 1
    runs = sorted(path.parent for path in (tmp_path / "outputs").rglob("scores.json"))
    assert [run.name.removeprefix(runs[0].name) for run in runs] == ["", "-evalplus", "-none"]
    assert len({(run / "completions.jsonl").read_bytes() for run in runs}) == 1
    manifests = [json.loads((run / "manifest.json").read_text()) for run in runs]
    assert [manifest["drawn"]["answers"] for manifest in manifests] == [1, 1, 1]


def test_the_rules_of_judging_name_the_folder_too(evalplus_run, tmp_path):
    replay(tmp_path, "a", RIGHT)
    evalplus_run(*sweep("evaluate.time_factor=4,8", "sandbox.memory=4096,1024"))
    assert len(list((tmp_path / "outputs").rglob("scores.json"))) == 4


def test_temperatures_on_the_command_line_stand_in_the_place_of_the_experiments(evalplus_run, tmp_path):
    replay(tmp_path, "a", *[RIGHT] * 10)
    done = evalplus_run(*sweep("experiment=temperature_sweep", "sampling.temperature=0.3,0.5"))
    assert [done.stdout.count(f"temperature {value}") > 0 for value in (0.2, 0.3, 0.5)] == [False, True, True]
    assert len(jobs(tmp_path)) == 2


def test_models_vary_slowest_whatever_is_typed_first(evalplus_run, tmp_path):
    replay(tmp_path, "a", RIGHT)
    replay(tmp_path, "b", RIGHT)
    models = ("model.path=a.jsonl,b.jsonl", "model=replay")
    done = evalplus_run("-m", "sampling.temperature=0.2,0.8", *models, "dataset=example")
    told = [line.split("model.path=")[1][0] for line in done.stderr.splitlines() if line.startswith("job ")]
    assert told == ["a", "a", "b", "b"]


def command(*arguments):
    return [sys.executable, "-m", "evalplus_run", *arguments]


def until(condition, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


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


def test_joblib_runs_jobs_side_by_side_to_the_same_table(evalplus_run, tmp_path):
    pytest.importorskip("hydra_plugins.hydra_joblib_launcher", reason="the extra joblib is not installed")
    replay(tmp_path, "a", RIGHT, WRONG)
    arguments = sweep("sampling.n=2", "sampling.temperature=0.2,0.8", models="a,none")
    in_turn = evalplus_run(*arguments, status=1).stdout
    beside = evalplus_run("hydra/launcher=joblib", "hydra.launcher.n_jobs=2", "sweep.dir=other", *arguments, status=1)
    assert beside.stdout == in_turn
    assert {name: job["state"] for name, job in jobs(tmp_path, "other").items()} == {
        name: job["state"] for name, job in jobs(tmp_path).items()
    }
    again = evalplus_run("hydra/launcher=joblib", "sweep.dir=other", *arguments, status=1)
    assert (again.stdout, again.stderr.count("finished before")) == (in_turn, 2)


@pytest.mark.slow
def test_where_a_process_of_joblib_is_killed_that_is_told_first_and_the_same_command_goes_on(
    evalplus_run, environment, tmp_path
):
    pytest.importorskip("hydra_plugins.hydra_joblib_launcher", reason="the extra joblib is not installed")
    replay(tmp_path, "a", *[RIGHT] * 20, seconds=0.5)
    slow = ("sampling.n=20", "k=[1]", "model.pace=1", "model.concurrency=1", "sampling.temperature=0.2,0.4,0.6")
    arguments = ("hydra/launcher=joblib", "hydra.launcher.n_jobs=2", *sweep(*slow))
    process = subprocess.Popen(command(*arguments), cwd=tmp_path, env=environment, stderr=subprocess.PIPE, text=True)
    until(lambda: sum(path.stat().st_size > 0 for path in tmp_path.rglob("completions.jsonl")) == 2)
    os.kill(next(iter(jobs(tmp_path).values()))["process"], signal.SIGKILL)
    told = process.communicate(timeout=120)[1].splitlines()[-1]
    assert process.returncode == 1
    assert told.startswith("evalplus-run: The launcher lost a job (")
    assert "2 of the sweep's 3 jobs did not end, 1 were not begun: see outputs/jobs." in told
    done = evalplus_run(*arguments)
    assert scored(done.stdout, "100.0") == 3
    assert all(len(path.read_text().splitlines()) == 20 for path in tmp_path.rglob("completions.jsonl"))


def test_joblib_starts_no_more_processes_than_there_are_jobs(evalplus_run, tmp_path):
    pytest.importorskip("hydra_plugins.hydra_joblib_launcher", reason="the extra joblib is not installed")
    replay(tmp_path, "a", RIGHT)
    replay(tmp_path, "b", RIGHT)
    evalplus_run("hydra/launcher=joblib", "hydra.launcher.n_jobs=64", *sweep(models="a,b"))
    (multirun,) = tmp_path.rglob("multirun.yaml")
    assert "n_jobs: 2\n" in multirun.read_text()


def test_jobs_side_by_side_that_share_a_folder_wait_for_each_other(evalplus_run, tmp_path):
    pytest.importorskip("hydra_plugins.hydra_joblib_launcher", reason="the extra joblib is not installed")
    replay(tmp_path, "a", RIGHT, WRONG, RIGHT, RIGHT)
    done = evalplus_run("hydra/launcher=joblib", "hydra.launcher.n_jobs=2", *sweep("sampling.n=4,3", "k=[1]"))
    assert {job["state"] for job in jobs(tmp_path).values()} == {"finished"}
    (whole,) = [path for path in tmp_path.rglob("scores.json") if path.parent.name != "part"]
    assert json.loads(whole.read_text())["scores"]["evalplus"]["samples"] == 4
    assert "Another run is at work" not in done.stderr


@pytest.fixture(params=["submitit_local", "slurm"])
def queue(request, tmp_path):
    """A launcher of submitit, and the environment that it needs."""
    pytest.importorskip("hydra_plugins.hydra_submitit_launcher", reason="the extra submitit is not installed")
    return request.param, fake_slurm.install(tmp_path / "queue") if request.param == "slurm" else {}


def test_submitit_runs_each_job_by_itself_to_the_same_table(evalplus_run, tmp_path, queue):
    launcher, environment = queue
    replay(tmp_path, "a", RIGHT, WRONG)
    arguments = sweep("sampling.n=2", "sampling.temperature=0.2,0.8", models="a,none")
    in_turn = evalplus_run(*arguments, status=1).stdout
    sent = evalplus_run(f"hydra/launcher={launcher}", "sweep.dir=other", *arguments, status=1, environment=environment)
    assert sent.stdout == in_turn
    assert "what the jobs say goes to other/.hydra/.submitit" in sent.stderr
    assert sorted(job["state"] for job in jobs(tmp_path, "other").values()) == ["failed"] * 2 + ["finished"] * 2


def test_a_job_that_the_queue_takes_back_is_put_in_again_and_goes_on(evalplus_run, environment, tmp_path, queue):
    launcher, more = queue
    replay(tmp_path, "a", *[RIGHT] * 20, seconds=0.3)
    slow = sweep("sampling.n=20", "k=[1]", "model.pace=1", "model.concurrency=1", "sampling.temperature=0.2")
    process = subprocess.Popen(
        command(f"hydra/launcher={launcher}", *slow), cwd=tmp_path, env={**environment, **more}, stdout=subprocess.PIPE
    )
    until(lambda: any(path.stat().st_size for path in tmp_path.rglob("completions.jsonl")))
    (job,) = jobs(tmp_path).values()
    os.kill(job["process"], signal.SIGUSR2)
    shown = process.communicate(timeout=120)[0].decode()
    assert (process.returncode, scored(shown, "100.0")) == (0, 1)
    (now,) = jobs(tmp_path).values()
    assert (now["state"], now["process"] != job["process"]) == ("finished", True)
    (answers,) = tmp_path.rglob("completions.jsonl")
    assert len(answers.read_text().splitlines()) == 20


@pytest.fixture
def sent(tmp_path, environment, queue):
    """Starts a slow job by the launcher: the command's process once the job is at work, and the command."""
    launcher, more = queue
    # Long enough to be at work still when a busy machine has started the command once more.
    replay(tmp_path, "a", *[RIGHT] * 20, seconds=0.8)
    slow = sweep("sampling.n=20", "k=[1]", "model.concurrency=1", "sampling.temperature=0.2", "model.pace=1")
    arguments = (f"hydra/launcher={launcher}", *slow)
    process = subprocess.Popen(
        command(*arguments), cwd=tmp_path, env={**environment, **more}, stderr=subprocess.PIPE, text=True
    )
    until(lambda: any(path.stat().st_size for path in tmp_path.rglob("completions.jsonl")))
    return process, arguments, more


def test_jobs_that_were_sent_away_end_with_the_command_and_it_says_so(evalplus_run, tmp_path, sent):
    process, arguments, environment = sent
    (job,) = jobs(tmp_path).values()
    assert [each.name for each in at_work_in(tmp_path / "outputs", [job["name"]])] == [job["name"]]
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=60)
    assert process.returncode == 128 + signal.SIGINT
    assert ("scancel" if environment else "ended: 1") in told
    assert at_work_in(tmp_path / "outputs", [job["name"]]) == []
    done = evalplus_run(*arguments[:-1], environment=environment)
    assert (scored(done.stdout, "100.0"), "at work since" in done.stderr) == (1, False)


@pytest.mark.slow
def test_a_job_that_is_still_at_work_is_named_and_not_done_twice(evalplus_run, tmp_path, sent):
    process, arguments, environment = sent
    process.kill()
    (job,) = jobs(tmp_path).values()
    done = evalplus_run(*arguments, environment=environment)
    assert f"at work since an earlier command: {' '.join(job['overrides'])} (process {job['process']} on" in done.stderr
    assert ("ended by scancel 4000" in done.stderr) == (job["queued_as"] == "4000") == bool(environment)
    assert scored(done.stdout, "100.0") == 1
    logs = "".join(path.read_text() for path in (tmp_path / "outputs" / ".hydra").rglob("*.err"))
    assert logs.count("finished before") == 1
    (answers,) = tmp_path.rglob("completions.jsonl")
    assert len(answers.read_text().splitlines()) == 20


def test_a_launcher_that_is_not_installed_is_named_with_its_extra(evalplus_run, tmp_path):
    (tmp_path / "sitecustomize.py").write_text(
        "import importlib.util\nfind = importlib.util.find_spec\n"
        "importlib.util.find_spec = lambda name, *a: None if name.startswith('hydra_plugins.') else find(name, *a)\n"
    )
    root = Path(__file__).parent.parent
    environment = {"PYTHONPATH": f"{tmp_path}:{root}"}
    done = evalplus_run(*sweep("hydra/launcher=joblib"), status=2, environment=environment)
    assert "pip install 'evalplus-run[joblib]'" in done.stderr
