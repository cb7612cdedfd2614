"""Sweeps whose jobs run side by side, or in a queue."""

import json
import os
import signal
import subprocess
from pathlib import Path

import fake_slurm
import pytest
from sweeping import RIGHT, WRONG, command, jobs, replay, scored, sweep, until

from evalplus_run.sweeps.jobs import at_work_in


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
