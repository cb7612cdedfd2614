import os
import signal
import threading
import time
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest
from small_tasks import RULES, TIER, task

from evalplus_run.conformance.processes import descendants
from evalplus_run.evaluate import sharing_pool, workers
from evalplus_run.evaluate.cache import VerdictCache
from evalplus_run.evaluate.judging import Rules, shape_key, unrun, verdict_key
from evalplus_run.evaluate.local import LocalPool
from evalplus_run.evaluate.pool import longest_first, needs_another_try
from evalplus_run.evaluate.settings import EvaluateSettings
from evalplus_run.records import Outcome, Program, RunFailed
from evalplus_run.sandbox.any_worker import HostFault, WorkerDied

GOOD = "def f(x): return x + 1"


def program(text=GOOD, index=0):
    return Program("Test/0", index, text)


def timed_out(tests):
    """What a first try came to that was not final at all."""
    return unrun(program(), tests, RULES, Outcome.TIMEOUT)


@pytest.fixture
def pool():
    with LocalPool(RULES, workers=2) as pool:
        yield pool


def ready(pool, made=None):
    return pool.prepare([made or task()])[0].result()


def test_many_programs_each_get_their_own_verdict(pool):
    tests = ready(pool)
    futures = [pool.submit(tests, program(f"def f(x): return x + {n % 3}", n)) for n in range(30)]
    verdicts = [future.result() for future in futures]
    assert [verdict.index for verdict in verdicts] == list(range(30))
    assert [verdict.evalplus.passed for verdict in verdicts] == [n % 3 == 1 for n in range(30)]


def test_whatever_goes_wrong_in_judging_is_answered(pool, monkeypatch):
    tests = ready(pool)

    def fail(*_):
        raise RuntimeError("no shape")

    monkeypatch.setattr(sharing_pool, "shape_key", fail)
    with pytest.raises(RuntimeError, match="no shape"):
        pool.submit(tests, program()).result(timeout=60)


def test_the_line_of_a_syntax_error_is_told(pool):
    assert pool.submit(ready(pool), program("x = 1\n\ndef f(x)\n")).result().evalplus.base.line == 3


def test_a_reference_that_fails_is_raised(pool):
    with pytest.raises(RunFailed, match="Test/0"):
        ready(pool, task("def f(x): return 1 // 0"))


def test_a_worker_that_is_killed_is_replaced_and_its_program_judged_again(pool, monkeypatch):
    tests = ready(pool)
    killed = []
    real = workers.judge

    def kill_once(worker, *rest, **how):
        if not killed:
            killed.append(worker)
            worker.kill()
        return real(worker, *rest, **how)

    monkeypatch.setattr(workers, "judge", kill_once)
    assert pool.submit(tests, program()).result().evalplus.passed
    assert pool.submit(tests, program()).result().evalplus.passed


def test_a_program_whose_worker_dies_twice_is_a_crash_and_the_others_go_on(pool, monkeypatch):
    tests = ready(pool)
    real = workers.judge

    def kill(worker, tests, judged, rules, **how):
        if judged.index == 7:
            raise WorkerDied("its last words")
        return real(worker, tests, judged, rules, **how)

    monkeypatch.setattr(workers, "judge", kill)
    texts = [f"def f(x): return x + 1 + {n} - {n}" for n in range(10)]
    verdicts = [future.result() for future in [pool.submit(tests, program(texts[n], n)) for n in range(10)]]
    assert [verdict.index for verdict in verdicts if not verdict.evalplus.passed] == [7]
    assert verdicts[7].evalplus.base.outcome is Outcome.CRASH


def test_what_needs_more_than_a_first_try_gives_passes_in_the_end(pool):
    tests = ready(pool)
    slow = program(
        "import time\ndef f(x):\n    end = time.thread_time() + 0.5 * (x == 2)\n"
        "    while time.thread_time() < end: pass\n    return x + 1"
    )
    first = pool.submit(tests, slow).result()
    assert first.evalplus.base.outcome is Outcome.TIMEOUT
    assert pool.again(tests, slow, first).result().evalplus.passed


