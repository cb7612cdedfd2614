"""Programs in real children, in every tier that this machine gives, and as a judge outside a wrapper sees them."""

import os
import socket
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from plain_wrapper import wrapped

from evalplus_run.judge import decode
from evalplus_run.sandbox import Ending, SuiteLimits, tiers
from evalplus_run.sandbox.guest import protocol
from evalplus_run.sandbox.worker import HostFault, Worker, WorkerDied

LOCKED = ("namespaces", "lockdown", "seccomp-only")
INPUTS = [[(1, 2), (3, 4)], [(5, 6)] * 3]


@dataclass
class Seen:
    """What the judge's side heard of one program."""

    execution: object = None
    values: list = field(default_factory=list)
    errors: list = field(default_factory=list)
    frames: list = field(default_factory=list)


@pytest.fixture(scope="module")
def workers():
    """One worker a tier, shared by the tests that leave it alive."""
    started = {}
    yield started
    for worker in started.values():
        worker.close()


@pytest.fixture(params=[*LOCKED, "lockdown in a wrapper"])
def worker(request, workers):
    tier = request.param.removesuffix(" in a wrapper")
    reason = tiers.why_not(tier)
    if reason:
        pytest.skip(f"{tier} cannot be had here: {reason}")
    if request.param not in workers:
        workers[request.param] = Worker(tier) if tier == request.param else wrapped(tier)
        workers[request.param].load("task", INPUTS)
    yield workers[request.param]
    if workers[request.param]._process.poll() is not None:
        workers.pop(request.param).close()


def run(worker, program, *, limit=20.0, total=60.0, memory=1 << 30, leave=(), **options):
    seen = Seen()

    def on_frame(suite, test, kind, payload):
        seen.frames.append((suite, test, chr(kind)))
        if kind == protocol.VALUE:
            seen.values.append(decode(payload))
        elif kind in (protocol.RAISED, protocol.LOAD_FAILED):
            seen.errors.append(protocol.parse_error(payload))
        return suite not in leave

    limits = {number: SuiteLimits([limit] * len(inputs), total) for number, inputs in enumerate(INPUTS)}
    seen.execution = worker.run(program, "add", "task", limits, on_frame, memory=memory, load_limit=limit, **options)
    return seen


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


@pytest.mark.parametrize("work", ["while True: pass", "time.sleep(600)"])
def test_a_program_that_does_not_leave_a_suite_is_not_waited_for(worker, work):
    program = f"import time\ndef add(x, y):\n    if x == 3:\n        {work}\n    return x"
    seen = run(worker, program, leave=(0,), limit=600.0, total=600.0)
    assert (seen.execution.ending, seen.execution.suite, seen.values) == (Ending.TIMEOUT, 0, [1])
    assert sum(seen.execution.suite_cpu_seconds.values()) < 5


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


@pytest.mark.parametrize(
    "attempt",
    [
        "open('/etc/hostname').read()",
        "open('/tmp/attempt', 'w')",
        "__import__('os').open('/dev/shm/attempt', 65)",
        "__import__('os').mkdir('/tmp/attempt')",
        "__import__('os').fork()",
        "__import__('os').execv('/bin/true', ['true'])",
        "__import__('os').posix_spawn('/bin/true', ['true'], {})",
        "__import__('os').kill(__import__('os').getppid(), 9)",
        "__import__('os').kill(-1, 9)",
        "__import__('socket').socket()",
        "__import__('ctypes').CDLL(None, use_errno=True).ptrace(16, 1, 0, 0) and os.kill(1, 0)",
        "__import__('resource').setrlimit(7, (9999, 9999))",
        "__import__('os').setuid(0)",
        "__import__('os').unlink('{file}')",
        "__import__('os').rename('{file}', '{file}2')",
        "open('{file}', 'a')",
        "__import__('os').open('{file}', 0o1000)",
        "__import__('os').link('{file}', __import__('os').getcwd() + '/x')",
        "__import__('os').symlink('{file}', 'x')",
        "__import__('os').memfd_create('x')",
    ],
)
def test_what_reaches_out_of_the_child_is_refused(worker, attempt, tmp_path):
    (tmp_path / "file").write_text("here")
    attempt = attempt.replace("{file}", str(tmp_path / "file"))
    seen = run(worker, f"import os, socket, resource\ndef add(x, y):\n    {attempt}\n    return 1")
    assert [path.read_text() for path in tmp_path.iterdir()] == ["here"]
    assert seen.execution.ending is Ending.FINISHED
    assert {kind for kind, _, _ in seen.errors} <= {"PermissionError", "AttributeError", "ValueError", "OSError"}
    assert len(seen.errors) == 5


