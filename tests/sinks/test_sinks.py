"""Results sent on: to the real libraries where they are installed, and to ones that fail."""

import json
import os
import sqlite3
import time
from math import nan
from pathlib import Path

import pytest

from evalplus_run.metrics.score import score
from evalplus_run.records import Estimate, Outcome, ProfileVerdict, SuiteVerdict, UserError, Verdict
from evalplus_run.report.summary import RunSummary
from evalplus_run.sinks import registry
from evalplus_run.sinks.base import Told, told_of
from evalplus_run.sinks.sending import send
from evalplus_run.sinks.settings import ReportSettings


@pytest.fixture
def summary():
    judged = ProfileVerdict(SuiteVerdict(Outcome.PASS), SuiteVerdict(Outcome.WRONG))
    return RunSummary(
        dataset="humaneval_plus",
        version="v",
        variant="full",
        suites=("base", "plus"),
        model="lab/m",
        sampling="greedy",
        sanitizer="default",
        comparable=False,
        run_dir="run",
        sandbox="namespaces",
        scores=score([Verdict("T/0", 0, "", judged, judged)], tasks_in_dataset=1),
        seconds={"sampling": 2.5},
        cost=0.25,
    )


@pytest.fixture
def told(tmp_path):
    page = tmp_path / "report.html"
    page.write_text("<p>the page")
    return Told(
        project="a project",
        name="a run: lab/m",
        config={"dataset.name": "humaneval_plus", "n": 1, "text": "x" * 500} | {f"k{i}": i for i in range(150)},
        metrics={"evalplus/plus/pass@1": 0.75, "evalplus/plus/pass@1/low": 0.5, "seconds/sampling": 2.5},
        files=(str(page),),
    )


def test_scores_intervals_outcomes_times_and_the_manifest_are_told(summary, tmp_path):
    manifest = {"dataset": {"name": "humaneval_plus", "tasks": 1}, "ids": [1, 2], "none": None, "long": "x" * 9999}
    found = told_of(summary, manifest, (tmp_path / "report.html",), ReportSettings())
    assert (found.project, found.name) == ("evalplus-run", "humaneval_plus lab/m")
    estimate = summary.scores["evalplus"].base[1]
    assert found.metrics["evalplus/base/pass@1"] == 1.0
    assert found.metrics["evalplus/base/pass@1/low"] == estimate.low
    assert found.metrics["strict/plus/pass@1"] == 0.0
    assert found.metrics["evalplus/drop/pass@1"] == 1.0
    assert found.metrics["evalplus/plus/outcomes/wrong"] == 1
    assert found.metrics["seconds/sampling"] == 2.5
    assert found.metrics["cost"] == 0.25
    assert found.config["dataset.name"] == "humaneval_plus"
    assert found.config["ids"] == "[1,2]"
    assert "none" not in found.config
    assert len(found.config["long"]) == 500
    assert Path(found.files[0]).is_absolute()


def test_what_is_not_a_number_is_not_told(summary):
    undefined = Estimate(nan, nan, nan, "undefined")
    summary.scores["evalplus"].base[1] = undefined
    assert "evalplus/base/pass@1" not in told_of(summary, {}, (), ReportSettings()).metrics


def sent(name, told, **options):
    return send(name, told, **options).words


def needs(name):
    pytest.importorskip(name, reason=f"{name} is not installed")


def test_wandb_stores_a_run_offline_and_no_key_of_a_model(told, tmp_path, monkeypatch):
    needs("wandb")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WANDB_MODE", "offline")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-a-model")
    assert "offline" in sent("wandb", told)
    (stored,) = (tmp_path / "wandb").glob("offline-run-*/*.wandb")
    content = stored.read_bytes()
    assert b"evalplus/plus/pass@1" in content
    assert b"humaneval_plus" in content
    everything = b"".join(path.read_bytes() for path in (tmp_path / "wandb").rglob("*") if path.is_file())
    assert b"sk-of-a-model" not in everything