def test_a_second_try_mends_nothing_but_the_time_out(pool):
    tests = ready(pool)
    learns = program("def f(x):\n    while x > 2: pass\n    return 0")
    first = pool.submit(tests, learns).result()
    assert (first.evalplus.base.outcome, first.evalplus.plus.outcome) == ("wrong", "timeout")
    # As if it had found out that this is its second try, and answered rightly now.
    second = pool.again(tests, program(GOOD), first).result()
    assert (second.evalplus.base.outcome, second.evalplus.plus.outcome) == ("wrong", "pass")
    assert (second.strict.base.outcome, second.strict.plus.outcome) == ("wrong", "pass")


def test_a_time_out_asks_for_another_try_and_nothing_else_does(pool):
    tests = ready(pool)
    assert needs_another_try(pool.submit(tests, program("def f(x):\n    while True: pass")).result())
    assert not needs_another_try(pool.submit(tests, program("def f(x): return 0")).result())


def test_another_try_runs_with_few_neighbours():
    with LocalPool(RULES, workers=4) as pool:
        tests = ready(pool)
        running, most = [], []
        lock = threading.Lock()
        real = pool._workers.call

        def watched(*arguments, **how):
            with lock:
                running.append(1)
                most.append(len(running))
            try:
                return real(*arguments, **how)
            finally:
                with lock:
                    running.pop()

        pool._workers.call = watched
        texts = [f"def f(x): return x + 1 + {n} - {n}" for n in range(6)]
        futures = [
            pool.again(tests, program(text, n), timed_out(tests), alone=n % 2 == 0) for n, text in enumerate(texts)
        ]
        assert all(future.result().evalplus.passed for future in futures)
        assert max(most) == 1


def test_what_the_machine_had_no_room_for_is_tried_again_without_neighbours(monkeypatch):
    monkeypatch.setattr(workers, "_ALONE", 1)
    with LocalPool(RULES, workers=4) as pool:
        tests = ready(pool)
        running, seen = [], []
        real = pool._workers.call

        def watched(work, tests, judged, rules):
            running.append(judged.index)
            seen.append((judged.index, len(running)))
            time.sleep(0.05)
            try:
                return real(work, tests, judged, rules)
            finally:
                seen.append((judged.index, len(running)))
                running.remove(judged.index)

        pool._workers.call = watched
        texts = [f"def f(x): return x + 1 + {n} - {n}" for n in range(12)]
        futures = [pool.again(tests, program(text, n), timed_out(tests), alone=n == 6) for n, text in enumerate(texts)]
        assert all(future.result().evalplus.passed for future in futures)
        assert {others for index, others in seen if index == 6} == {1}
        assert max(others for _, others in seen) > 1


def test_longest_references_come_first(pool):
    slow = ready(pool, task("def f(x):\n    n = 0\n    while n < 5_000_000: n += 1\n    return x"))
    quick = ready(pool)
    assert longest_first([quick, slow]) == [slow, quick]


def test_equal_programs_on_equal_tests_are_judged_once(tmp_path, monkeypatch):
    judged = []
    real = workers.judge
    monkeypatch.setattr(
        workers, "judge", lambda worker, *rest, **how: judged.append(rest) or real(worker, *rest, **how)
    )
    for index in range(2):
        with VerdictCache(tmp_path / "v.sqlite") as cache, LocalPool(RULES, workers=1, cache=cache) as pool:
            verdict = pool.submit(ready(pool), program(index=index)).result()
        assert (verdict.index, verdict.evalplus.passed) == (index, True)
    assert len(judged) == 1