def test_no_open_file_is_inherited_but_the_result_channel(worker):
    program = (
        "import os\ndef add(x, y):\n    found = []\n"
        "    for fd in range(256):\n        try: os.fstat(fd)\n        except OSError: continue\n"
        "        found.append(fd)\n    return found"
    )
    assert run(worker, program).values[0] == [0, 1, 2, 3]


def test_the_environment_tells_nothing_but_the_place_of_temporary_files(worker, monkeypatch):
    monkeypatch.setenv("SECRET_API_KEY", "s3cr3t")
    assert set(run(worker, "import os\ndef add(x, y): return list(os.environ)").values[0]) <= {"TMPDIR"}


def test_no_socket_reaches_a_listener_on_this_machine(worker):
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.2)
        port = server.getsockname()[1]
        program = f"import socket\ndef add(x, y):\n    socket.create_connection(('127.0.0.1', {port}), 1)"
        seen = run(worker, program)
        with pytest.raises(TimeoutError):
            server.accept()
    assert len(seen.errors) == 5


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
    assert seen.execution.ending in (Ending.MEMORY, Ending.FLOOD)


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


@pytest.mark.parametrize(("number", "name"), [(6, "SIGABRT"), (15, "SIGTERM"), (14, "SIGALRM")])
def test_a_program_may_signal_itself(worker, number, name):
    seen = run(worker, f"import os\ndef add(x, y):\n    os.kill(os.getpid(), {number})\n    return 1")
    assert seen.execution.ending is Ending.DIED
    assert os.waitstatus_to_exitcode(seen.execution.status) == -number


def test_an_abort_is_told_as_one(worker):
    seen = run(worker, "import os\ndef add(x, y): os.abort()")
    assert os.waitstatus_to_exitcode(seen.execution.status) == -6


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


@pytest.fixture(params=["namespaces", "lockdown"])
def writing(request, workers):
    """A worker whose programs have a scratch folder."""
    if tiers.why_not(request.param):
        pytest.skip(f"{request.param} cannot be had here")
    with Worker(request.param) as worker:
        worker.load("task", INPUTS)
        yield worker


WRITERS = {
    "a temporary file": (
        "import tempfile\ndef add(x, y):\n"
        "    with tempfile.TemporaryFile('w+') as f:\n"
        "        f.write(str(x + y)); f.seek(0)\n        return int(f.read())"
    ),
    "a named temporary file": (
        "import os, tempfile\ndef add(x, y):\n"
        "    with tempfile.NamedTemporaryFile('w', delete=False) as f: f.write(str(x + y))\n"
        "    try: return int(open(f.name).read())\n    finally: os.remove(f.name)"
    ),
    "a temporary folder": (
        "import os, shutil, tempfile\ndef add(x, y):\n"
        "    with tempfile.TemporaryDirectory() as d:\n"
        "        os.makedirs(os.path.join(d, 'a', 'b'))\n"
        "        path = os.path.join(d, 'a', 'b', 'c')\n"
        "        with open(path, 'w') as f: f.write(str(x + y))\n"
        "        shutil.copy(path, path + '2'); os.rename(path + '2', path + '3')\n"
        "        return int(open(path + '3').read())"
    ),
    "a file where it stands": (
        "def add(x, y):\n    with open('out.txt', 'w') as f: f.write(str(x + y))\n"
        "    return int(open('out.txt').read())"
    ),
    "a database": (
        "import sqlite3\ndef add(x, y):\n    c = sqlite3.connect('a.db')\n"
        "    c.execute('create table if not exists t (v)')\n"
        "    c.execute('insert into t values (?)', (x + y,)); c.commit()\n"
        "    return c.execute('select v from t order by rowid desc').fetchone()[0]"
    ),
    "the null device": "import os\ndef add(x, y):\n    print('a', file=open(os.devnull, 'w'))\n    return x + y",
}


@pytest.mark.parametrize("name", WRITERS)
def test_programs_that_write_temporary_files_pass(writing, name):
    assert run(writing, WRITERS[name]).values == [3, 7, 11, 11, 11]


