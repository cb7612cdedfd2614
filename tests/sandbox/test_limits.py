"""What takes too long or too much is ended, in real children, in every tier that this machine gives."""

import os

import pytest
from running import run

from evalplus_run.sandbox import Ending
from evalplus_run.sandbox.worker import Worker


@pytest.mark.parametrize("work", ["while True: pass", "time.sleep(600)"])
def test_a_program_that_does_not_leave_a_suite_is_not_waited_for(worker, work):
    program = f"import time\ndef add(x, y):\n    if x == 3:\n        {work}\n    return x"
    seen = run(worker, program, leave=(0,), limit=600.0, total=600.0)
    assert (seen.execution.ending, seen.execution.suite, seen.values) == (Ending.TIMEOUT, 0, [1])
    assert sum(seen.execution.suite_cpu_seconds.values()) < 5


def test_an_endless_loop_ends_at_its_cpu_limit(worker):
    seen = run(worker, "def add(x, y):\n    while True: pass", limit=0.5)
    assert seen.execution.ending is Ending.TIMEOUT
    assert (seen.execution.suite, seen.execution.test) == (0, 0)
    assert "CPU" in seen.execution.detail


def test_a_sleeper_ends_at_the_same_limit(worker):
    seen = run(worker, "import time\ndef add(x, y):\n    time.sleep(600)", limit=0.5)
    assert seen.execution.ending is Ending.TIMEOUT
    assert "slept" in seen.execution.detail


@pytest.mark.parametrize("work", ["while time.thread_time() < end: pass", "time.sleep(0.4)"])
def test_many_tests_below_their_limits_end_at_the_limit_of_all(worker, work):
    program = f"import time\ndef add(x, y):\n    end = time.thread_time() + 0.4\n    {work}"
    seen = run(worker, program, limit=5.0, total=0.6)
    assert (seen.execution.ending, seen.execution.test) == (Ending.TIMEOUT, 1)
    assert "in all" in seen.execution.detail


def test_sleeping_just_past_the_limit_is_past_it(worker):
    assert run(worker, "import time\ndef add(x, y): time.sleep(0.5)", limit=0.5).execution.ending is Ending.TIMEOUT
    assert run(worker, "import time\ndef add(x, y): time.sleep(0.2)").execution.ending is Ending.FINISHED


def test_what_many_threads_computed_is_no_credit_to_sleep_on(worker):
    program = (
        "import hashlib, threading, time\n"
        "def work(): hashlib.pbkdf2_hmac('sha256', b'a', b'b', 20000)\n"
        "def add(x, y):\n"
        "    threads = [threading.Thread(target=work) for _ in range(60)]\n"
        "    for t in threads: t.start()\n"
        "    for t in threads: t.join()\n"
        "    time.sleep(600)"
    )
    seen = run(worker, program, limit=2.0)
    assert seen.execution.ending is Ending.TIMEOUT


def test_a_flood_after_the_suite_is_left_ends_too(worker):
    program = (
        "import os, struct, time\n"
        "def add(x, y):\n"
        "    value = b'L' + struct.pack('<I', 200000) + b'N' * 200000\n"
        "    while True:\n"
        "        sent = 0\n"
        "        while sent < len(value): sent += os.write(3, value[sent:])\n"
        "        time.sleep(0.2)"
    )
    seen = run(worker, program, limit=0.6, leave=(0,))
    assert seen.execution.ending is Ending.TIMEOUT


def test_a_bomb_of_threads_ends(worker):
    program = (
        "import threading, time\n"
        "def add(x, y):\n"
        "    while True:\n"
        "        try: threading.Thread(target=time.sleep, args=(600,)).start()\n"
        "        except RuntimeError: time.sleep(600)"
    )
    assert run(worker, program, limit=5.0, memory=64 << 30).execution.ending is Ending.TIMEOUT


def test_a_loop_inside_c_code_that_ignores_signals_ends_too(worker):
    program = (
        "import itertools, signal\n"
        "for s in (signal.SIGTERM, signal.SIGALRM, signal.SIGXCPU): signal.signal(s, signal.SIG_IGN)\n"
        "def add(x, y):\n    sum(itertools.repeat(0))"
    )
    assert run(worker, program, limit=0.5).execution.ending is Ending.TIMEOUT


def test_an_endless_loop_at_module_level_ends_before_any_test(worker):
    seen = run(worker, "while True: pass", limit=0.5)
    assert (seen.execution.ending, seen.execution.test) == (Ending.TIMEOUT, None)


def test_memory_beyond_the_limit_ends_the_program_and_not_the_worker(worker):
    seen = run(worker, "def add(x, y): return len(b'x' * (1 << 30))", memory=256 << 20)
    assert (seen.execution.ending, seen.execution.test) == (Ending.MEMORY, 0)
    assert run(worker, "def add(x, y): return x + y").values[0] == 3


def test_memory_that_no_machine_has_is_a_memory_error(worker):
    seen = run(worker, "def add(x, y): return len(bytearray(1 << 50))", memory=256 << 20)
    assert {kind for kind, _, _ in seen.errors} == {"MemoryError"}


HIDERS = {
    "behind a thread that has ended": (
        "import ctypes, threading, time\nkept = []\n"
        "def work():\n    while True:\n        kept.append(b'x' * (8 << 20)); time.sleep(0.01)\n"
        "def add(x, y):\n    threading.Thread(target=work).start()\n    ctypes.CDLL(None).syscall(60, 0)"
    ),
    "in shared memory": (
        "import mmap\nkept = []\ndef add(x, y):\n    while True:\n"
        "        m = mmap.mmap(-1, 32 << 20); m.write(b'x' * (32 << 20)); kept.append(m)\n"
        "        try: m.madvise(mmap.MADV_DONTNEED)\n        except OSError: pass"
    ),
}


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="one of them calls the kernel by number")
@pytest.mark.parametrize("place", HIDERS)
def test_memory_cannot_be_hidden(worker, place):
    seen = run(worker, HIDERS[place], memory=256 << 20, limit=30.0)
    assert seen.execution.ending is Ending.MEMORY


def test_memory_that_is_only_reserved_does_not_count(worker):
    program = "import mmap\nkept = mmap.mmap(-1, 1 << 30)\ndef add(x, y): return x + y"
    assert run(worker, program, memory=256 << 20).values == [3, 7, 11, 11, 11]


def test_a_program_that_is_large_when_nothing_is_left_is_the_hosts_case(worker, monkeypatch):
    if not isinstance(worker, Worker):
        pytest.skip("memory is watched in another process, which cannot be told here that nothing is left")
    monkeypatch.setattr("evalplus_run.sandbox.memory.is_short", lambda: True)
    grows = "import time\nkept = []\ndef add(x, y):\n    while True:\n        kept.append(b'x' * (8 << 20))"
    assert run(worker, grows, memory=8 << 30).execution.ending is Ending.SHORT
    assert run(worker, "def add(x, y): return x + y").values == [3, 7, 11, 11, 11]


def test_where_memory_cannot_be_seen_a_long_program_goes_on(worker, monkeypatch):
    if isinstance(worker, Worker):
        monkeypatch.setattr("evalplus_run.sandbox.memory.resident", lambda pid: None)
    assert run(worker, "import time\ndef add(x, y):\n    time.sleep(0.2)\n    return x + y").values == [
        3,
        7,
        11,
        11,
        11,
    ]