def test_programs_with_equal_trees_are_run_once_and_told_their_own_lines(pool, monkeypatch):
    judged = []
    real = workers.judge
    monkeypatch.setattr(
        workers, "judge", lambda worker, *rest, **how: judged.append(rest) or real(worker, *rest, **how)
    )
    tests = ready(pool)
    texts = ["def f(x):\n    return [][x]", "# a comment\n\ndef f(x):\n\n    return [] [x]  # another"] * 20
    verdicts = [future.result() for future in [pool.submit(tests, program(t, n)) for n, t in enumerate(texts)]]
    assert len(judged) == 1
    assert [verdict.evalplus.base.line for verdict in verdicts] == [2, 5] * 20
    assert [verdict.index for verdict in verdicts] == list(range(40))
    assert [verdict.key for verdict in verdicts[:2]] == [
        verdict_key(program(text), tests, pool._rules) for text in texts[:2]
    ]


def test_equal_programs_that_run_out_of_time_are_tried_again_once(pool, monkeypatch):
    judged = []
    real = workers.judge
    monkeypatch.setattr(
        workers, "judge", lambda worker, *rest, **how: judged.append(rest) or real(worker, *rest, **how)
    )
    tests = ready(pool)
    slow = [program(f"def f(x):\n    while True: pass  # {n}", n) for n in range(6)]
    for ask in (pool.submit, partial(pool.again, first=timed_out(tests))):
        verdicts = [future.result() for future in [ask(tests, each) for each in slow]]
        assert {verdict.evalplus.base.outcome for verdict in verdicts} == {Outcome.TIMEOUT}
    assert len(judged) == 2


def test_a_host_that_cannot_begin_a_program_stops_the_run(pool, monkeypatch):
    tests = ready(pool)

    def fail(*_, **how):
        raise HostFault("no process could be made")

    monkeypatch.setattr(workers, "_PAUSE", 0.0)
    monkeypatch.setattr(workers, "judge", fail)
    with pytest.raises(RunFailed, match="no process could be made"):
        pool.submit(tests, program()).result()


def test_a_host_that_fails_once_costs_no_verdict(pool, monkeypatch):
    tests = ready(pool)
    faults = [HostFault("out of processes"), HostFault("still")]
    real = workers.judge

    def fail(*arguments, **how):
        if faults:
            raise faults.pop()
        return real(*arguments, **how)

    monkeypatch.setattr(workers, "judge", fail)
    assert pool.submit(tests, program()).result().evalplus.passed


def test_a_reference_whose_worker_dies_twice_stops_the_run(pool, monkeypatch):
    def die(*_):
        raise WorkerDied("its last words")

    monkeypatch.setattr(workers, "prepare", die)
    with pytest.raises(RunFailed, match="Test/0.*its last words"):
        ready(pool)


@pytest.mark.parametrize("text", ["x = 0x" + "f" * 5000 + "\ndef f(x): return x + 1", "def f(x): return x + '\ud800'"])
def test_a_text_that_cannot_be_written_down_gets_its_answer(pool, text):
    tests = ready(pool)
    assert pool.submit(tests, program(text)).result(timeout=60).evalplus.base.outcome is not Outcome.HOST_FAULT


def test_whatever_goes_wrong_is_answered(pool, monkeypatch):
    tests = ready(pool)

    def fail(*_, **how):
        raise LookupError("unforeseen")

    monkeypatch.setattr(sharing_pool, "shape_key", fail)
    with pytest.raises(LookupError, match="unforeseen"):
        pool.submit(tests, program()).result(timeout=60)


def test_a_time_out_is_not_kept(tmp_path):
    with VerdictCache(tmp_path / "v.sqlite") as cache, LocalPool(RULES, workers=1, cache=cache) as pool:
        tests, slow = ready(pool), program("def f(x):\n    while True: pass")
        pool.submit(tests, slow).result()
        assert cache.find(shape_key(slow, tests, RULES)) is None


