"""What the benches say about verdicts, and the copies that they make."""

from dataclasses import replace

import load
import memory
import pytest
import scale

from evalplus_run.evaluate.equality import shape_of
from evalplus_run.records import Outcome, SuiteVerdict

PASSED, WRONG = (SuiteVerdict(Outcome.PASS),) * 4, (SuiteVerdict(Outcome.WRONG),) * 4
LATE = (SuiteVerdict(Outcome.TIMEOUT, 3, error="over 1.0 s"),) * 4


def test_a_verdict_that_moves_between_failures_is_told_from_one_that_stops_passing():
    quiet = {("T/0", 0): PASSED, ("T/0", 1): WRONG, ("T/1", 0): PASSED}
    loaded = {("T/0", 0): LATE, ("T/0", 1): LATE, ("T/1", 0): PASSED}
    assert [line.split()[:3] for line in load.moved(quiet, loaded)] == [
        ["MOVED", "T/0", "#0:"],
        ["moved", "T/0", "#1:"],
    ]
    assert "timeout (over 1.0 s, test 3)" in load.moved(quiet, loaded)[0]


def test_copies_differ_in_their_trees_unless_they_are_to_be_repeated():
    rows = [("T/0", "def f(): pass")]
    assert len({shape_of(text) for _, text in memory.copies_of(rows, 5, repeated=False)}) == 5
    assert len({text for _, text in memory.copies_of(rows, 5, repeated=True)}) == 1


ONE = scale.Constants(own=0.001, programs=0.1, concluding=0.0005, sent=1.0, got=2.0, kept=3.0)
GRID = scale.Grid(runs=20, samples=2_000_000, cores=10, start=2.0, append=0.0001, longest=4.0)


def test_runs_on_nodes_of_their_own_end_as_many_times_sooner_until_each_has_one():
    of_one = 2.0 + 100_000 * (0.1 / 10 + 0.0005) + 4.0
    assert [GRID.run_to_a_node(ONE, nodes) / of_one for nodes in (1, 10, 20, 40)] == pytest.approx([20, 2, 1, 1])


def test_one_command_for_all_nodes_is_no_faster_than_its_own_process():
    seconds = [GRID.one_for_all(ONE, nodes) for nodes in (1, 10, 100)]
    assert seconds[0] == pytest.approx(20 * 2.0 + 2_000_000 * (0.1 / 10 + 0.0005) + 4.0)
    assert seconds[1] == pytest.approx(seconds[2]) == pytest.approx(20 * 2.0 + 2_000_000 * 0.0015 + 4.0)
    assert "(own process)" in scale.predictions(GRID, ONE)[3]


def test_a_mean_of_constants_weighs_each_of_them():
    assert scale.mixed([(3, ONE), (1, replace(ONE, own=0.005))]).own == pytest.approx(0.002)
    assert scale.mixed([(-1, ONE), (1, replace(ONE, own=0.005))], over=4).own == pytest.approx(0.001)
