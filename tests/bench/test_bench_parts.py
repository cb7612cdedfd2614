"""What the benches say about verdicts, and the copies that they make."""

import load
import memory

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
