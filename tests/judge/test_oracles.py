"""Tasks on which more than one value is right."""

import gzip
import os
import re
from collections import deque
from pathlib import Path

import numpy as np
import pytest

from evalplus_run.judge import SuiteJudge, collects
from evalplus_run.judge.oracles import _ORACLES
from evalplus_run.records import Task
from evalplus_run.sandbox.guest.encode import encode


def judge(task_id, entry_point, out, expected, arguments=(), atol=0.0):
    """(evalplus, strict) on one test."""
    task = Task(task_id, "", entry_point, "", (), (), atol)
    collect = collects(task)
    judgement = (
        SuiteJudge(task, [arguments]).open().judge(0, encode(out, collect=collect), encode(expected, collect=collect))
    )
    return judgement.evalplus, judgement.strict


@pytest.mark.parametrize(
    ("out", "passed"),
    [
        *((1.0, True), (2.0, True), (2, True), (np.float64(2), True), (2.00005, True), (2.001, False), (0.5, False)),
        *((float("nan"), False), (float("inf"), False), (1e200, False), (10**400, False)),
        *((None, False), ("2", False), ([2.0], False), (2 + 0j, False), (object(), False)),
    ],
)
def test_any_root_passes_and_nothing_else(out, passed):
    assert judge("HumanEval/32", "find_zero", out, 1.0, ([2.0, -3.0, 1.0],), atol=1e-4) == (passed, passed)


def test_a_value_equal_to_the_expected_one_fails_if_it_is_no_root():
    assert judge("HumanEval/32", "find_zero", 5.0, 5.0, ([2.0, -3.0, 1.0],), atol=1e-4) == (False, False)


def test_are_equivalent_is_compared_honestly_under_strict_only():
    assert judge("Mbpp/164", "are_equivalent", False, True) == (True, False)
    assert judge("Mbpp/164", "are_equivalent", True, True) == (True, True)


def test_the_constant_zero_for_a_sum_of_divisors_passes_under_evalplus_only():
    assert judge("Mbpp/295", "sum_div", 0, 15.0) == (True, False)
    assert judge("Mbpp/295", "sum_div", 15, 15.0) == (True, True)
    assert judge("Mbpp/295", "sum_div", 1, 15.0) == (False, False)


@pytest.mark.parametrize(
    ("out", "passed"),
    [
        *((33, (True, True)), (35, (True, True)), (34, (False, False)), (35.0, (True, True))),
        *((35.0000005, (False, True)), (None, (False, False)), ("35", (False, False))),
    ],
)
def test_both_readings_of_the_pyramid_pass(out, passed):
    assert judge("Mbpp/581", "surface_Area", out, 33, (3, 4)) == passed


@pytest.mark.parametrize(("out", "passed"), [(1, True), (12, True), (12.0, True), (2, False), (None, False)])
def test_both_alignments_of_digits_pass(out, passed):
    assert judge("Mbpp/558", "digit_distance_nums", out, 1, (1, 256)) == (passed, passed)


def test_where_a_sign_is_no_digit_only_the_expected_distance_passes():
    assert judge("Mbpp/558", "digit_distance_nums", 4, 5, (-1, 6)) == (False, False)
    assert judge("Mbpp/558", "digit_distance_nums", 5.0, 5, (-1, 6)) == (True, True)


SETS = [(task_id, name) for (task_id, name), oracle in _ORACLES.items() if oracle.as_set]


@pytest.mark.parametrize(("task_id", "name"), SETS)
@pytest.mark.parametrize(
    ("out", "passed"),
    [
        *(([2, 1], (True, True)), ([1, 2, 2, 1], (True, True)), ({1, 2}, (True, True)), ((2.0, True), (True, True))),
        *(({1: 0, 2: 0}.keys(), (True, True)), ({1: 0, 2: 0}, (True, False)), (np.array([2, 1]), (True, False))),
        *(([1, 2, 3], (False, False)), ([1], (False, False)), ([[1], [2]], (False, False)), (None, (False, False))),
    ],
)
def test_order_and_repetition_do_not_count_where_sets_are_compared(task_id, name, out, passed):
    assert judge(task_id, name, out, (1, 2)) == passed


@pytest.mark.parametrize(("task_id", "name"), SETS)
def test_an_iterator_is_taken_for_what_it_gives_where_sets_are_compared(task_id, name):
    assert judge(task_id, name, (i for i in (1, 2)), (1, 2)) == (True, True)
    assert judge(task_id, name, map(abs, [-2, -1, -1]), {1, 2}) == (True, True)
    assert judge(task_id, name, deque([1]), [1, 2]) == (False, False)


def test_a_text_is_no_collection_of_its_letters_under_strict():
    assert judge("Mbpp/7", "find_char_long", "ab", ["a", "b"]) == (True, False)


def test_a_program_cannot_pass_by_replacing_set():
    assert judge("Mbpp/2", "similar_elements", (), (4, 5)) == (False, False)


def test_members_with_colliding_hashes_fail_at_once():
    flood = [i * (2**61 - 1) for i in range(100_000)]
    assert judge("Mbpp/2", "similar_elements", flood, (4, 5)) == (False, False)


@pytest.mark.parametrize(("task_id", "name"), [k for k, oracle in _ORACLES.items() if not oracle.needs_value])
@pytest.mark.parametrize(
    ("out", "when_found", "when_not"),
    [
        *((re.search("a", "a"), True, False), (None, False, True), (True, True, False), (False, False, True)),
        *(("Matched!", True, False), (0, True, False), ("", True, False)),
    ],
)
def test_only_whether_something_matches_counts(task_id, name, out, when_found, when_not):
    assert judge(task_id, name, out, re.search("b", "b")) == (when_found, when_found)
    assert judge(task_id, name, out, None) == (when_not, when_not)


def test_an_oracle_needs_both_the_task_and_the_entry_point():
    assert judge("Mine/2", "similar_elements", [2, 1], [1, 2]) == (False, False)
    assert judge("Mbpp/2", "similar", [2, 1], [1, 2]) == (False, False)
    assert not collects(Task("Mine/2", "", "similar_elements", "", (), ()))


@pytest.mark.official
def test_every_oracle_belongs_to_a_task_of_the_official_datasets():
    folder = os.environ.get("EVALPLUS_RUN_DATA")
    if folder is None:
        pytest.skip("EVALPLUS_RUN_DATA names no folder with the official datasets.")
    tasks = set()
    for name in ("HumanEvalPlus-v0.1.9", "HumanEvalPlus", "MbppPlus-v0.1.0", "MbppPlus"):
        with gzip.open(Path(folder) / f"{name}.jsonl.gz", "rt") as lines:
            tasks |= {
                re.search('"task_id": "(.*?)"', line)[1] + re.search('"entry_point": "(.*?)"', line)[1]
                for line in lines
            }
    assert {task_id + name for task_id, name in _ORACLES} <= tasks
