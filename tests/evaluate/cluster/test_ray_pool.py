"""Verdicts of a cluster, whatever becomes of its nodes, are those of the pool on this machine."""

import os
import signal
import threading
import time
from concurrent.futures import CancelledError
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from small_tasks import task

from evalplus_run.conformance.processes import descendants
from evalplus_run.evaluate.judging import each_suite
from evalplus_run.evaluate.local import LocalPool
from evalplus_run.evaluate.pool import needs_another_try, wants_to_be_alone
from evalplus_run.records import Outcome, Program, RunFailed

SLEEPS = "import time\ndef f(x):\n    time.sleep(0.1)\n    return x + 1 + {n} - {n}"
TEXTS = [
    "def f(x): return x + 1",
    "def f(x): return x + {n}",
    "def f(x): return [][x] if x > {n} else x + 1",
    "def f(x): return x +",
    "def f(x):\n    while x > 2: pass\n    return x + 1 + {n} - {n}",
    "def g(x): return {n}",
    "def f(x): return x + '\ud800'",
    "import os\ndef f(x): os._exit({n})",
]


def programs(texts, number):
    return [Program("Test/0", n, texts[n % len(texts)].format(n=n)) for n in range(number)]


def without_seconds(verdicts):
    """CPU times differ from run to run."""
    return [each_suite(verdict, lambda suite: replace(suite, cpu_seconds=0.0)) for verdict in verdicts]


def verdicts_of(pool, tests, asked):
    return [future.result() for future in [pool.submit(tests, program) for program in asked]]


def local_verdicts(rules, asked):
    with LocalPool(rules, workers=2) as pool:
        return without_seconds(verdicts_of(pool, pool.prepare([task()])[0].result(), asked))


def until(is_true, seconds=60):
    end = time.monotonic() + seconds
    while not is_true():
        assert time.monotonic() < end
        time.sleep(0.02)


def judges():
    """The processes of the actors."""
    for pid in descendants():
        with suppress(OSError):
            if Path(f"/proc/{pid}/cmdline").read_bytes().startswith(b"ray::Node"):
                yield pid


def signal_all(number, pids):
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, number)


@pytest.mark.parametrize("nodes", [1, 2])
def test_verdicts_are_those_of_the_local_pool(judging, add_node, nodes):
    for _ in range(nodes - 1):
        add_node()
    asked = programs(TEXTS, 48)
    with judging() as (_, pool, rules, _):
        until(lambda: pool.workers == nodes)
        pool.give_way(nodes > 1)
        tests = pool.prepare([task()])[0].result()
        found = without_seconds(verdicts_of(pool, tests, asked))
    assert found == local_verdicts(rules, asked)
    assert len({verdict.evalplus.base.outcome for verdict in found}) > 4


def test_a_node_that_dies_and_one_that_joins_lose_and_move_nothing(cluster, judging, add_node):
    dies, asked = add_node(), programs([SLEEPS, *TEXTS], 54)
    with judging() as (executor, pool, rules, said):
        until(lambda: pool.workers == 2)
        tests = pool.prepare([task()])[0].result()
        futures = [pool.submit(tests, program) for program in asked]
        until(lambda: sum(future.done() for future in futures) > 10)
        cluster.remove_node(dies, allow_graceful=False)
        until(lambda: pool.workers == 1)
        joined = add_node()
        until(lambda: pool.workers == 2)
        found = without_seconds([future.result() for future in futures])
        nodes = {node["node"]: node for node in executor.nodes}
    assert found == local_verdicts(rules, asked)
    assert nodes[dies.node_id]["lost"]
    assert nodes[joined.node_id]["tier"] == rules.tier
    assert not nodes[joined.node_id]["left_out"]
    assert any("is lost" in text for text in said)


@pytest.mark.slow
def test_a_program_that_takes_its_nodes_along_is_told_apart_from_those_beside_it(judging, add_node):
    for _ in range(3):
        add_node()
    with judging(limit=3600.0) as (_, pool, _, _):
        until(lambda: pool.workers == 4)
        tests = pool.prepare([task()])[0].result()
        endless = Program("Test/0", 0, "def f(x):\n    while True: pass")
        first = killed_twice(pool.submit(tests, endless))
        assert first.evalplus.base.outcome is Outcome.HOST_FAULT
        assert needs_another_try(first)
        assert wants_to_be_alone(first)
        assert killed_twice(pool.again(tests, endless, first, alone=True)).strict.plus.outcome is Outcome.MEMORY


def killed_twice(future):
    """The verdict on a program, each of whose nodes dies while it runs; nothing that ran there outlives them."""
    for _ in range(2):
        kill_the_busy()
    return future.result(timeout=60)


def kill_the_busy():
    """An actor that runs something, with all that it runs."""
    busy = []
    until(lambda: busy.extend(pid for pid in judges() if runs_something(pid)) or busy)
    theirs = below(busy[0], processes())
    os.kill(busy[0], signal.SIGKILL)
    until(lambda: not any(Path(f"/proc/{pid}/cmdline").exists() for pid in theirs))


