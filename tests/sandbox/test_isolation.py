"""What a program cannot reach, in real children, in every tier that this machine gives."""

import os
import socket
import time
from pathlib import Path

import pytest
from running import INPUTS, run

from evalplus_run.sandbox import Ending, SuiteLimits, tiers
from evalplus_run.sandbox.worker import Worker


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
    refusals = {"PermissionError", "FileNotFoundError", "AttributeError", "ValueError", "OSError"}
    assert {kind for kind, _, _ in seen.errors} <= refusals
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


@pytest.mark.parametrize(("number", "name"), [(6, "SIGABRT"), (15, "SIGTERM"), (14, "SIGALRM")])
def test_a_program_may_signal_itself(worker, number, name):
    seen = run(worker, f"import os\ndef add(x, y):\n    os.kill(os.getpid(), {number})\n    return 1")
    assert seen.execution.ending is Ending.DIED
    assert os.waitstatus_to_exitcode(seen.execution.status) == -number


def test_an_abort_is_told_as_one(worker):
    seen = run(worker, "import os\ndef add(x, y): os.abort()")
    assert os.waitstatus_to_exitcode(seen.execution.status) == -6


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


TELLS = """
import os, threading, time

def add(x, y):
    with open("new", "w") as file:
        inode = os.fstat(file.fileno()).st_ino
    os.remove("new")
    folder, free = os.stat("."), os.statvfs(".")
    read = [os.stat(path).st_atime_ns for path in (PATH, os.__file__)]
    there = os.path.exists("/proc/1")
    found = [os.getpid(), threading.get_native_id(), inode, folder.st_atime_ns, free.f_bfree, free.f_ffree, read, there]
    return [*found, FIRST]

FIRST = [os.stat(".").st_mtime_ns, os.stat(".").st_ctime_ns > 0]
try:
    FIRST.append(time.clock_gettime((~1 << 3) | 2))
except OSError:
    pass
"""
LEAVES = """
import os, threading, fcntl, time

def add(x, y):
    threads = [threading.Thread(target=int) for _ in range(40)]
    for thread in threads:
        thread.start()
    for number in range(40):
        with open(f"made{number}", "w") as file:
            file.write("x" * 10000)
    os.listdir(".")
    open(PATH).read()
    return 0
"""


@pytest.fixture
def in_namespaces():
    """A worker whose programs are called once."""
    if tiers.why_not("namespaces"):
        pytest.skip("namespaces cannot be had here")
    with Worker("namespaces") as worker:
        worker.load("task", [[(1, 2)]])
        yield lambda program: run(worker, program, limits={0: SuiteLimits([20.0], 60.0)}).values


def test_no_counter_or_time_tells_a_program_what_ran_before_it(in_namespaces, old_file):
    path = f"PATH = {str(old_file)!r}\n"
    before = in_namespaces(path + TELLS)
    assert in_namespaces(path + LEAVES) == [0]
    assert in_namespaces(path + TELLS) == before


def test_a_file_without_a_name_counts_for_no_later_program(in_namespaces):
    makes = (
        "import os\ndef add(x, y):\n    for _ in range(9):\n"
        "        try: os.close(os.open('.', os.O_TMPFILE | os.O_RDWR))\n        except OSError: pass\n"
        "    return 0"
    )
    looks = "import os\ndef add(x, y): return os.stat(os.open('a', os.O_CREAT | os.O_RDWR)).st_ino"
    before = in_namespaces(looks)
    assert in_namespaces(makes) == [0]
    assert in_namespaces(looks) == before


@pytest.mark.parametrize("first", ["def add(x, y): return 0", "def add(x, y): open('new', 'w').close()"])
def test_the_age_of_the_folder_does_not_tell_whether_it_was_touched(in_namespaces, first):
    time.sleep(0.1)
    begun = time.time_ns()
    in_namespaces(first)
    [made] = in_namespaces("import os\ndef add(x, y): return os.stat('.').st_ctime_ns")
    # Times of files come from a clock that is a little behind.
    assert made > begun - 20_000_000


def test_what_cannot_be_read_cannot_be_seen_where_there_are_namespaces(tmp_path):
    if tiers.why_not("namespaces"):
        pytest.skip("namespaces cannot be had here")
    (tmp_path / "verdicts.jsonl").write_text("known by its length")
    seen = "import os\ndef add(x, y): return [os.path.lexists(path) for path in PATHS]\nPATHS = "
    hidden = [str(tmp_path / "verdicts.jsonl"), str(tmp_path), "/proc", "/sys", "/home", "/etc/passwd", "/usr/bin"]
    with Worker("namespaces") as worker:
        worker.load("task", INPUTS)
        assert run(worker, seen + repr(hidden)).values[0] == [False] * len(hidden)
        assert run(worker, seen + repr([os.__file__, "/dev/null"])).values[0] == [True, True]


@pytest.fixture
def old_file():
    """A file that programs may read, read last so long ago that the system would note another reading."""
    path = Path(os.__file__).with_name("this.py")
    before = path.stat()
    try:
        os.utime(path, ns=(before.st_mtime_ns - 10**9, before.st_mtime_ns))
    except PermissionError:
        pytest.skip("the standard library's files are another user's")
    yield path
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def test_a_lock_on_a_file_that_all_can_read_is_not_seen(worker):
    program = (
        "import fcntl, os, struct\nhere = os.open('/dev/null', os.O_RDWR)\n"
        "def add(x, y):\n"
        "    fcntl.lockf(here, fcntl.LOCK_EX)\n"
        "    try: fcntl.fcntl(here, fcntl.F_GETLK, struct.pack('hhqqi', fcntl.F_WRLCK, 0, 0, 0, 0))\n"
        "    except OSError: return 'not told'\n"
    )
    seen = run(worker, program)
    assert set(seen.values) in ({"not told"}, set())
