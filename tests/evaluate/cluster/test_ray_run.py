"""Whole commands with executor=ray."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from evalplus_run import json_text
from evalplus_run.benchmarks import DatasetSettings, load
from evalplus_run.conformance.processes import descendants
from evalplus_run.evaluate import executors
from evalplus_run.evaluate.settings import ExecutorSettings
from evalplus_run.records import UserError
from evalplus_run.sandbox.settings import SandboxSettings

ENDLESS = "import time\ndef {name}(*_):\n    while True: pass"


def samples(path, solution=None):
    tasks = load(DatasetSettings(name="example")).tasks
    rows = [
        {"task_id": task.task_id, "solution": solution.format(name=task.entry_point) if solution else task.reference}
        for task in tasks
    ]
    path.write_bytes(b"".join(json_text.encode(row) + b"\n" for row in rows))
    return path


def outcomes(folder):
    rows = [json.loads(line) for line in (folder / "verdicts.jsonl").read_text().splitlines()]
    return {(row["task_id"], row["index"]): (row["key"], row["evalplus"]["plus"]["outcome"]) for row in rows}


def without_seconds(text):
    return re.sub(r"[\d.]+ s\b", "", text)


def test_a_command_on_a_cluster_says_what_one_here_says(evalplus_run, cluster, tmp_path):
    file = samples(tmp_path / "samples.jsonl")
    common = (f"samples={file}", "dataset=example", "evaluate.cache=false", "sandbox.allow_unsafe=true")
    here = evalplus_run(*common, "run_dir=here")
    there = evalplus_run(*common, "run_dir=there", "executor=ray", f"executor.address={cluster.address}")
    assert without_seconds(there.stdout.replace("there", "here")) == without_seconds(here.stdout)
    assert outcomes(tmp_path / "there") == outcomes(tmp_path / "here")
    manifest = json.loads((tmp_path / "there" / "manifest.json").read_text())
    assert manifest["executor"]["name"] == "ray"
    assert [node["tier"] for node in manifest["nodes"]] == [manifest["sandbox"]["tier"]]
    assert manifest["nodes"][0]["workers"] == 1
    assert "raylet" not in there.stdout + there.stderr


def test_a_cluster_of_its_own_gets_no_key_and_ends_with_a_signal(tmp_path, kept):
    file = samples(tmp_path / "samples.jsonl", ENDLESS)
    others = descendants().keys()
    keys = ("dataset=example", "evaluate.min_time_limit=3600", "executor.workers=1", "sandbox.allow_unsafe=true")
    process = subprocess.Popen(
        [sys.executable, "-m", "evalplus_run", f"samples={file}", "executor=ray", "executor.address=local", *keys],
        cwd=tmp_path,
        env={**os.environ, "EVALPLUS_RUN_CACHE": str(kept), "OPENAI_API_KEY": "sk-hidden-0123456789"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    seen = set()
    end = time.monotonic() + 90
    while not any(b"sandbox/guest" in command_of(pid) for pid in seen):
        assert process.poll() is None
        assert time.monotonic() < end
        seen |= descendants().keys() - others - {process.pid}
        time.sleep(0.1)
    told = [pid for pid in seen if b"sk-hidden" in environment_of(pid)]
    commands = b" ".join(map(command_of, seen))
    process.send_signal(signal.SIGTERM)
    output, _ = process.communicate(timeout=60)
    assert process.returncode == 128 + signal.SIGTERM
    assert "ended by SIGTERM" in output
    assert "Traceback" not in output
    assert not told
    assert b"raylet" in commands
    assert b"--disable-frontend" in commands
    until_ended(seen)


SLEEPS = "import time\ntime.sleep(0.3)\n"


# Ctrl-C goes to all of the terminal's processes; `kill` to the command alone (see `connection.connected`).
@pytest.mark.slow
@pytest.mark.parametrize(("send", "number"), [(os.killpg, signal.SIGINT), (os.kill, signal.SIGTERM)])
def test_a_command_that_a_signal_ends_keeps_what_is_judged_and_goes_on(evalplus_run, tmp_path, kept, send, number):
    rows = [
        {"task_id": task.task_id, "solution": f"{SLEEPS}{task.reference}\n_copy = {copy}\n"}
        for copy in range(8)
        for task in load(DatasetSettings(name="example")).tasks
    ]
    (tmp_path / "samples.jsonl").write_bytes(b"".join(json_text.encode(row) + b"\n" for row in rows))
    keys = ("samples=samples.jsonl", "dataset=example", "run_dir=run", "evaluate.cache=false", "executor=ray")
    keys = (*keys, "executor.address=local", "executor.workers=2", "sandbox.allow_unsafe=true")
    verdicts = tmp_path / "run" / "verdicts.jsonl"
    others = descendants().keys()
    process = subprocess.Popen(
        [sys.executable, "-m", "evalplus_run", *keys],
        cwd=tmp_path,
        env={**os.environ, "EVALPLUS_RUN_CACHE": str(kept)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    while not (verdicts.exists() and verdicts.read_bytes().count(b"\n") > 2):
        assert process.poll() is None
        time.sleep(0.05)
    started = descendants().keys() - others
    send(process.pid, number)
    output, _ = process.communicate(timeout=60)
    assert process.returncode == 128 + number
    assert f"ended by {number.name}; the same command again goes on from here" in output
    until_ended(started)
    before = verdicts.read_bytes()
    assert before.count(b"\n") < len(rows)
    evalplus_run(*keys)
    assert verdicts.read_bytes().startswith(before)
    assert len(outcomes(tmp_path / "run")) == verdicts.read_bytes().count(b"\n") == len(rows)


def until_ended(pids):
    end = time.monotonic() + 30
    while left := [pid for pid in pids if command_of(pid)]:
        assert time.monotonic() < end, [command_of(pid) for pid in left]
        time.sleep(0.1)


def command_of(pid):
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""


def environment_of(pid):
    with suppress(OSError):
        return Path(f"/proc/{pid}/environ").read_bytes()
    return b""


def test_an_address_where_no_cluster_is_names_the_key(evalplus_run, tmp_path):
    file = samples(tmp_path / "samples.jsonl")
    done = evalplus_run(f"samples={file}", "dataset=example", "executor=ray", "executor.address=127.0.0.1:1", status=2)
    assert "executor.address=127.0.0.1:1" in done.stderr
    assert "Traceback" not in done.stderr


def test_where_ray_is_not_installed_its_extra_is_named(monkeypatch):
    monkeypatch.setattr(executors.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(UserError, match=r"pip install 'evalplus-run\[ray\]'"):
        executors.build(ExecutorSettings(name="ray"), SandboxSettings(), print)
