from collections import Counter
from math import comb, isnan

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalplus_run.metrics.score import score
from evalplus_run.records import Outcome, ProfileVerdict, SuiteVerdict, Verdict


def verdict(task_id, index, base, plus, strict=None):
    evalplus = ProfileVerdict(SuiteVerdict(base), SuiteVerdict(plus))
    pair = strict or (base, plus)
    return Verdict(task_id, index, "", evalplus, ProfileVerdict(*(SuiteVerdict(one) for one in pair)))


PASS, WRONG, TIMEOUT, HOST = Outcome.PASS, Outcome.WRONG, Outcome.TIMEOUT, Outcome.HOST_FAULT


def test_plus_means_base_and_plus():
    rows = [verdict("A", 0, PASS, PASS), verdict("B", 0, WRONG, PASS), verdict("C", 0, PASS, TIMEOUT)]
    found = score(rows, tasks_in_dataset=3)["evalplus"]
    assert found.base[1].value == pytest.approx(2 / 3)
    assert found.plus[1].value == pytest.approx(1 / 3)
    assert found.outcomes["base"] == {PASS: 2, WRONG: 1}
    assert found.outcomes["plus"] == {PASS: 1, WRONG: 1, TIMEOUT: 1}


def test_each_profile_has_its_own_score():
    rows = [verdict("A", 0, PASS, WRONG, strict=(PASS, PASS)), verdict("B", 0, PASS, PASS)]
    found = score(rows, tasks_in_dataset=2)
    assert found["evalplus"].plus[1].value == 0.5
    assert found["strict"].plus[1].value == 1.0


def test_one_sample_a_task_is_named_wilson_and_more_are_not():
    one = score([verdict("A", 0, PASS, PASS), verdict("B", 0, WRONG, PASS)], tasks_in_dataset=2)
    two = score([verdict(task, index, PASS, WRONG) for task in "AB" for index in range(2)], tasks_in_dataset=2)
    assert one["evalplus"].base[1].method == "Wilson"
    assert two["evalplus"].base[1].method == "Agresti-Coull over tasks"


def test_a_host_fault_is_never_counted_against_the_model():
    rows = [verdict("A", 0, PASS, PASS), verdict("A", 1, HOST, HOST), verdict("B", 0, PASS, HOST)]
    found = score(rows, tasks_in_dataset=2)["evalplus"]
    assert (found.tasks, found.tasks_in_dataset, found.samples) == (1, 2, 1)
    assert found.base[1].value == found.plus[1].value == 1.0
    assert found.outcomes["base"] == found.outcomes["plus"] == {PASS: 1, HOST: 2}


def test_a_task_with_too_few_samples_takes_the_estimate_away():
    rows = [verdict("A", index, PASS, PASS) for index in range(10)]
    rows += [verdict("B", index, PASS, PASS) for index in range(9)]
    found = score(rows, tasks_in_dataset=2)["evalplus"]
    assert found.base[1].value == 1.0
    assert isnan(found.base[10].value)
    assert isnan(found.base[10].low)


def test_no_verdicts_give_no_number():
    found = score([], tasks_in_dataset=164)["strict"]
    assert (found.tasks, found.samples) == (0, 0)
    assert isnan(found.plus[1].value)


outcomes = st.sampled_from([PASS, WRONG, TIMEOUT, HOST])


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from("ABCD"), outcomes, outcomes), max_size=30), st.integers(1, 4))
def test_the_score_is_what_a_direct_computation_gives(samples, k):
    rows = [verdict(task, index, base, plus) for index, (task, base, plus) in enumerate(samples)]
    found = score(rows, tasks_in_dataset=4, ks=[k])["evalplus"]
    judged = [row for row in samples if HOST not in row]
    n = Counter(task for task, _, _ in judged)
    c = Counter(task for task, base, plus in judged if base == plus == PASS)
    assert sum(found.outcomes["plus"].values()) == len(samples)
    assert found.samples == len(judged)
    if not n or min(n.values()) < k:
        assert isnan(found.plus[k].value)
    else:
        mean = sum(1 - comb(n[task] - c[task], k) / comb(n[task], k) for task in n) / len(n)
        assert found.plus[k].value == pytest.approx(mean)
        assert 0 <= found.plus[k].low <= found.plus[k].value <= found.plus[k].high <= 1