def test_mlflow_stores_metrics_parameters_and_the_page(told, tmp_path, monkeypatch):
    needs("mlflow")
    needs("sqlalchemy")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MLFLOW_TRACKING_URI", f"sqlite:///{tmp_path}/m.db")
    assert "m.db" in sent("mlflow", told)
    with sqlite3.connect(tmp_path / "m.db") as store:
        metrics = dict(store.execute("SELECT key, value FROM metrics"))
        parameters = dict(store.execute("SELECT key, value FROM params"))
    assert metrics == {name.replace("@", "_at_"): value for name, value in told.metrics.items()}
    assert parameters == {name: str(value) for name, value in told.config.items()}
    assert [path.read_text() for path in tmp_path.rglob("artifacts/report.html")] == ["<p>the page"]


def test_trackio_stores_metrics_and_the_page(told, tmp_path, monkeypatch):
    needs("trackio")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TRACKIO_DIR", str(tmp_path / "store"))
    assert sent("trackio", told) == 'trackio: trackio show --project "a project"'
    (database,) = (tmp_path / "store").glob("*.db")
    with sqlite3.connect(database) as store:
        (row,) = store.execute("SELECT metrics FROM metrics").fetchall()
    assert json.loads(row[0]) == told.metrics
    stored = [path.read_bytes() for path in (tmp_path / "store").rglob("blobs/**/*") if path.is_file()]
    assert b"<p>the page" in stored


@pytest.fixture
def library(tmp_path, monkeypatch):
    """Puts a module in the place of wandb, for processes that are started from here."""

    def put(source):
        (tmp_path / "libraries").mkdir(exist_ok=True)
        (tmp_path / "libraries" / "wandb.py").write_text(f"import os, sys, time\n{source}\n")
        paths = [str(tmp_path / "libraries"), *filter(None, [os.environ.get("PYTHONPATH")])]
        monkeypatch.setenv("PYTHONPATH", os.pathsep.join(paths))

    return put


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("raise RuntimeError('the server is gone')", "RuntimeError: the server is gone"),
        ("os._exit(3)", "it ended without a word"),
        ("sys.exit()", "SystemExit"),
        ("os.kill(os.getpid(), 11)", "it ended without a word"),
        ("input()", "EOFError"),
        ("raise RuntimeError('wrong key ' + os.environ['WANDB_API_KEY'])", "wrong key …"),
        ("raise RuntimeError(os.environ.get('OPENAI_API_KEY', 'no key of a model'))", "no key of a model"),
    ],
)
def test_a_sink_that_fails_is_told_in_a_sentence_without_any_key(library, told, monkeypatch, source, why):
    monkeypatch.setenv("WANDB_API_KEY", "secret-of-wandb")
    monkeypatch.setenv("OPENAI_API_KEY", "secret-of-a-model")
    library(source)
    sentence = sent("wandb", told)
    assert sentence.startswith("wandb did not take the results (")
    assert why in sentence
    assert "secret" not in sentence


