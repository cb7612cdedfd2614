import os
import subprocess
import sys
import time

import pytest

from evalplus_run.sandbox import clocks
from evalplus_run.sandbox.clocks import ProcessClocks


@pytest.fixture
def without_schedstat(monkeypatch):
    """A system, as gVisor is, that has states of threads and no times in the run queue."""

    def absent(path):
        raise FileNotFoundError(path)

    monkeypatch.setattr(clocks, "_queued_seconds", absent)


@pytest.fixture
def start():
    started = []

    def begin(program):
        child = subprocess.Popen(
            [sys.executable, "-c", f"import threading, time\nprint(flush=True)\n{program}"], stdout=subprocess.PIPE
        )
        started.append(child)
        child.stdout.readline()
        return child.pid

    yield begin
    for child in started:
        child.kill()
        child.communicate()


def idle_in(watched, looks):
    return [watched.idle_since_last_look() for _ in range(looks) if time.sleep(0.02) is None]


def test_a_process_that_waits_for_a_core_does_not_sleep_though_no_queue_is_seen(start, without_schedstat):
    pids = [start("while True: pass") for _ in range(3 * (os.cpu_count() or 1))]
    watched = ProcessClocks(pids[0])
    assert watched.tells_sleep
    assert idle_in(watched, 20) == [0.0] * 20


def test_a_process_that_waits_for_a_core_does_not_sleep(start):
    pids = [start("while True: pass") for _ in range(6 * (os.cpu_count() or 1))]
    watched = ProcessClocks(pids[0])
    assert sum(idle_in(watched, 50)) < 0.05


def test_threads_that_take_turns_do_not_sleep(start):
    turns = "def work():\n    while True: pass\nfor _ in range(4): threading.Thread(target=work).start()"
    watched = ProcessClocks(start(turns))
    idle_in(watched, 3)
    assert sum(idle_in(watched, 50)) < 0.05


def test_short_threads_that_wait_for_a_core_do_not_sleep(start):
    others = [start("while True: pass") for _ in range(4 * (os.cpu_count() or 1))]
    one_after_another = (
        "def work():\n    for _ in range(100_000): pass\n"
        "while True:\n    t = threading.Thread(target=work); t.start(); t.join()"
    )
    watched = ProcessClocks(start(one_after_another))
    begun, idle = time.monotonic(), sum(idle_in(watched, 100))
    assert others
    assert idle < 0.2 * (time.monotonic() - begun)


def test_sleep_counts_in_full_between_bursts_of_work(start):
    bursts = (
        "while True:\n    time.sleep(0.03)\n    end = time.thread_time() + 0.005\n"
        "    while time.thread_time() < end: pass"
    )
    watched = ProcessClocks(start(bursts))
    idle_in(watched, 2)
    begun, idle = time.monotonic(), sum(idle_in(watched, 50))
    # What is not yet said at the last look may be missing.
    assert 0.6 * (time.monotonic() - begun) < idle + 0.1


def test_a_process_that_sleeps_is_idle_though_no_queue_is_seen(start, without_schedstat):
    watched = ProcessClocks(start("time.sleep(600)"))
    idle_in(watched, 3)
    assert all(seconds > 0 for seconds in idle_in(watched, 5))


def test_the_threads_that_there_are_are_counted(start):
    program = "for _ in range(5): threading.Thread(target=time.sleep, args=(600,)).start()\nprint(flush=True)"
    child = start(program)
    watched = ProcessClocks(child)
    deadline = time.monotonic() + 60
    while watched.threads() < 6 and time.monotonic() < deadline:
        time.sleep(0.01)
    assert watched.threads() == 6
