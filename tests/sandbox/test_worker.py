"""A worker and its programs: values, frames, endings; in every tier that this machine gives."""

import os
import threading
import time
from pathlib import Path

import pytest
from running import INPUTS, job, run

from evalplus_run.sandbox import Ending, tiers
from evalplus_run.sandbox.any_worker import HostFault, TierUnavailable, WorkerDied
from evalplus_run.sandbox.worker import Worker


def test_a_program_returns_its_values_suite_by_suite(worker):
    seen = run(worker, "def add(x, y): return x + y")
    assert seen.values == [3, 7, 11, 11, 11]
    assert seen.execution.ending is Ending.FINISHED


def test_each_suite_sees_the_program_as_just_started(worker):
    seen = run(worker, "calls = []\ndef add(x, y):\n    calls.append(x)\n    return len(calls)")
    assert seen.values == [1, 2, 1, 2, 3]


def test_a_suite_that_is_not_wanted_any_more_is_left(worker):
    program = "import time\ndef add(x, y):\n    time.sleep(0.03 if x in (1, 3) else 0)\n    return x"
    seen = run(worker, program, leave=(0,))
    assert seen.values == [1, 5, 5, 5]


@pytest.mark.parametrize(("leaving", "ending"), [(0.1, Ending.TIMEOUT), (5.0, Ending.FINISHED)])
def test_a_program_has_its_time_to_come_from_one_suite_to_the_next(worker, leaving, ending):
    program = "import time\ndef add(x, y):\n    while x == 3 and time.process_time() < 1: pass\n    return x"
    seen = run(worker, program, leave=(0,), leaving_limit=leaving)
    assert seen.execution.ending is ending


def test_results_that_are_known_are_taken_as_bytes(worker):
    known = b"V\x05\0\0\0i\x0b\0\0\0"
    taken = []

    def on_bytes(suite, test, data, place):
        tests = 0
        while data.startswith(known, place + tests * len(known)):
            tests += 1
        taken.extend((suite, test + n) for n in range(tests))
        return tests, tests * len(known)

    seen = run(worker, "def add(x, y): return x + y", on_bytes=on_bytes)
    assert seen.execution.ending is Ending.FINISHED
    assert seen.values == [3, 7]
    assert taken == [(1, 0), (1, 1), (1, 2)]


def test_flooding_the_result_channel_after_the_tests_gains_nothing(worker):
    frame = "b'V\\x01\\0\\0\\0N'"
    seen = run(worker, f"import os\ndef add(x, y):\n    while True: os.write(3, {frame})", limit=0.5, leave=(0,))
    assert seen.execution.ending is Ending.TIMEOUT


def test_a_frame_that_no_value_can_need_ends_the_program(worker):
    seen = run(worker, "import os\ndef add(x, y):\n    os.write(3, b'V\\xff\\xff\\xff\\xff')\n    return 1")
    assert seen.execution.ending is Ending.FLOOD


def test_a_digest_that_is_cut_off_ends_the_program(worker):
    seen = run(worker, "import os\ndef add(x, y):\n    os.write(3, b'D\\1\\0\\0\\0x')\n    return 1")
    assert seen.execution.ending is Ending.FLOOD


def test_a_suite_that_is_begun_twice_ends_the_program(worker):
    seen = run(worker, "import os\ndef add(x, y):\n    os.write(3, b'S\\0\\0\\0\\0')\n    return 1")
    assert seen.execution.ending is Ending.FLOOD


@pytest.mark.parametrize("code", [0, 1, 17])
def test_leaving_early_is_a_death_whatever_the_exit_status(worker, code):
    seen = run(worker, f"import os\ndef add(x, y):\n    if x == 3: os._exit({code})\n    return x")
    assert seen.execution.ending is Ending.DIED
    assert (seen.execution.suite, seen.execution.test) == (0, 1)
    assert os.waitstatus_to_exitcode(seen.execution.status) == code


def test_a_crash_tells_its_signal(worker):
    seen = run(worker, "import ctypes\ndef add(x, y):\n    ctypes.string_at(0)")
    assert seen.execution.ending is Ending.DIED
    assert os.waitstatus_to_exitcode(seen.execution.status) == -11