@pytest.mark.parametrize(
    "rules",
    [
        Rules(2 << 30, RULES.evaluate, TIER),
        Rules(RULES.memory, EvaluateSettings(min_time_limit=2.0), TIER),
        Rules(RULES.memory, EvaluateSettings(min_time_limit=1.0, details=True), TIER),
        Rules(RULES.memory, RULES.evaluate, "rlimits"),
    ],
)
def test_other_rules_are_another_key(pool, rules):
    tests = ready(pool)
    assert verdict_key(program(), tests, rules) != verdict_key(program(), tests, RULES)


def test_what_the_sanitizer_found_unfit_is_told_apart_though_the_texts_are_equal(tmp_path):
    with VerdictCache(tmp_path / "v.sqlite") as cache, LocalPool(RULES, workers=1, cache=cache) as pool:
        tests = ready(pool)
        for outcome in (Outcome.EMPTY, Outcome.NO_CODE, Outcome.TRUNCATED, Outcome.REFUSED):
            judged = pool.submit(tests, Program("Test/0", 0, "", outcome)).result()
            assert judged.evalplus.base.outcome is outcome


def has_run(pid):
    """Whether a process has used CPU time: a child that has not would be the host's fault."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return False
    return int(fields[11]) + int(fields[12]) > 5


def test_what_the_system_kills_is_tried_again_and_then_the_programs_own_fault():
    done = threading.Event()
    with LocalPool(Rules(1 << 30, EvaluateSettings(min_time_limit=60.0), TIER), workers=1) as pool:
        tests = ready(pool)
        workers = descendants().keys()

        def kill_children():
            while not done.wait(0.01):
                for pid in filter(has_run, descendants().keys() - workers):
                    os.kill(pid, signal.SIGKILL)

        killer = threading.Thread(target=kill_children)
        killer.start()
        try:
            endless = program("def f(x):\n    while True: pass")
            first = pool.submit(tests, endless).result()
            second = pool.again(tests, endless, first, alone=True).result()
        finally:
            done.set()
            killer.join()
    assert first.evalplus.base.outcome is Outcome.HOST_FAULT
    assert needs_another_try(first)
    assert second.evalplus.base.outcome is Outcome.MEMORY


def test_a_pool_that_is_closed_does_not_wait_for_its_programs():
    pool = LocalPool(Rules(1 << 30, EvaluateSettings(min_time_limit=3600.0), TIER), workers=2)
    tests = ready(pool)
    endless = [pool.submit(tests, program("def f(x):\n    while True: pass", n)) for n in range(4)]
    while not any(future.running() for future in endless):
        pass
    pool.close()
    assert all(future.done() for future in endless)


def test_a_broken_cache_file_is_done_without(tmp_path):
    (tmp_path / "v.sqlite").write_bytes(b"not a database" * 100)
    with VerdictCache(tmp_path / "v.sqlite") as cache, LocalPool(RULES, workers=1, cache=cache) as pool:
        assert pool.submit(ready(pool), program()).result().evalplus.passed


def policies(besides):
    """Those of the zygotes, and of what they forked, that are not among some processes."""
    found = set()
    for pid in descendants().keys() - besides:
        with suppress(OSError):
            if b"sandbox/guest" in Path(f"/proc/{pid}/cmdline").read_bytes():
                found.add(os.sched_getscheduler(pid))
    return found


@pytest.mark.skipif(not hasattr(os, "SCHED_IDLE"), reason="the system has no such priority")
def test_programs_give_way_to_others_for_as_long_as_they_are_told_to():
    others = descendants().keys()
    with LocalPool(RULES, workers=1) as pool:
        tests = ready(pool)
        seen = []
        for number, gives in enumerate((False, True, True, False)):
            pool.give_way(gives)
            assert pool.submit(tests, program(f"{GOOD}\nkept = {number}", number)).result().evalplus.passed
            seen.append(policies(others))
    assert seen == [{os.SCHED_OTHER}, {os.SCHED_IDLE}, {os.SCHED_IDLE}, {os.SCHED_OTHER}]
