"""The runner itself, where promises are broken: by false promises, and in a tier that isolates nothing."""

import os
from pathlib import Path

import pytest

from evalplus_run.conformance import conform
from evalplus_run.conformance.catalogue import parse
from evalplus_run.conformance.surroundings import surroundings
from evalplus_run.files import CACHE_VARIABLE
from evalplus_run.sandbox import tiers
from evalplus_run.sandbox.settings import SandboxSettings

TIER = tiers.choose_tier(SandboxSettings(allow_unsafe=True))


def broken(body, promise="never passes", tier="none", **fields):
    return run(body, promise, tier, **fields)[0].broken


def run(*bodies_and_rest, **fields):
    *bodies, promise, tier = bodies_and_rest
    more = "".join(f"# {name.replace('_', ' ')}: {text}\n" for name, text in fields.items())
    head = f"# says: what it tries\n# promise: {promise}\n{more}"
    return list(conform(tier, programs=[parse(f"kind/{number}", head + body) for number, body in enumerate(bodies)]))


@pytest.mark.parametrize(
    ("body", "promise", "told"),
    [
        ("def f(x): return x * x + 1", "never passes", "pass"),
        ("def f(x): return x * x + 1 if x < 20 else 0", "never passes", "pass"),
        ("def f(x): return 0", "passes", "wrong"),
        ("def f(x): return 1 / 0", "wrong or crash", "ZeroDivisionError"),
        ("def f(x):\n    while True: pass", "crash", "CPU time"),
    ],
)
def test_a_promise_that_is_not_kept_is_told(body, promise, told):
    assert any(told in sentence for sentence in broken(body, promise, TIER))


@pytest.mark.parametrize(
    ("body", "promise"),
    [
        ("def f(x): return x * x + 1", "passes"),
        ("def f(x): return 0", "never passes"),
        ("def f(x): return 0", "crash or wrong"),
        ("import os\nos._exit(0)", "any outcome"),
    ],
)
def test_nothing_is_told_where_a_promise_is_kept(body, promise):
    assert broken(body, promise, TIER) == ()


def test_a_file_with_the_runs_mark_is_told_once_and_removed():
    program = "import os\nos.mkdir('/tmp/@TOKEN@')\nopen('/tmp/@TOKEN@/a', 'w').close()\ndef f(x): return 0"
    first, second = run(program, "def f(x): return 0", "any outcome", "none")
    (sentence,) = {each for each in first.broken if each.startswith("it left /tmp/")}
    assert second.broken == ()
    assert not Path(sentence.removeprefix("it left ")).exists()


def test_a_pipe_that_is_left_holds_nobody_up():
    assert any("it left" in each for each in broken("import os\nos.mkfifo('/tmp/@TOKEN@')\ndef f(x): return 0"))


def test_a_process_that_is_left_is_told_and_ended():
    program = (
        "import os, time\n"
        "def f(x):\n"
        "    if os.fork() == 0:\n"
        "        os.setsid()\n"
        "        if os.fork() == 0: time.sleep(600)\n"
        "        os._exit(0)\n"
        "    return 0"
    )
    (sentence,) = [each for each in broken(program) if "left the process" in each][:1]
    pid = int(sentence.rpartition("(")[2].rstrip(")"))
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


@pytest.mark.parametrize(
    ("program", "listener"),
    [
        ("socket.create_connection(('127.0.0.1', int('@TCP@')))", "TCP"),
        ("socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', int('@UDP@')))", "UDP"),
        ("socket.socket(socket.AF_UNIX).connect('@FOLDER@/stream')", "unix stream"),
        ("socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b'x', '@FOLDER@/datagram')", "unix datagram"),
        ("socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b'x', '\\0@TOKEN@')", "abstract"),
    ],
)
def test_a_socket_that_is_reached_is_told(program, listener):
    found = broken(f"import socket\ndef f(x):\n    {program}\n    return 0")
    assert set(found) == {f"it reached the {listener} socket"}


def test_a_changed_benchmark_is_told_and_put_right():
    spoil = "import os\ndef f(x):\n    os.truncate('@BENCHMARK@', 0)\n    return 0"
    read = "import json\ndef f(x): return json.load(open('@BENCHMARK@'))['canonical_solution']"
    first, second = run(spoil, read, "never passes", "none", task="sealed")
    assert first.broken == ("it changed files of its user",)
    assert "pass" in second.broken[0]


def test_an_ended_process_is_told():
    assert "it ended another process" in broken(
        "import os\ndef f(x):\n    os.kill(int('@BYSTANDER@'), 9)\n    return 0"
    )


def test_a_lost_worker_is_told_and_the_next_program_gets_another():
    kill = "import os\ndef f(x):\n    os.kill(os.getppid(), 9)\n    return 0"
    first, second = run(kill, "def f(x): return 0", "never passes", "none")
    assert "its worker was lost" in first.broken[0]
    assert second.broken == ()


def test_a_program_that_spoils_the_next_one_is_told():
    late = (
        "import os, select\n"
        "zygote = os.getppid()\n"
        "def f(x):\n"
        "    if x == 3 and os.fork() == 0:\n"
        "        select.select([], [], [], 0.3)\n"
        "        os.kill(zygote, 9)\n"
        "        os._exit(0)\n"
        "    return 0"
    )
    assert any(each.startswith("a right program judged next: its worker was lost") for each in broken(late))


def test_a_program_is_judged_as_often_as_it_asks_for():
    (finding,) = run("def f(x): return 0", "wrong", TIER, runs=3)
    assert len(finding.outcomes) == 6


def test_a_program_is_not_run_in_a_tier_that_leaves_it_out():
    assert run("def f(x): return 0", "passes", TIER, not_in=TIER) == []


def test_nothing_of_the_surroundings_is_left(monkeypatch):
    monkeypatch.setenv(CACHE_VARIABLE, "/nowhere")
    monkeypatch.delenv("EVALPLUS_RUN_CONFORMANCE_SECRET", raising=False)
    before = dict(os.environ)
    with surroundings() as around:
        assert around.secret in os.environ["EVALPLUS_RUN_CONFORMANCE_SECRET"]
        benchmark = Path(around.fill_in("@BENCHMARK@"))
        assert around.secret in benchmark.read_text()
    assert dict(os.environ) == before
    assert not benchmark.parent.exists()