def test_the_line_that_raised_is_told(worker):
    seen = run(worker, "def helper(x):\n    return [][x]\n\ndef add(x, y):\n    return helper(x)")
    assert seen.errors[0] == ("IndexError", "list index out of range", 2)


def test_a_text_that_is_no_program_fails_in_both_suites(worker):
    seen = run(worker, "def add(x, y:\n")
    assert [kind for kind, _, _ in seen.errors] == ["SyntaxError", "SyntaxError"]


def test_a_program_without_the_entry_point_is_told_apart(worker):
    assert run(worker, "def other(): pass").frames == [(0, -1, "N"), (1, -1, "N")]


LIARS = {
    "its name": "class M(type):\n    @property\n    def __name__(cls): raise SystemExit\n"
    "class E(Exception, metaclass=M): pass",
    "its trace": "class E(Exception):\n    __traceback__ = property(lambda self: 1 // 0)",
    "its text": "class S(str):\n    def __getitem__(self, i): raise SystemExit\n"
    "class E(Exception):\n    def __str__(self): return S('text')",
    "no text": "class E(Exception):\n    def __str__(self): raise KeyboardInterrupt",
}


@pytest.mark.parametrize("lie", LIARS)
def test_an_exception_that_lies_about_itself_is_told_all_the_same(worker, lie):
    seen = run(worker, f"{LIARS[lie]}\ndef add(x, y): raise E")
    assert seen.execution.ending is Ending.FINISHED
    assert [kind for kind, _, _ in seen.errors] == ["E"] * 5


def test_a_child_that_cannot_be_set_up_is_the_hosts_fault(worker):
    with pytest.raises(HostFault):
        run(worker, "def add(x, y): return 1", memory=1 << 80)


def test_no_program_can_say_that_it_has_not_begun(worker):
    seen = run(worker, "import os\ndef add(x, y):\n    os.write(3, b'E\\0\\0\\0\\0')\n    return 1")
    assert seen.execution.ending is Ending.FLOOD


def test_a_long_value_comes_as_its_digest_unless_it_is_asked_for(worker):
    seen = run(worker, "def add(x, y): return 'a' * 1000", digest_over=100, whole=[(1, 2)])
    assert [kind for _, test, kind in seen.frames if test >= 0] == ["D", "D", "D", "D", "V"]


def test_a_value_that_equals_nothing_never_comes_as_a_digest(worker):
    seen = run(worker, "def add(x, y): return [float('nan')] * 1000", digest_over=100)
    assert {kind for _, test, kind in seen.frames if test >= 0} == {"V"}


def test_the_order_of_sets_is_the_same_in_every_worker():
    if tiers.why_not("lockdown"):
        pytest.skip("lockdown cannot be had here")
    orders = []
    for _ in range(2):
        with Worker("lockdown") as worker:
            worker.load("task", INPUTS)
            orders.append(run(worker, "def add(x, y): return list({'a', 'b', 'c', 'd', 'e'})").values[0])
    assert orders[0] == orders[1]


def processes_of_group(group):
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                fields = Path(f"/proc/{entry}/stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[2]) == group and fields[0] != "Z":
                found.append(int(entry))
    return found


def test_a_killed_zygote_takes_the_running_program_with_it(worker):
    group = worker._process.pid
    started = threading.Event()
    outcome = []

    def judge():
        try:
            endless = job("import time\ndef add(x, y): time.sleep(600)", limit=600.0, total=1200.0)
            worker.run(endless, lambda *_: started.set() or True)
        except WorkerDied as error:
            outcome.append(error)

    thread = threading.Thread(target=judge)
    thread.start()
    started.wait()
    worker._process.kill()
    thread.join()
    assert outcome
    deadline = time.monotonic() + 30
    while processes_of_group(group) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert processes_of_group(group) == []


def test_a_killed_zygote_is_noticed(worker):
    worker._process.kill()
    worker._process.wait()
    time.sleep(0.05)
    with pytest.raises(HostFault):
        run(worker, "def add(x, y): return 1")


def test_a_worker_for_which_the_system_has_no_room_says_why(monkeypatch, tmp_path):
    def full(**_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tempfile.mkdtemp", full)
    with pytest.raises(TierUnavailable, match="No space left"):
        Worker("lockdown")
