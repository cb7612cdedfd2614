"""What only a worker in a wrapper can do wrong: the way there and back, and whoever may stand at its other end."""

import json
import os
import signal
import struct
import subprocess
import sys
import textwrap
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import pytest
from plain_wrapper import plain, wrapped
from running import INPUTS, job

from evalplus_run.judge import decode
from evalplus_run.sandbox import Ending, SuiteLimits, remote, tiers
from evalplus_run.sandbox.any_worker import HostFault, TierUnavailable, WorkerDied
from evalplus_run.sandbox.guest import protocol
from evalplus_run.sandbox.supervisor.serve import ENDED, HELLO
from evalplus_run.sandbox.worker import Worker

TIER = next(tier for tier in ("lockdown", "seccomp-only", "rlimits", "none") if not tiers.why_not(tier))
GOOD = "def add(x, y): return x + y"


@pytest.fixture
def worker():
    with wrapped(TIER) as worker:
        worker.load("task", INPUTS)
        yield worker


def run(worker, program=GOOD, on_frame=lambda *_: True, **options):
    return worker.run(job(program, **options), on_frame)


def values_of(worker, program=GOOD, **options):
    values = []

    def on_frame(_suite, _test, kind, payload):
        if kind == protocol.VALUE:
            values.append(decode(payload))
        return True

    run(worker, program, on_frame, **options)
    return values


def processes_with(mark):
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                state = Path(f"/proc/{entry}/stat").read_text().rpartition(")")[2].split()[0]
                if mark in Path(f"/proc/{entry}/cmdline").read_bytes() and state != "Z":
                    found.append(int(entry))
            except OSError:
                continue
    return found


def wait_until(true):
    deadline = time.monotonic() + 60
    while not true() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert true()


def children_of(pid):
    found = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        found += [int(child) for child in (task / "children").read_text().split()]
    return [*found, *(grandchild for child in found for grandchild in children_of(child))]