def test_no_program_finds_what_another_wrote(writing):
    leaves = (
        "import os\ndef add(x, y):\n    os.umask(0o777)\n    os.makedirs('/'.join('a' * 200), exist_ok=True)\n"
        "    try: os.mkdir('closed')\n    except FileExistsError: pass\n    return x + y"
    )
    writes = "def add(x, y):\n    with open('note', 'w') as f: f.write('for you')\n    return x + y"
    looks = "import os\ndef add(x, y): return [*os.listdir('.'), *os.listdir(os.environ['TMPDIR'])]"
    for program in (leaves, writes):
        run(writing, program)
        assert run(writing, looks).values == [[]] * 5


def test_the_scratch_folder_is_gone_with_its_worker(writing):
    run(writing, "def add(x, y):\n    open('left', 'w').write('x')\n    return 1")
    folder = Path(writing._folder)
    assert folder.is_dir()
    writing.close()
    assert not folder.exists()


def test_a_zygote_whose_judge_is_gone_removes_the_scratch_folder(writing):
    run(writing, "def add(x, y): return 1")
    folder = Path(writing._folder)
    writing._control.close()
    writing._process.wait(timeout=30)
    if writing.tier == "lockdown":
        assert not folder.exists()


@pytest.mark.parametrize(
    "fill",
    [
        "with open(str(n), 'wb') as f: f.write(b'x' * (8 << 20))",
        "open(str(n), 'w').close()",
        "os.makedirs(f'd{n}/' + '/'.join('a' * 100))",
    ],
)
def test_the_scratch_folder_is_small(writing, fill):
    program = f"import os\ndef add(x, y):\n    n = 0\n    while True:\n        n += 1\n        {fill}"
    seen = run(writing, program)
    assert seen.execution.ending is Ending.MEMORY or seen.errors[0][0] == "OSError"


def test_one_file_is_no_larger_than_the_scratch_folder(writing):
    seen = run(writing, "def add(x, y):\n    with open('a', 'wb') as f:\n        f.seek(1 << 30); f.write(b'x')")
    assert {kind for kind, _, _ in seen.errors} == {"OSError"}


def test_a_child_that_cannot_be_set_up_is_the_hosts_fault(worker):
    with pytest.raises(HostFault):
        run(worker, "def add(x, y): return 1", memory=1 << 80)


def test_no_program_can_say_that_it_has_not_begun(worker):
    seen = run(worker, "import os\ndef add(x, y):\n    os.write(3, b'E\\0\\0\\0\\0')\n    return 1")
    assert seen.execution.ending is Ending.FLOOD


HARMLESS = {
    "threads": (
        "import threading\ndef add(x, y):\n    out = []\n"
        "    t = threading.Thread(target=lambda: out.append(x + y)); t.start(); t.join()\n    return out[0]"
    ),
    "a thread that outlives": (
        "import threading, time\nthreading.Thread(target=time.sleep, args=(600,)).start()\ndef add(x, y): return x + y"
    ),
    "asyncio": "import asyncio\nasync def f(v): return v\ndef add(x, y): return asyncio.run(f(x + y))",
    "printing": "import sys\ndef add(x, y):\n    print('x' * 10**6); sys.stdout.buffer.write(b'x')\n    return x + y",
    "environment": "import os\nos.environ['A'] = 'b'\ndef add(x, y): return x + y",
    "deep recursion": (
        "import sys\nsys.setrecursionlimit(70000)\ndef f(n): return 0 if n == 0 else 1 + f(n - 1)\n"
        "def add(x, y): return x + y + f(60000) - 60000"
    ),
    "default recursion limit": (
        "def f(n): return 0 if n == 0 else 1 + f(n - 1)\ndef add(x, y): return f(980) * 0 + x + y"
    ),
    "main guard": "def add(x, y): return x + y\nif __name__ == '__main__':\n    raise SystemExit(3)",
    "dataclasses": (
        "from dataclasses import dataclass\n@dataclass\nclass P:\n    x: int\n    y: 'int'\n"
        "def add(x, y): return P(x, y).x + y"
    ),
    "modules not loaded yet": (
        "import sqlite3, lzma, xml.dom.minidom\nfrom email import utils\ndef add(x, y): return x + y"
    ),
    "a pool of threads": (
        "from concurrent.futures import ThreadPoolExecutor\ndef add(x, y):\n"
        "    with ThreadPoolExecutor(2) as pool: return pool.submit(lambda: x + y).result()"
    ),
    "a module imported late": "def add(x, y):\n    import difflib, numpy.linalg\n    return x + y",
    "modules of numpy imported late": (
        "def add(x, y):\n    import numpy as np\n    np.random.seed(1); np.random.default_rng(1).random()\n"
        "    np.fft.fft([1.0, 2.0]); np.polynomial.Polynomial([1]); np.linalg.det(np.eye(2))\n    return x + y"
    ),
    "codecs": (
        "def add(x, y):\n    'é'.encode('latin-1'); 'é'.encode('cp1252'); 'é.com'.encode('idna')\n"
        "    'é'.encode('punycode'); '日'.encode('shift_jis'); return x + y"
    ),
    "a module by its name": (
        "import importlib\ndef add(x, y):\n    importlib.import_module('wave'); __import__('colorsys'); return x + y"
    ),
    "an alarm": (
        "import signal\ndef add(x, y):\n    signal.signal(signal.SIGALRM, lambda *_: None)\n"
        "    signal.alarm(5); signal.alarm(0); signal.raise_signal(signal.SIGALRM); return x + y"
    ),
    "numpy": "import numpy as np\ndef add(x, y): return int(np.array([x, y]).sum())",
}