def is_alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def test_a_sink_that_hangs_is_ended_with_all_that_it_started(library, told, tmp_path):
    started = tmp_path / "pid"
    library(
        f"import subprocess\nchild = subprocess.Popen(['sleep', '1000'])\n"
        f"open({str(tmp_path / 'new')!r}, 'w').write(str(child.pid))\n"
        f"os.replace({str(tmp_path / 'new')!r}, {str(started)!r})\ntime.sleep(1000)"
    )
    # As long as a busy machine takes to get as far as the library, and hardly longer.
    for patience in (1, 2, 4, 8, 16, 32):
        assert f"no answer in {patience} s" in sent("wandb", told, patience=patience)
        if started.exists():
            break
    pid = int(started.read_text())
    deadline = time.monotonic() + 60
    while is_alive(pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not is_alive(pid)


WORKS = """
class Run(dict):
    url, id, log, log_artifact = os.environ.get("WANDB_BASE_URL"), "1", print, print
    __enter__, __exit__ = lambda self: self, lambda *rest: None
class Artifact:
    def __init__(self, *rest, **more): self.add_file = print
Settings, init = dict, lambda **rest: Run()
"""


def test_a_process_that_the_library_leaves_running_is_not_waited_for(library, told, monkeypatch):
    monkeypatch.setenv("WANDB_BASE_URL", "https://there")
    library(f"import subprocess\nsubprocess.Popen(['sleep', '1000'])\n{WORKS}")
    assert sent("wandb", told, patience=60) == "wandb: https://there"


def test_the_place_of_the_results_is_told_without_any_key(library, told, monkeypatch):
    monkeypatch.setenv("WANDB_API_KEY", "secret-of-wandb")
    monkeypatch.setenv("WANDB_BASE_URL", "https://me:password@there/?key=secret-of-wandb")
    library(WORKS)
    assert sent("wandb", told) == "wandb: https://…@there/?key=…"


def test_an_extra_that_is_not_installed_is_named(monkeypatch):
    monkeypatch.setattr(registry.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(UserError, match=r"trackio is not installed: pip install 'evalplus-run\[trackio\]'"):
        registry.refuse_missing(["trackio"])


def test_a_folder_of_the_librarys_name_is_not_the_library(tmp_path, monkeypatch):
    if registry.importlib.util.find_spec("wandb"):
        pytest.skip("wandb is installed")
    (tmp_path / "wandb").mkdir()
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(UserError, match="wandb is not installed"):
        registry.refuse_missing(["wandb"])


GIVEN = ("samples=s.jsonl", "dataset=example", "report.to=[wandb]")


@pytest.fixture
def samples(tmp_path):
    row = {"task_id": "Example/0", "solution": "def sum_even_at_odd_index(numbers): return 0"}
    (tmp_path / "s.jsonl").write_text(json.dumps(row) + "\n")


def test_a_run_whose_sink_fails_ends_well_with_all_its_files_and_sends_them_when_it_is_run_again(
    evalplus_run, library, tmp_path, samples
):
    library("raise RuntimeError('no network')")
    done = evalplus_run(*GIVEN, "run_dir=run")
    assert "wandb did not take the results (RuntimeError: no network)" in done.stderr
    assert "pass@1" in done.stdout
    assert (tmp_path / "run" / "report.html").exists()
    library(COUNTED)
    evalplus_run(*GIVEN, "run_dir=run")
    assert "wandb has these results already" in evalplus_run(*GIVEN, "run_dir=run").stderr
    assert (tmp_path / "sent").read_text() == "1"


COUNTED = f"""{WORKS}
Run.url = "https://there"
open("sent", "a").write("1")
"""
"""Leaves a mark in the current folder each time that it is sent to."""
KILLS = """
import signal
os.kill(os.getppid(), signal.SIGKILL)
os._exit(1)
"""


def test_a_sweep_sends_what_a_command_that_was_killed_before_did_not_and_that_once(
    evalplus_run, library, tmp_path, samples
):
    sweep = ("-m", *GIVEN, "report.name=a,b")
    library(KILLS)
    evalplus_run(*sweep, status=-9)
    library(COUNTED)
    done = evalplus_run(*sweep)
    assert (tmp_path / "sent").read_text() == "11"
    assert "finished before" in done.stderr
    evalplus_run(*sweep)
    assert (tmp_path / "sent").read_text() == "11"


def test_another_sink_or_project_gets_the_results_that_one_has(evalplus_run, library, tmp_path, samples):
    library(COUNTED)
    evalplus_run(*GIVEN, "run_dir=run")
    evalplus_run(*GIVEN, "run_dir=run", "report.project=other")
    assert (tmp_path / "sent").read_text() == "11"