def processes():
    """Of each its parent, and its CPU time in ticks."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, IndexError, ValueError):
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            found[int(folder.name)] = (int(fields[1]), int(fields[11]) + int(fields[12]))
    return found


def below(root, processes):
    """A process and all that descend from it."""
    found, more = set(), {root}
    while more:
        found |= more
        more = {pid for pid, (parent, _) in processes.items() if parent in found} - found
    return found


def runs_something(pid):
    """Whether a program below the process takes CPU time."""
    before = processes()
    time.sleep(0.2)
    after = processes()
    return sum(after[each][1] - before.get(each, (0, 0))[1] for each in below(pid, after) - {pid}) > 10


@pytest.mark.usefixtures("at_once")
def test_a_node_whose_actor_dies_while_it_opens_has_another(judging):
    with judging(offered=lambda: signal_all(signal.SIGSTOP, judges())) as (executor, pool, _, said):
        assert pool.workers == 0
        signal_all(signal.SIGKILL, judges())
        tests = pool.prepare([task()])[0].result(timeout=60)
        assert pool.submit(tests, programs(TEXTS, 1)[0]).result(timeout=60).evalplus.passed
        assert ["tried again" in text for text in said] == [True]
        assert not executor.warnings


@pytest.mark.usefixtures("at_once")
def test_a_node_whose_actors_all_die_is_given_up_aloud_and_another_does_its_work(judging, add_node):
    with judging(offered=lambda: signal_all(signal.SIGSTOP, judges())) as (executor, pool, _, said):
        waits = pool.prepare([task()])[0]
        killed = set()
        while not executor.warnings:
            killed |= {*judges()}
            signal_all(signal.SIGKILL, killed)
        assert len(killed) == 3
        assert ["tried again" in text for text in said] == [True, True, False]
        assert "left out: 3 times in a row it was lost before it could judge" in said[-1]
        assert not waits.done()
        add_node()
        assert waits.result(timeout=60).task == task()


def test_a_node_that_dies_idle_is_missed_before_any_job_goes_to_it(judging):
    with judging() as (_, pool, _, said):
        until(lambda: pool.workers == 1)
        signal_all(signal.SIGKILL, judges())
        until(lambda: pool.workers == 0)
        assert any("is lost" in text for text in said)


@pytest.mark.slow
@pytest.mark.usefixtures("at_once")
def test_nodes_that_all_die_while_a_reference_waits_do_not_fail_it(judging, add_node):
    for _ in range(2):
        add_node()
    with judging() as (_, pool, _, said):
        until(lambda: pool.workers == 3)
        signal_all(signal.SIGSTOP, judges())
        waits = pool.prepare([task()])[0]
        signal_all(signal.SIGKILL, judges())
        assert waits.result(timeout=60).task == task()
        until(lambda: sum("is lost" in text for text in said) == 3)


@pytest.mark.slow
@pytest.mark.usefixtures("at_once")
def test_a_reference_that_takes_all_its_nodes_along_fails_the_run(judging):
    with judging() as (_, pool, _, _):
        waits = pool.prepare([task("def f(x):\n    while True: pass")])[0]
        for _ in range(4):
            kill_the_busy()
        with pytest.raises(RunFailed, match="The reference of Test/0 fails.*the nodes that ran it alone died"):
            waits.result(timeout=60)


def test_what_a_node_has_in_flight_is_bounded(judging):
    with judging() as (_, pool, _, _):
        until(lambda: pool.workers == 1)
        tests = pool.prepare([task()])[0].result()
        futures = [pool.submit(tests, program) for program in programs([SLEEPS], 6)]
        most = 0
        while not all(future.done() for future in futures):
            most = max(most, *(len(jobs) for jobs in [*pool._dispatch._under_way.values()]))
            time.sleep(0.005)
    assert most == 2


def test_a_reference_that_fails_on_a_node_is_told_as_here(judging):
    with judging() as (_, pool, _, _), pytest.raises(RunFailed, match="The reference of Test/0 fails") as error:
        pool.prepare([task("def f(x): return 1 // 0")])[0].result(timeout=60)
    assert "Traceback" not in str(error.value)


def test_a_pool_that_is_closed_answers_all_that_wait_and_leaves_no_process(judging):
    with judging(limit=3600.0) as (_, pool, _, _):
        tests = pool.prepare([task()])[0].result()
        endless = [pool.submit(tests, program) for program in programs(["def f(x):\n    while {n} + 1: pass"], 6)]
        until(lambda: any(runs_something(pid) for pid in judges()))
        pool.close()
        assert all(isinstance(future.exception(timeout=0), CancelledError) for future in endless)
    until(lambda: not [*judges()])
    assert threading.active_count() < 20


def test_a_task_goes_into_the_store_once_for_all_its_programs(judging, monkeypatch):
    import ray

    put = []
    real = ray.put
    with judging() as (_, pool, _, _):
        tests = pool.prepare([task()])[0].result()
        monkeypatch.setattr(ray, "put", lambda value: put.append(value) or real(value))
        verdicts_of(pool, tests, programs(TEXTS, 24))
    assert len(put) == 1
