"""The doctor's trial of the sandbox, on few programs."""

import functools

import pytest

from evalplus_run import cli, doctor
from evalplus_run.conformance import LOCKED_TIERS, conform, load_programs
from evalplus_run.conformance.catalogue import parse
from evalplus_run.sandbox import tiers

STARTED = [tier for tier in LOCKED_TIERS if not tiers.why_not(tier)]
pytestmark = pytest.mark.skipif(not STARTED, reason="no tier that isolates programs starts here")


@pytest.fixture
def tried(monkeypatch):
    """Has the doctor try these programs in place of the whole suite."""

    def choose(programs):
        monkeypatch.setattr(doctor, "conform", functools.partial(conform, programs=programs))

    return choose


def test_every_tier_that_starts_is_tried_and_told_kind_by_kind(tried, capsys):
    tried([program for program in load_programs() if program.name in ("exits/at_once", "processes/fork")])
    assert cli.run(["doctor", "--sandbox"]) == 0
    told = capsys.readouterr().out
    assert (
        told.count("exits          1 of 1 as promised")
        == told.count("processes      1 of 1 as promised")
        == len(STARTED)
    )
    assert all(tier in told for tier in STARTED)


def test_a_broken_promise_is_told_with_the_program_and_is_exit_status_1(tried, capsys):
    tried([parse("forging/a", "# says: claims all\n# promise: never passes\ndef f(x): return x * x + 1\n")])
    assert cli.run(["doctor", "--sandbox", "--tier", STARTED[0]]) == 1
    told = capsys.readouterr()
    assert "forging        0 of 1 as promised" in told.out
    assert "forging/a, which claims all: pass" in told.out
    assert f"breaks its promise on 1 programs ({STARTED[0]})" in told.err


def test_a_tier_that_does_not_start_is_wrong_use(monkeypatch, capsys):
    monkeypatch.setattr(tiers, "why_not", lambda *_: "no such kernel")
    assert cli.run(["doctor", "--sandbox", "--tier", "lockdown"]) == 2
    assert "no such kernel" in capsys.readouterr().err


def test_where_no_tier_isolates_there_is_nothing_to_try(monkeypatch, capsys):
    monkeypatch.setattr(tiers, "why_not", lambda tier, *_: "" if tier == "none" else "no such kernel")
    assert cli.run(["doctor", "--sandbox"]) == 1
    assert "lockdown: no such kernel" in capsys.readouterr().err


def test_extras_commands_and_trackers_that_are_not_there_are_named_with_their_remedy(monkeypatch, capsys):
    monkeypatch.setattr(doctor, "is_installed", lambda module: module != "ray")
    monkeypatch.setattr(doctor.sinks, "is_installed", lambda name: name == "mlflow")
    monkeypatch.setattr(doctor.shutil, "which", lambda name: "/opt/sbatch" if name == "sbatch" else None)
    assert cli.run(["doctor"]) == 0
    told = dict(
        line.strip().split(maxsplit=1) for line in capsys.readouterr().out.splitlines() if len(line.split()) > 1
    )
    assert (told["ray"], told["joblib"], told["submitit"]) == ("no: pip install 'evalplus-run[ray]'", "yes", "yes")
    assert (told["sbatch"], told["srun"]) == ("/opt/sbatch", "no: this is no machine of a Slurm cluster")
    assert (told["wandb"], told["mlflow"]) == ("no: pip install 'evalplus-run[wandb]'", "yes")


def test_a_tier_without_the_trial_is_wrong_use(capsys):
    assert cli.run(["doctor", "--tier", "lockdown"]) == 2
    assert "--sandbox" in capsys.readouterr().err
