import contextlib
import io
import json
import os
import pty
import re
import subprocess
import sys

import pytest
from rich.console import Console

from evalplus_run.progress import Progress


def lines_of(work, monkeypatch):
    written = io.StringIO()
    progress = Progress()
    progress._console = Console(file=written, width=80)
    with progress.shown():
        work(progress)
    return written.getvalue().splitlines()


def test_without_a_terminal_a_stage_says_its_start_and_its_end(monkeypatch):
    def work(progress):
        stage = progress.stage("judged", 3)
        for _ in range(3):
            stage.advance()

    assert lines_of(work, monkeypatch) == ["judged: 0 of 3", "judged: 3 of 3"]


def test_what_an_earlier_run_did_counts_from_the_start(monkeypatch):
    assert lines_of(lambda progress: progress.stage("sampled", 5, done=2), monkeypatch) == ["sampled: 2 of 5"]


def test_without_a_terminal_a_long_wait_says_its_start_and_its_end_with_its_seconds_and_a_short_one_its_start(
    monkeypatch,
):
    times = iter([0.0, 125.4, 200.0, 200.5])
    monkeypatch.setattr("evalplus_run.progress.time.monotonic", lambda: next(times))

    def work(progress):
        for model in ("a", "b"):
            with progress.waiting(f"model: starting {model}"):
                pass

    lines = ["model: starting a", "model: starting a: done in 125 s", "model: starting b"]
    assert lines_of(work, monkeypatch) == lines


def test_a_wait_that_fails_is_not_called_done(monkeypatch):
    def work(progress):
        with pytest.raises(ValueError, match="no"), progress.waiting("model: starting a"):
            monkeypatch.setattr("evalplus_run.progress._LONG_SECONDS", 0.0)
            raise ValueError("no")

    assert lines_of(work, monkeypatch) == ["model: starting a"]


def test_on_a_terminal_the_seconds_of_a_wait_go_on_though_nothing_else_does():
    source = (
        "import time\nfrom evalplus_run.progress import Progress\nprogress = Progress()\n"
        "with progress.shown():\n    with progress.waiting('model: starting a'):\n        time.sleep(2.5)\n"
    )
    ours, theirs = pty.openpty()
    child = subprocess.Popen([sys.executable, "-c", source], stderr=theirs, env={**os.environ, "TERM": "xterm"})
    os.close(theirs)
    written = b""
    with contextlib.suppress(OSError):  # the other side is closed
        while more := os.read(ours, 4096):
            written += more
    os.close(ours)
    assert child.wait(60) == 0
    assert [second for second in (b"1 s", b"2 s") if second in written] == [b"1 s", b"2 s"]
    assert b"loading" in written
    assert b"0/?" not in written


def test_a_long_stage_tells_how_long_it_will_go_on(monkeypatch):
    times = iter([0.0, 20.0, 40.0])
    monkeypatch.setattr("evalplus_run.progress.time.monotonic", lambda: next(times))

    def work(progress):
        stage = progress.stage("judged", 4)
        stage.advance()
        stage.advance()

    assert lines_of(work, monkeypatch)[1:] == ["judged: 1 of 4, about 60 s left", "judged: 2 of 4, about 40 s left"]


def told_left(monkeypatch, total, steps):
    """What a stage says is left, after each pair of (seconds, steps)."""
    now = [0.0]
    monkeypatch.setattr("evalplus_run.progress.time.monotonic", lambda: now[0])

    def work(progress):
        stage = progress.stage("judged", total)
        for seconds, made in steps:
            now[0] += seconds
            stage.advance(made)

    return [line.partition(", about ")[2] for line in lines_of(work, monkeypatch)[1:]]


def test_what_is_left_is_told_from_the_last_minute(monkeypatch):
    # A slow minute, then ten times as fast.
    left = told_left(monkeypatch, 10_000, [(10, 10)] * 6 + [(10, 100)] * 7)
    assert left[5] == "2.8 h left"
    assert left[-1] == "15 min left"


def test_the_time_that_is_left_is_told_in_the_unit_that_fits(monkeypatch):
    assert told_left(monkeypatch, 100_001, [(10, 1), (10, 1000)])[0] == "277.8 h left"
    assert told_left(monkeypatch, 11, [(10, 1)]) == ["2 min left"]
    assert told_left(monkeypatch, 9, [(10, 1)]) == ["80 s left"]


def test_on_a_terminal_a_stage_shows_how_long_it_will_go_on(tmp_path, kept):
    rows = [{"task_id": "Example/0", "text": "```python\npass\n```", "seconds": 0.5} for _ in range(6)]
    (tmp_path / "answers.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    model = ("model=replay", "model.path=answers.jsonl", "model.pace=1", "model.concurrency=1")
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "evalplus_run", *model, "dataset=example", "sampling.n=6"],
        cwd=tmp_path,
        env={**os.environ, "EVALPLUS_RUN_CACHE": str(kept), "TERM": "xterm", "COLUMNS": "100"},
        stdout=subprocess.DEVNULL,
        stderr=theirs,
    ):
        os.close(theirs)
        shown = b""
        with contextlib.suppress(OSError):  # the other side was closed
            while more := os.read(ours, 1 << 16):
                shown += more
        os.close(ours)
    plain = re.sub(rb"\x1b\[[0-9;?]*[A-Za-z]", b"", shown).decode()
    assert re.search(r"sampled\W* [1-5]/6 0:00:0[1-9]", plain)
