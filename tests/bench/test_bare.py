"""Bare execution calls what its jobs say and stops what does not end."""

import os

import bare
import pytest


def run(tmp_path, source, calls, inputs=(((1,), (2,)), ((3,),)), seconds=0.0):
    job = bare.Job("T/0", "f", source, calls, seconds)
    bare.write_jobs(tmp_path / "jobs", [job], {"T/0": inputs}, 1 << 30)
    return bare.run(tmp_path / "jobs", workers=2)


@pytest.fixture
def record():
    """A pipe that programs write to, and what has come."""
    readable, writable = os.pipe()
    os.set_blocking(readable, False)
    yield writable, lambda: os.read(readable, 100)
    os.close(readable)
    os.close(writable)


def test_each_suite_is_called_up_to_the_number_of_the_job(tmp_path, record):
    writable, written = record
    run(tmp_path, f"import os\ndef f(x):\n    os.write({writable}, b'%d' % x)\n", [1, 1])
    assert written() == b"13"


def test_a_call_that_raises_is_not_the_last(tmp_path, record):
    writable, written = record
    run(tmp_path, f"import os\ndef f(x):\n    os.write({writable}, b'%d' % x)\n    raise SystemExit\n", [2, 1])
    assert written() == b"123"


def test_a_program_that_does_not_end_is_killed_and_its_time_counts(tmp_path):
    cost = run(tmp_path, "def f(x):\n    while True: pass\n", [1, 0], seconds=0.2)
    assert cost["cpu"] >= cost["longest"] > 0.01