def is_gone(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def test_what_is_told_to_be_left_is_not_waited_for(worker):
    program = "import time\ndef add(x, y):\n    time.sleep(600 if x == 3 else 0)\n    return x"
    limits = {0: SuiteLimits([500.0, 500.0], 900.0)}
    seen = []

    def on_frame(_suite, test, _kind, _payload):
        seen.append(test)
        return False

    execution = run(worker, program, on_frame, limits=limits, load_limit=500.0)
    assert (execution.ending, execution.test, seen) == (Ending.FINISHED, 1, [-1, 0])


def test_orders_that_come_late_do_not_touch_the_next_program(worker):
    for _ in range(20):
        run(worker, GOOD, lambda *_: False)
        assert values_of(worker) == [3, 7, 11, 11, 11]


def test_a_value_of_many_megabytes_comes_whole(worker):
    limits = {0: SuiteLimits([60.0, 60.0], 60.0)}
    payloads = []
    run(
        worker,
        "def add(x, y): return 'a' * (40 << 20)",
        lambda _suite, _test, _kind, payload: payloads.append(payload) or True,
        limits=limits,
        load_limit=60.0,
        max_bytes=50 << 20,
        whole=[(0, 0), (0, 1)],
    )
    assert [len(payload) > 40 << 20 for payload in payloads] == [False, True, True]


def test_inputs_of_many_megabytes_go_in(worker):
    worker.load("large", [[("a" * (20 << 20), 1)]])
    limits = {0: SuiteLimits([60.0], 60.0)}
    seen = []
    run(
        worker,
        "def add(x, y): return len(x)",
        lambda *frame: seen.append(frame) or True,
        key="large",
        limits=limits,
        load_limit=60.0,
    )
    assert decode(seen[-1][-1]) == 20 << 20


def test_inputs_that_cannot_be_sent_are_said_to_be_so_and_the_worker_lives(worker):
    with pytest.raises(ValueError, match="unmarshallable"):
        worker.load("other", [[(object(),)]])
    assert values_of(worker) == [3, 7, 11, 11, 11]


def test_an_error_of_the_judge_ends_the_worker_and_not_the_next_program(worker):
    def fail(*_):
        raise RuntimeError("the judge's own")

    with pytest.raises(RuntimeError, match="own"):
        run(worker, on_frame=fail)
    with pytest.raises(HostFault):
        run(worker)


def test_killing_it_from_another_thread_ends_the_run(worker):
    begun = threading.Event()
    killer = threading.Thread(target=lambda: begun.wait() and worker.kill())
    killer.start()
    with pytest.raises(WorkerDied):
        run(worker, "import time\ndef add(x, y): time.sleep(600)", lambda *_: begun.set() or True, limit=500.0)
    killer.join()


@pytest.mark.parametrize("place", [0, 1], ids=["the supervisor", "the zygote"])
def test_whatever_dies_inside_is_noticed_and_nothing_is_left(worker, place):
    begun = threading.Event()
    inside = []

    def kill():
        begun.wait()
        inside.extend([worker._process.pid, *children_of(worker._process.pid)])
        os.kill(inside[place], signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    with pytest.raises(WorkerDied):
        run(worker, "import time\ndef add(x, y): time.sleep(600)", lambda *_: begun.set() or True, limit=500.0)
    killer.join()
    assert len(inside) == 3
    wait_until(lambda: worker._process.poll() is not None and all(map(is_gone, inside)))
    with wrapped(TIER) as another:
        another.load("task", INPUTS)
        assert values_of(another) == [3, 7, 11, 11, 11]


@pytest.mark.parametrize("program", ["", "import time\ndef add(x, y): time.sleep(600)"], ids=["idle", "running"])
def test_when_the_judge_is_killed_all_inside_ends(program, tmp_path):
    script = textwrap.dedent(f"""
        import sys
        sys.path.insert(0, {str(Path(__file__).parent)!r})
        from plain_wrapper import wrapped
        from running import INPUTS, job
        worker = wrapped({TIER!r})
        worker.load("task", INPUTS)
        if {program!r}:
            begun = lambda *_: print(worker._process.pid, flush=True) or True
            worker.run(job({program!r}, limit=500.0, total=900.0), begun)
        print(worker._process.pid, flush=True)
        sys.stdin.read()
    """)
    judge = subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    supervisor = int(judge.stdout.readline())
    inside = [supervisor, *children_of(supervisor)]
    assert len(inside) == (3 if program else 2)
    judge.kill()
    judge.communicate()
    wait_until(lambda: all(map(is_gone, inside)))


def command_without_packages(inside):
    python, *rest = inside.command()
    return [python, "-S", *rest]


def test_the_supervisor_needs_the_standard_library_alone_and_says_that_numpy_is_missing():
    @contextmanager
    def bare(inside):
        yield command_without_packages(inside)

    with pytest.raises(TierUnavailable, match="no numpy"):
        wrapped(TIER, bare)


def test_a_wrapper_that_is_not_there_is_told():
    @contextmanager
    def absent(_inside):
        yield ["/nonexistent/wrapper"]

    with pytest.raises(TierUnavailable, match="/nonexistent/wrapper cannot be started: No such file"):
        wrapped(TIER, absent)


def test_what_a_wrapper_says_at_its_end_is_the_reason():
    @contextmanager
    def refuses(_inside):
        yield [
            "sh",
            "-c",
            "echo first >&2; echo no permission to make namespaces >&2; echo >&2; echo See --help >&2; exit 1",
        ]

    with pytest.raises(TierUnavailable, match="^no permission to make namespaces$"):
        wrapped(TIER, refuses)


def test_a_tier_that_does_not_start_inside_tells_its_reason():
    @contextmanager
    def unknown(inside):
        *rest, _tier, priority, seed = inside.command()
        yield [*rest, "nonsense", priority, seed]

    with pytest.raises(TierUnavailable):
        wrapped(TIER, unknown)


@pytest.mark.parametrize("starts", [True, False])
def test_what_a_wrapper_leaves_behind_is_removed_in_the_end(starts):
    removed = []

    @contextmanager
    def untidy(inside):
        try:
            yield inside.command() if starts else ["false"]
        finally:
            removed.append(True)

    if starts:
        with wrapped(TIER, untidy):
            assert not removed
    else:
        with pytest.raises(TierUnavailable):
            wrapped(TIER, untidy)
    assert removed == [True]


def frame(kind, payload=b""):
    return protocol.FRAME.pack(kind, len(payload)) + payload


def ending(**changes):
    told = {
        "ending": "finished", "suite": 0, "test": 0, "status": 0, "killed": True, "cpu_seconds": 0.1, "detail": "",
        "slow_tests": [], "suite_cpu_seconds": {},
    }  # fmt: skip
    return frame(ENDED, json.dumps(told | changes).encode())


def impostor(answer, hello=None):
    """A wrapper in which something else than a supervisor answers the first program."""
    hello = HELLO.pack(*sys.version_info[:2], True) if hello is None else hello
    script = textwrap.dedent(f"""
        import os, struct, sys, time
        def exactly(size):
            data = b""
            while len(data) < size:
                data += os.read(0, size - len(data)) or sys.exit()
            return data
        def write(data):
            while data:
                data = data[os.write(1, data):]
        write({hello!r})
        exactly(struct.unpack("<I", exactly(4))[0])
        {answer}
        while os.read(0, 1 << 16): pass
    """)

    @contextmanager
    def around(_inside):
        yield [sys.executable, "-c", script]

    return wrapped(TIER, around)


VALUE = frame(protocol.VALUE, b"N")
STARTED = frame(protocol.STARTED)
ALL = STARTED + VALUE * 2 + STARTED + VALUE * 3


@pytest.mark.parametrize(
    "answer",
    {
        "a frame larger than memory": b"V\xff\xff\xff\xff",
        "no kind of frame": frame(1),
        "a value before the beginning": VALUE,
        "a suite begun twice": STARTED * 2,
        "a digest cut off": STARTED + frame(protocol.DIGEST, b"x"),
        "that nothing began, after all": STARTED + frame(protocol.NOT_BEGUN),
        "an end that is too early": STARTED + VALUE + ending(),
        "an end that is no JSON": ALL + frame(ENDED, b"\x80\x04N."),
        "an end that lacks all": ALL + frame(ENDED, b"{}"),
        "an end deep as a well": ALL + frame(ENDED, b"[" * 100_000),
        "a time below zero": ALL + ending(cpu_seconds=-1.0),
        "a time without end": ALL + frame(ENDED, ending()[5:].replace(b"0.1", b"1e999")),
        "a suite that is not there": ALL + ending(suite_cpu_seconds={"7": 1.0}),
        "a test that is not there": ALL + ending(slow_tests=[[0, 2, 1.0]]),
        "a status that none is": ALL + ending(status=127),
        "a status beyond numbers": ALL + ending(status=1 << 70),
        "a kind of end that is none": ALL + ending(ending="passed"),
    }.items(),
    ids=lambda case: case[0],
)
def test_an_impostor_that_tells_what_cannot_be_is_lost(answer):
    with impostor(f"write({answer[1]!r})") as worker, pytest.raises(WorkerDied):
        run(worker)


def test_an_impostor_can_claim_values_an_ending_and_times_and_no_more():
    told = ending(ending="timeout", suite=9, test=99, detail="x" * 10_000, cpu_seconds=5.0)
    with impostor(f"write({ALL!r} + {VALUE * 9!r} + {told!r})") as worker:
        seen = []
        execution = run(worker, on_frame=lambda *frame: seen.append(frame[:2]) or True)
    assert seen == [(0, -1), (0, 0), (0, 1), (1, -1), (1, 0), (1, 1), (1, 2)]
    assert (execution.ending, execution.suite, execution.test) == (Ending.FINISHED, 1, 3)
    assert len(execution.detail) == 200


@pytest.mark.parametrize(
    "answer", ["pass", f"while True: write({STARTED + VALUE * 2000!r})"], ids=["nothing", "a flood"]
)
def test_an_impostor_that_never_ends_is_ended(answer, monkeypatch):
    with impostor(answer) as worker:
        monkeypatch.setattr(remote, "_PATIENCE", 0.5)
        with pytest.raises(WorkerDied):
            run(worker, limit=0.01)
        worker._process.wait(timeout=60)


def test_an_impostor_that_takes_nothing_is_ended(monkeypatch):
    with impostor("time.sleep(600)") as worker:
        monkeypatch.setattr(remote, "_PATIENCE", 0.5)
        with pytest.raises(HostFault, match="takes nothing"):
            for number in range(9):
                worker.load(f"task {number}", [[("x" * (1 << 20),)]])


def test_that_nothing_began_is_the_hosts_fault():
    told = frame(protocol.NOT_BEGUN, protocol.error_payload("", "no process could be made", None))
    with impostor(f"write({told!r})") as worker, pytest.raises(HostFault, match="no process could be made"):
        run(worker)


def test_another_version_of_python_inside_is_refused():
    with pytest.raises(TierUnavailable, match=r"Python 3\.99"):
        impostor("pass", hello=struct.pack("<BB?", 3, 99, True))


def test_it_says_of_a_program_what_a_worker_without_a_wrapper_says(worker):
    program = "def add(x, y):\n    if x == 3: raise KeyError(y)\n    return {x: [y, 2.5, None]}"
    told = []
    with Worker(TIER) as bare:
        bare.load("task", INPUTS)
        for each in (bare, worker):
            frames = []
            execution = run(each, program, lambda *frame, to=frames: to.append(frame) or True)
            told.append(
                (frames, execution.ending, execution.suite, execution.test, sorted(execution.suite_cpu_seconds))
            )
    assert told[0] == told[1]


def test_a_plain_wrapper_gives_no_variable_of_ours_to_what_is_inside(monkeypatch):
    monkeypatch.setenv("SECRET_OF_THE_JUDGE", "x")
    with wrapped(TIER, plain) as worker:
        for pid in (worker._process.pid, *children_of(worker._process.pid)):
            try:
                environment = Path(f"/proc/{pid}/environ").read_bytes()
            except OSError:
                continue
            assert b"SECRET_OF_THE_JUDGE" not in environment