@pytest.mark.parametrize("name", HARMLESS)
def test_harmless_programs_pass(worker, name):
    assert run(worker, HARMLESS[name]).values == [3, 7, 11, 11, 11]


def test_reading_standard_input_is_an_error(worker):
    seen = run(worker, "import sys\ndef add(x, y):\n    return sys.stdin.read() if x == 1 else input()")
    assert {kind for kind, _, _ in seen.errors} == {"OSError"}


def test_a_long_value_comes_as_its_digest_unless_it_is_asked_for(worker):
    seen = run(worker, "def add(x, y): return 'a' * 1000", digest_over=100, whole=[(1, 2)])
    assert [kind for _, test, kind in seen.frames if test >= 0] == ["D", "D", "D", "D", "V"]


def test_a_value_that_equals_nothing_never_comes_as_a_digest(worker):
    seen = run(worker, "def add(x, y): return [float('nan')] * 1000", digest_over=100)
    assert {kind for _, test, kind in seen.frames if test >= 0} == {"V"}


SEARCHER = """
import ctypes, re
def add(x, y):
    found = []
    libc = ctypes.CDLL(None)
    libc.sbrk.restype = ctypes.c_void_p
    top = libc.sbrk(0)
    maps = ctypes.string_at(top - SIZE, SIZE)
    return len(re.findall(b'needle_' + b'of_another_program', maps))
"""


def test_nothing_of_an_earlier_program_is_left_in_memory(worker):
    earlier = "# needle_of_another_program\n" * 2000 + "def add(x, y): return x + y"
    for _ in range(3):
        assert run(worker, earlier).values[0] == 3
    looked = 0
    for size in (1 << 16, 1 << 18, 1 << 20, 1 << 21):
        seen = run(worker, SEARCHER.replace("SIZE", str(size)))
        if seen.values:
            looked += 1
            assert seen.values[0] == 0, size
    assert looked


def test_the_page_that_is_shared_cannot_be_written(worker):
    program = (
        "import ctypes, gc, mmap\n"
        "def add(x, y):\n"
        "    pages = [o for o in gc.get_objects() if isinstance(o, mmap.mmap)]\n"
        "    import sys\n"
        "    page = sys.modules['_evalplus_run_guest.zygote'].__dict__.get('PAGE')\n"
        "    out = []\n"
        "    for o in pages + ([page] if page is not None else []):\n"
        "        try: o[100] = 7\n"
        "        except TypeError: out.append('refused')\n"
        "        else: out.append('written')\n"
        "    return out"
    )
    assert "written" not in run(worker, program).values[0]
    address = (
        "import ctypes, mmap\n"
        "def add(x, y):\n"
        "    libc = ctypes.CDLL(None)\n"
        "    frame = __import__('sys')._getframe()\n"
        "    while frame:\n"
        "        for value in frame.f_locals.values():\n"
        "            cells = getattr(getattr(value, '__closure__', None), '__iter__', list)()\n"
        "            for cell in cells:\n"
        "                if isinstance(cell.cell_contents, memoryview):\n"
        "                    view = cell.cell_contents\n"
        "                    return [view.readonly, ctypes.c_int(x).value]\n"
        "        frame = frame.f_back\n"
        "    return 'not found'"
    )
    assert run(worker, address).values[0][0] is True


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
            worker.run(
                "import time\ndef add(x, y): time.sleep(600)",
                "add",
                "task",
                {0: SuiteLimits([600, 600], 1200)},
                lambda *_: started.set() or True,
                memory=1 << 30,
                load_limit=600,
            )
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
