"""Launchers that cannot be, keys that they do not take, Slurm where there is none: told in words, as wrong use."""

import pytest

JOB = ("model=replay", "model.path=a.jsonl", "dataset=example")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["-m", "hydra/launcher=slrum"], "There is no hydra/launcher=slrum: did you mean hydra/launcher=slurm?"),
        (["-m", "hydra/launcher=joblib,basic"], "a sweep has one launcher for all its jobs"),
        (["-m", "hydra.launcher.n_jobs=2"], "a key of another launcher: give hydra/launcher=joblib too"),
        (["-m", "hydra.launcher.foo=2"], "hydra/launcher=basic has no key hydra.launcher.foo: it takes none"),
        (["hydra/launcher=joblib"], "hydra/launcher=joblib is for sweeps: give -m too"),
        (["hydra.launcher.n_jobs=2"], "hydra.launcher.n_jobs=2 is for sweeps: give -m too"),
    ],
)
def test_a_launcher_that_cannot_be_is_told_in_words(evalplus_run, arguments, words):
    assert words in evalplus_run(*arguments, *JOB, status=2).stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["hydra.launcher.n_job=2"], "hydra/launcher=joblib has no key hydra.launcher.n_job: did you mean"),
        (["hydra.launcher.n_jobs=two"], "hydra.launcher.n_jobs=two cannot be: Value 'two'"),
    ],
)
def test_a_key_that_joblib_does_not_take_is_told_in_words(evalplus_run, arguments, words):
    pytest.importorskip("hydra_plugins.hydra_joblib_launcher", reason="the extra joblib is not installed")
    assert words in evalplus_run("-m", "hydra/launcher=joblib", *arguments, *JOB, status=2).stderr


@pytest.fixture
def commands(tmp_path):
    """Puts these shell scripts in the place of all commands of the system."""
    pytest.importorskip("hydra_plugins.hydra_submitit_launcher", reason="the extra submitit is not installed")

    def put(**scripts):
        for name, script in scripts.items():
            (tmp_path / name).write_text(f"#!/bin/sh\n{script}\n")
            (tmp_path / name).chmod(0o755)
        return {"PATH": f"{tmp_path}:/bin" if scripts else str(tmp_path)}

    return put


def test_what_a_launcher_says_that_cannot_start_is_told(evalplus_run, commands):
    arguments = ("-m", "hydra/launcher=submitit_local", "hydra.launcher.nodes=2", *JOB)
    done = evalplus_run(*arguments, status=2, environment=commands())
    assert "The launcher cannot start the jobs (LocalExecutor can use only one node" in done.stderr


def test_where_there_is_no_slurm_its_launcher_says_what_is_missing_and_what_to_take(evalplus_run, commands):
    done = evalplus_run("-m", "hydra/launcher=slurm", *JOB, status=2, environment=commands())
    assert "there is no sbatch and no srun here" in done.stderr
    assert "take hydra/launcher=joblib" in done.stderr


def test_what_slurm_says_to_a_job_that_it_refuses_is_told(evalplus_run, commands):
    environment = commands(srun="", sbatch="echo sbatch: error: invalid partition specified: x >&2; exit 1")
    arguments = ("-m", "hydra/launcher=slurm", "hydra.launcher.partition=x", *JOB)
    done = evalplus_run(*arguments, status=2, environment=environment)
    assert "cannot start the jobs (sbatch: error: invalid partition specified: x" in done.stderr
