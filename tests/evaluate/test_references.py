import shutil
from dataclasses import replace

import pytest
from small_tasks import RULES, task

from evalplus_run.benchmarks import DatasetSettings, load
from evalplus_run.evaluate import references
from evalplus_run.evaluate.references import prepare, timed_here, with_recorded_inputs
from evalplus_run.files import cache_folder
from evalplus_run.records import RunFailed


def test_what_a_reference_returns_is_kept_and_not_run_again(worker, monkeypatch):
    first = prepare(worker, task(), RULES)
    monkeypatch.setattr(references, "run_reference", None)
    again = prepare(worker, task(), RULES)
    assert [suite.expected for suite in again.suites] == [suite.expected for suite in first.suites]


@pytest.mark.parametrize("kind", ["values", "times"])
def test_a_kept_file_that_was_cut_off_is_made_again(worker, kind):
    first = prepare(worker, task(), RULES)
    (path,) = cache_folder("references").rglob(f"*.{kind}")
    path.write_bytes(path.read_bytes()[:5])
    again = prepare(worker, task(), RULES)
    assert [suite.expected for suite in again.suites] == [suite.expected for suite in first.suites]
    assert len(path.read_bytes()) > 5
    assert [first.made_again, again.made_again, prepare(worker, task(), RULES).made_again] == [False, True, False]


def test_another_input_makes_another_key(worker):
    assert prepare(worker, task(), RULES).key != prepare(worker, task(base=((5,),)), RULES).key


def test_times_are_kept_by_machine_apart_from_values(worker, monkeypatch):
    prepare(worker, task(), RULES)
    monkeypatch.setattr(references.platform, "node", lambda: "another")
    prepare(worker, task(), RULES)
    assert len(list(cache_folder("references").rglob("*.times"))) == 2
    assert len(list(cache_folder("references").rglob("*.values"))) == 1


def test_a_cache_that_cannot_be_written_is_done_without(worker, monkeypatch, tmp_path):
    (tmp_path / "file").touch()
    monkeypatch.setenv("EVALPLUS_RUN_CACHE", str(tmp_path / "file"))
    assert prepare(worker, task(), RULES).suites


@pytest.mark.parametrize(
    ("reference", "why"),
    [
        ("def f(x): return 1 // 0", "ZeroDivisionError"),
        ("def g(x): return 1", "defines no such function"),
        ("def f(x): return 'a' * (2 << 30)", "over 1024 MiB of memory"),
        ("def f(x): return object()", "cannot be compared"),
        ("import random\ndef f(x): return random.random()", "run again, it is wrong"),
        ("import os\ndef f(x): os._exit(0)", "died"),
        ("def f(x:", "SyntaxError"),
        ("def f(x): return [object()] * 20000", "cannot be compared"),
    ],
)
def test_a_reference_that_fails_stops_the_run_and_is_named(worker, reference, why):
    with pytest.raises(RunFailed, match=rf"reference of Test/0 fails.*{why}"):
        prepare(worker, task(reference), RULES)


def test_the_worker_goes_on_after_a_reference_that_failed(worker):
    with pytest.raises(RunFailed):
        prepare(worker, task("def f(x): return object()"), RULES)
    assert prepare(worker, task(), RULES).suites


def test_inputs_that_cannot_be_sent_are_told(worker):
    check = "def check(candidate):\n    from decimal import Decimal\n    assert candidate(Decimal(1)) == 2\n"
    with pytest.raises(RunFailed, match="cannot be sent to a program"):
        prepare(worker, task(base=(), plus=(), check=check), RULES)


def test_a_slow_reference_gets_a_limit_in_proportion(worker):
    slow = "def f(x):\n    n = 0\n    while n < 12_000_000 * (x == 2): n += 1\n    return x + 1\n"
    suite = prepare(worker, task(slow), RULES).suites[0]
    assert suite.limits.tests[0] == RULES.evaluate.min_time_limit
    assert suite.limits.tests[1] > RULES.evaluate.min_time_limit


def test_a_reference_that_moves_a_limit_is_timed_on_each_machine_and_no_other_is(worker):
    there = prepare(worker, task(), RULES)
    assert timed_here(worker, there.task, there.key, there.expected, RULES) is there.expected
    slow = replace(there.expected, cpu_seconds={"base": {0: 5.0}, "plus": {}}, total_cpu_seconds={"base": 5.0})
    shutil.rmtree(cache_folder("references"))
    here = timed_here(worker, there.task, there.key, slow, RULES)
    assert here.values == slow.values
    assert 0 < here.total_cpu_seconds["base"] < 1
    assert not here.cpu_seconds["base"]


def test_a_check_in_place_of_inputs_has_its_inputs_recorded(worker):
    made = load(DatasetSettings(name="humaneval", tasks=("HumanEval/0",))).tasks[0]
    assert made.base_inputs == ()
    tests = prepare(worker, made, RULES)
    assert tests.task.base_inputs[0] == ([1.0, 2.0, 3.9, 4.0, 5.0, 2.2], 0.3)
    assert with_recorded_inputs(made).base_inputs == tests.task.base_inputs


def test_recorded_dictionaries_keep_the_order_of_their_keys(worker):
    check = "def check(candidate):\n    candidate([{'p': 1, 'b': {2: 3, 1: (4,)}}])\n"
    made = task("def f(x): return [*x[0]]", base=(), plus=(), check=check)
    kept = prepare(worker, made, RULES).task
    assert repr(kept.base_inputs) == "(([{'p': 1, 'b': {2: 3, 1: (4,)}}],),)"
    assert repr(with_recorded_inputs(made).base_inputs) == repr(kept.base_inputs)
