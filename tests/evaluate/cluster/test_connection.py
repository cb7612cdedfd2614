"""What Ray does to the process that connects, and to its standard output."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("ray", reason="the extra ray is not installed")

from evalplus_run.evaluate.cluster.connection import connected

WAITS = "print('connected', flush=True); input()"
OURS = f"""
from evalplus_run.evaluate.cluster.connection import connected
with connected({{address!r}}, None):
    {WAITS}
"""
RAYS = f"""
import ray, time
ray.init({{address!r}}, log_to_driver=False, logging_level="ERROR")
{WAITS}
while sum(node["Alive"] for node in ray.nodes()) > 1:  # or the next test would find the dead one
    time.sleep(0.1)
"""


@pytest.fixture
def sigterms():
    """Those that came to this process's own handler."""
    told = []
    before = signal.signal(signal.SIGTERM, lambda *_: told.append(1))
    yield told
    signal.signal(signal.SIGTERM, before)


def system_hands_over(number):
    """Whether the system calls a handler; Python does not hear of it where a library takes that away."""
    (caught,) = [line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("SigCgt:")]
    return bool(int(caught.split()[1], 16) >> (number - 1) & 1)


@pytest.mark.usefixtures("judging")
def test_sigterm_stays_the_commands_own_while_it_is_connected_and_after(cluster, sigterms):
    with connected(cluster.address, None):
        signal.raise_signal(signal.SIGTERM)
    assert sigterms == [1]
    assert system_hands_over(signal.SIGTERM)


def test_sigterm_that_comes_while_ray_begins_is_the_commands_own(monkeypatch, sigterms):
    import ray

    def taken(**_):
        signal.signal(signal.SIGTERM, lambda number, _: sys.exit(number))
        signal.raise_signal(signal.SIGTERM)

    monkeypatch.setattr(ray, "init", taken)
    with connected("local", 1):
        assert sigterms == [1]


def test_ctrl_c_while_ray_begins_waits_until_its_processes_can_be_ended(monkeypatch):
    import ray

    begun = []

    def interrupted(**_):
        signal.raise_signal(signal.SIGINT)
        begun.append("through")

    monkeypatch.setattr(ray, "init", interrupted)
    monkeypatch.setattr(ray, "shutdown", lambda: begun.append("ended"))
    with pytest.raises(KeyboardInterrupt):
        with connected("local", 1):
            begun.append("connected")
    assert begun == ["through", "ended"]


@pytest.mark.slow
def test_nothing_that_ray_tells_of_a_node_that_died_comes_to_standard_output(cluster, add_node):
    dies = add_node()
    ours, rays = [driver(text.format(address=cluster.address)) for text in (OURS, RAYS)]
    assert [each.stdout.readline() for each in (ours, rays)] == ["connected\n"] * 2
    cluster.remove_node(dies, allow_graceful=False)
    assert "raylet" in rays.stdout.readline()
    told, _ = [each.communicate("\n")[0] for each in (ours, rays)]
    assert not told


def driver(text):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("RAY_")}
    pipe = subprocess.PIPE
    return subprocess.Popen([sys.executable, "-c", text], stdin=pipe, stdout=pipe, text=True, env=environment)
