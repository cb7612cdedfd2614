import threading

import pytest
from running import INPUTS, run

from evalplus_run.sandbox.any_worker import HostFault, TierUnavailable, WorkerLost
from evalplus_run.sandbox.guest import protocol, stock
from evalplus_run.sandbox.tiers import strongest
from evalplus_run.sandbox.two_zygotes import TwoZygotes, stock_of
from evalplus_run.sandbox.worker import Worker

FOUND = "import sys\ndef add(x, y): return ['numpy' in sys.modules]"


@pytest.fixture
def start():
    """What starts the zygotes, and keeps the names of those that were."""
    started = []

    def start(kept):
        started.append(kept)
        return Worker(strongest("none"), stock=kept)

    start.started = started
    return start


@pytest.fixture
def pair(start):
    with TwoZygotes(start) as worker:
        worker.load("task", INPUTS)
        yield worker


def test_numpy_is_loaded_for_programs_that_import_it_and_for_no_others(pair):
    assert run(pair, FOUND).values[0] == [False]
    assert run(pair, "import numpy\n" + FOUND).values[0] == [True]
    assert run(pair, FOUND).values[0] == [False]


def test_a_program_that_hides_what_it_imports_can_import_it_all_the_same(pair):
    program = "def add(x, y): return getattr(__import__('num' + 'py'), 'asarray')([x]).tolist()"
    assert stock_of(program) == "common"
    assert run(pair, program).values[0] == [1]


def test_the_second_zygote_is_not_started_before_a_program_wants_it(pair, start):
    run(pair, FOUND)
    assert start.started == ["common"]
    run(pair, "from random import random\n" + FOUND)
    assert start.started == ["common", "all"]


def test_all_are_started_at_once_where_that_is_asked_for(start):
    with TwoZygotes(start, at_once=True):
        assert start.started == ["common", "all"]


def test_inputs_that_are_loaded_again_are_the_last_to_be_forgotten(pair):
    for number in range(protocol.KEPT_TASKS - 1):
        pair.load(f"other {number}", INPUTS)
    pair.load("task", INPUTS)
    pair.load("one more", INPUTS)
    assert run(pair, "def add(x, y): return x").values


def test_a_second_zygote_that_does_not_start_is_the_hosts_fault(start):
    def once(kept):
        if kept == "all":
            raise TierUnavailable("no memory")
        return start(kept)

    with TwoZygotes(once) as worker:
        worker.load("task", INPUTS)
        with pytest.raises(HostFault, match="no memory"):
            run(worker, "import numpy\n" + FOUND)
        assert run(worker, FOUND).values


def test_a_worker_that_is_killed_while_its_second_zygote_starts_runs_nothing_more(start):
    def slowly(kept):
        worker = start(kept)
        if kept == "all":
            thread = threading.Thread(target=pair.kill)
            thread.start()
            thread.join()
        return worker

    with TwoZygotes(slowly) as pair:
        pair.load("task", INPUTS)
        with pytest.raises(WorkerLost):
            run(pair, "import numpy\n" + FOUND)


@pytest.mark.parametrize("name", stock.RARE.split())
def test_every_rare_module_is_known_by_its_import(name):
    for line in (f"import {name}", f"    from {name} import x", f"import re, {name} as y", f"__import__('{name}')"):
        assert stock_of(f"import math\n{line}\n") == "all"


@pytest.mark.parametrize("text", ["", "import math\nimport re", "# numpy\nx = 'at random, in time'", "import timeless"])
def test_words_that_are_not_imported_call_for_nothing(text):
    assert stock_of(text) == "common"
