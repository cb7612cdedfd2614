"""Figures of the system, read from files of the form that kernels write."""

import mmap
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from evalplus_run import machine
from evalplus_run.sandbox import memory

GIB = 1 << 30


@pytest.fixture
def groups(tmp_path, monkeypatch):
    """A machine of 64 GiB, 32 of them free, and a function that puts this process in control groups."""
    monkeypatch.setattr(machine, "_GROUPS", tmp_path)
    for cached in (machine.total_memory, machine.container_limits):
        cached.cache_clear()

    def enter(line, files):
        monkeypatch.setattr(machine, "_own_groups", lambda: [line])
        for path, text in files.items():
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).write_text(text)

    yield enter
    for cached in (machine.total_memory, machine.container_limits):
        cached.cache_clear()


def test_a_containers_limit_bounds_what_a_program_may_take(groups):
    groups("0::/pod/box", {"pod/memory.max": f"{2 * GIB}\n", "pod/box/memory.max": "max\n"})
    assert memory.at_most(4 * GIB) == 2 * GIB * 3 // 4
    assert memory.at_most(GIB) == GIB


@pytest.mark.parametrize("limit", ["RLIMIT_AS", "RLIMIT_DATA"])
def test_so_does_a_limit_that_the_users_shell_sets(limit):
    program = (
        "import resource\n"
        f"resource.setrlimit(resource.{limit}, ({2 * GIB}, {2 * GIB}))\n"
        "from evalplus_run.sandbox import memory\n"
        f"print(memory.at_most({4 * GIB}))"
    )
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True).stdout
    assert int(told) == 2 * GIB * 3 // 4


def test_an_older_kernels_limit_does_too(groups):
    groups("4:memory:/box", {"memory/box/memory.limit_in_bytes": f"{GIB}\n"})
    assert memory.at_most(4 * GIB) == GIB * 3 // 4


def test_a_machine_without_a_limit_gives_what_is_wanted(groups):
    groups("0::/", {"memory.max": "max\n"})
    assert memory.at_most(256 << 20) == 256 << 20


def test_a_full_container_is_short_and_one_full_of_cached_files_is_not(groups):
    files = {
        "memory.max": f"{GIB}",
        "memory.current": f"{GIB - (10 << 20)}",
        "memory.stat": "anon 5\ninactive_file 0\n",
    }
    groups("0::/", files)
    assert memory.is_short()
    groups("0::/", {"memory.stat": f"inactive_file {GIB // 2}\n"})
    assert not memory.is_short()


def test_what_is_reserved_is_not_resident_and_what_is_written_is():
    before = memory.resident(os.getpid())
    kept = mmap.mmap(-1, 256 << 20)
    assert memory.resident(os.getpid()) - before < 64 << 20
    for page in range(0, len(kept), mmap.PAGESIZE):
        kept[page] = 1
    assert memory.resident(os.getpid()) - before > 192 << 20


_FIRST_THREAD_ENDS = """
import ctypes, sys, threading
def work():
    kept = b"x" * (64 << 20)
    print(flush=True)
    sys.stdin.read()
threading.Thread(target=work).start()
ctypes.CDLL(None).pthread_exit(None)
"""


def test_what_other_threads_have_is_seen_when_the_first_has_ended():
    running = subprocess.Popen(
        [sys.executable, "-c", _FIRST_THREAD_ENDS], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with running:
        running.stdout.readline()
        while b"\nState:\tZ" not in Path(f"/proc/{running.pid}/status").read_bytes():
            time.sleep(0.01)
        assert memory.resident(running.pid) > 64 << 20
        running.kill()


def test_an_ended_process_that_nobody_has_waited_for_has_nothing():
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        os.waitid(os.P_PID, ended.pid, os.WEXITED | os.WNOWAIT)
        assert memory.resident(ended.pid) == 0


def test_a_process_that_is_gone_has_nothing():
    assert memory.resident(1 << 22) == 0
