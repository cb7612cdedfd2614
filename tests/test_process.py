"""Standard streams that are closed, full or read no more, and signals, through the command line."""

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

PROGRAM = (
    "def sum_even_at_odd_index(numbers):\n    for _ in range(100_000 + {}):\n        pass\n"
    "    return sum(v for v in numbers[1::2] if v % 2 == 0)\n"
)
MANY = 60
"""Samples of a run that is interrupted three times before it has judged them all."""
RUN = ("samples=s.jsonl", "dataset=example", "run_dir=run", "evaluate.cache=false")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with many samples and the run of a few of them."""
    path = tmp_path_factory.mktemp("work")
    rows = [json.dumps({"task_id": "Example/0", "solution": PROGRAM.format(number)}) + "\n" for number in range(MANY)]
    (path / "few.jsonl").write_text("".join(rows[:2]))
    (path / "s.jsonl").write_text("".join(rows))
    subprocess.run(**command(path, "samples=few.jsonl", "dataset=example", "run_dir=few"), check=True, timeout=120)
    return path


def command(folder, *arguments):
    return {
        "args": [sys.executable, "-m", "evalplus_run", *arguments],
        "cwd": folder,
        "env": {**os.environ, "EVALPLUS_RUN_CACHE": str(folder / "cache")},
    }


COMMANDS = [("--help",), ("report", "few"), ("show", "few", "Example/0"), ("--cfg", "job"), ("doctor",)]


@pytest.mark.parametrize("arguments", [*COMMANDS, ("samples=few.jsonl", "dataset=example", "run_dir=few")])
def test_a_reader_that_goes_away_ends_the_command_in_silence(folder, arguments):
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        **command(folder, *arguments), stdout=writing, stderr=subprocess.PIPE, text=True, check=False, timeout=120
    )
    os.close(writing)
    assert done.returncode == 128 + signal.SIGPIPE
    assert "Traceback" not in done.stderr
    assert "evalplus-run:" not in done.stderr


def test_a_page_is_written_whoever_reads_the_tables(folder):
    reading, writing = os.pipe()
    os.close(reading)
    subprocess.run(
        **command(folder, "report", "few", "--html", "p:dog:.html"), stdout=writing, check=False, timeout=120
    )
    os.close(writing)
    assert (folder / "p:dog:.html").read_text().startswith("<!doctype html>")
    told = subprocess.run(
        **command(folder, "report", "few", "--html", "p:dog:.html"), capture_output=True, text=True, check=True
    )
    assert told.stdout.endswith("Page: p:dog:.html\n")


@pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="there is no /dev/full")
@pytest.mark.parametrize("arguments", COMMANDS)
def test_a_full_disk_behind_the_output_is_one_sentence(folder, arguments):
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            **command(folder, *arguments), stdout=full, stderr=subprocess.PIPE, text=True, check=False, timeout=120
        )
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "evalplus-run: the system failed (No space left on device): mend that, and give the same command again."
    ]


def test_what_cannot_be_told_on_the_way_ends_no_run(folder):
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            **command(folder, "samples=few.jsonl", "dataset=example", "run_dir=few"),
            stdout=subprocess.PIPE,
            stderr=full,
            text=True,
            check=False,
            timeout=120,
        )
    assert done.returncode == 0
    assert "100.0" in done.stdout


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&-", "<&- >&- 2>&-"])
def test_standard_streams_may_be_closed(folder, closed):
    run = command(folder, "samples=few.jsonl", "dataset=example", "evaluate.cache=false", "run_dir=closed")
    with contextlib.suppress(FileNotFoundError):
        (folder / "closed" / "verdicts.jsonl").unlink()
    run["args"] = ["sh", "-c", f'exec "$@" {closed}', "sh", *run["args"]]
    done = subprocess.run(**run, capture_output=True, text=True, check=False, timeout=120)
    assert (done.returncode, "Traceback" in done.stderr) == (0, False)
    verdicts = [json.loads(line) for line in (folder / "closed" / "verdicts.jsonl").read_text().splitlines()]
    assert [row["evalplus"]["plus"]["outcome"] for row in verdicts] == ["pass", "pass"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_run_that_is_interrupted_says_so_and_goes_on(folder, number):
    verdicts = folder / number.name / "verdicts.jsonl"
    run = command(folder, *RUN[:2], f"run_dir={number.name}", *RUN[3:])
    moments = random.Random(number)
    for _ in range(3):
        process = subprocess.Popen(**run, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        before = verdicts.stat().st_size if verdicts.exists() else 0
        while process.poll() is None and not (verdicts.exists() and verdicts.stat().st_size > before):
            time.sleep(0.005)
        time.sleep(moments.uniform(0, 0.05))
        process.send_signal(number)
        _, told = process.communicate(timeout=60)
        assert process.returncode == 128 + number
        assert told.splitlines()[-1] == (
            f"evalplus-run: ended by {number.name}; the same command again goes on from here."
        )
        assert "Traceback" not in told
    before = len(verdicts.read_bytes().splitlines())
    done = subprocess.run(**run, capture_output=True, text=True, check=False, timeout=120)
    assert "100.0" in done.stdout
    indices = [json.loads(line)["index"] for line in verdicts.read_text().splitlines()]
    assert sorted(indices) == list(range(MANY))
    assert 0 < before < MANY


def test_an_interrupt_while_a_class_is_made_is_still_one():
    code = (
        "import signal\nfrom evalplus_run import process\n"
        "class Interrupted:\n"
        "    def __set_name__(self, owner, name):\n        signal.raise_signal(signal.SIGTERM)\n"
        "process.prepare()\n"
        "try:\n    type('Made', (), {'member': Interrupted()})\n"
        "except BaseException as error:\n    print(process.signal_behind(error).name)\n"
        "print(process.signal_behind(ValueError()))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60)
    assert done.stdout.split() == ["SIGTERM", "None"], done.stderr
