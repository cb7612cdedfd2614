"""The CPU of a command is that of all its processes."""

import os
import subprocess
import sys

import measure
import pytest

BURN = "import time\nwhile time.process_time() < 0.4: pass\n"


def run(program, watched=None):
    return measure.run([sys.executable, "-c", program], os.environ, watched)


def test_a_grandchild_that_nobody_waits_for_counts():
    # The child forks a grandchild and ends at once; the command kills the grandchild through its number.
    cost = run(
        "import os, signal, time\n"
        "readable, writable = os.pipe()\n"
        "if os.fork() == 0:\n"
        "    grandchild = os.fork()\n"
        "    if grandchild == 0:\n"
        f"        exec({BURN!r})\n"
        "        os.write(writable, b'%d' % os.getpid())\n"
        "        time.sleep(60)\n"
        "    os._exit(0)\n"
        "os.kill(int(os.read(readable, 20)), signal.SIGKILL)\n"
    )
    assert cost.cpu > 0.4
    assert cost.own_cpu < 0.4


def test_the_first_content_of_a_file_is_seen_before_the_end(tmp_path):
    cost = run(f"import time\nopen({str(tmp_path / 'file')!r}, 'w').write('x')\ntime.sleep(0.5)\n", tmp_path / "file")
    assert cost.first < cost.wall


def test_a_command_that_fails_is_no_measurement():
    with pytest.raises(measure.CommandFailed, match="no such luck"):
        run("raise SystemExit('no such luck')")


def test_other_children_of_the_bench_are_left_alone():
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
        run("pass")
        assert other.poll() is None
        other.communicate(b"\n")
        assert other.returncode == 0
