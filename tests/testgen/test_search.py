"""The search for a task's inputs."""

from dataclasses import replace

import pytest

from evalplus_run.records import Completion
from evalplus_run.testgen.form import Form
from evalplus_run.testgen.guides import NONE, Guides
from evalplus_run.testgen.programs import UnderTest
from evalplus_run.testgen.search import search
from evalplus_run.testgen.selection import select
from evalplus_run.testgen.settings import TestgenSettings
from evalplus_run.testgen.values import key
from tests.testgen.conftest import MEMORY, task_of


def found_for(worker, task, n=100, seed=0, form="custom", beside=NONE):
    return search(worker, task, TestgenSettings(n=n, seed=seed), Form(form), memory=MEMORY, beside=beside)


def test_a_space_of_two_values_is_used_up_after_the_other_one(worker):
    found, summary = found_for(worker, task_of("def f(flag: bool):\n    return not flag\n", (True,)), n=10)
    assert [each.arguments for each in found] == [(False,)]
    assert summary.used_up


@pytest.mark.parametrize("empty", [set(), [], {}, ""])
def test_one_empty_input_is_enough_to_begin_with(worker, empty):
    found, summary = found_for(worker, task_of("def f(a):\n    return len(a)\n", (empty,)))
    # JSON holds no sets.
    assert summary.rejected["not to be written"] if isinstance(empty, set) else found


def test_booleans_do_not_come_into_ints(worker):
    task = task_of("def f(n):\n    return n\n", (3,), contract="\n    assert isinstance(n, int) and n > 0\n")
    found, summary = found_for(worker, task)
    assert {type(each.arguments[0]) for each in found} == {int}
    assert all(each.arguments[0] > 0 for each in found)
    assert summary.rejected["contract"]


def test_the_same_seed_finds_the_same_and_another_one_does_not(worker):
    task = task_of("def f(a, s):\n    return [x for x in a if x > len(s)]\n", ([1, 2], "ab"))
    first, again, other = (found_for(worker, task, seed=seed)[0] for seed in (0, 0, 1))
    assert [key(each.arguments) for each in first] == [key(each.arguments) for each in again]
    assert [key(each.arguments) for each in first] != [key(each.arguments) for each in other]


def test_no_input_is_found_twice_or_is_one_of_the_benchmarks_own(worker):
    task = task_of("def f(n):\n    return n\n", (3,), (4,))
    keys = [key(each.arguments) for each in found_for(worker, task)[0]]
    assert len(set(keys)) == len(keys)
    assert not {key((3,)), key((4,))} & set(keys)


def test_a_rare_branch_is_reached_and_the_input_that_did_is_chosen(worker):
    reference = "def f(s):\n    if s and s == s[::-1] and len(s) > 4:\n        return 'long'\n    return ''\n"
    found, summary = found_for(worker, task_of(reference, ("abc",)))
    assert summary.outcomes_seen == summary.outcomes
    assert any(each.observation.value == "long" for each in select(found, 20))


def test_all_that_showed_something_new_is_chosen_and_answers_take_turns(worker):
    found, _ = found_for(worker, task_of("def f(n):\n    return 'rare' if n == 7 else 'often'\n", (1,)))
    chosen = select(found, 10)
    assert len(chosen) == 10
    assert all(each in chosen for each in found if each.news)
    assert "rare" in {each.observation.value for each in chosen}


def test_numbers_do_not_ask_for_an_algorithm_that_the_inputs_do_not_ask_for(worker):
    closed = task_of("def f(n):\n    return n * (n + 1) // 2\n", (5,), (10,))
    found, _ = found_for(worker, closed)
    assert max(each.arguments[0] for each in found) <= 300


def test_what_the_benchmarks_file_cannot_hold_is_no_input(worker):
    found, summary = found_for(worker, task_of("def f(d):\n    return len(d)\n", ({1: 2},)))
    assert [each.arguments for each in found] == [({},)]
    assert summary.rejected["not to be written"]


def answers(*texts):
    return Guides(answers=tuple(Completion("Small/0", index, text) for index, text in enumerate(texts)))


def test_an_input_of_a_model_passes_the_same_filters_and_becomes_a_parent(worker):
    reference = "def f(s):\n    return 'rare' if [ord(c) for c in s[:4]] == [113, 117, 105, 120] else ''\n"
    task = task_of(reference, ("abc",), contract="\n    assert '!' not in s\n")
    answer = "f('quixotic')\nf('no!')\nf('abc')\nf(5)\nf('" + "x" * 900 + "')"
    found, summary = found_for(worker, task, beside=answers(answer))
    own = [each for each in found if each.operators[:1] == ("model",)]
    assert [each.arguments for each in own] == [("quixotic",)]
    assert any(each.startswith("branch") or each.startswith("mutant") for each in own[0].news)
    assert summary.rejected["contract"] >= 1
    assert summary.rejected["too long"] >= 1
    assert summary.rejected["answer: other types"] == 1
    assert sum(each.observation.value == "rare" for each in found) > 5
    assert not any(each.observation.value == "rare" for each in found_for(worker, task)[0])


def test_an_input_that_tells_programs_apart_is_kept_with_what_it_shows(worker):
    task = task_of("def f(s):\n    return len(s)\n", ("abc",))
    guides = Guides(
        programs=(
            UnderTest("a 0", "def f(s):\n    return len(s) + s.count('\\n')\n"),
            UnderTest("a 1", "def f(s):\n    return len(s.strip())\n"),
            UnderTest("a 2", "def f(s):\n    return sum(1 for c in s)\n"),
        )
    )
    found, summary = found_for(worker, task, beside=guides)
    shown = [each for one in found for each in one.news if each.startswith("program")]
    assert sorted(shown) == ["program a 0", "program a 1"]
    assert (summary.programs.wrong, summary.programs.programs) == (2, 3)
    assert all(each in select(found, 50) for each in found if any("program" in one for one in each.news))


def test_nothing_changes_where_programs_are_all_right(worker):
    task = task_of("def f(a, s):\n    return [x for x in a if x > len(s)]\n", ([1, 2], "ab"))
    guides = Guides(programs=(UnderTest("a 0", "def f(a, s):\n    return list(filter(lambda x: x > len(s), a))\n"),))
    plain, guided = found_for(worker, task)[0], found_for(worker, task, beside=guides)[0]
    assert [key(each.arguments) for each in plain] == [key(each.arguments) for each in guided]


def test_what_showed_something_new_last_is_chosen_too(worker):
    found, _ = found_for(worker, task_of("def f(n):\n    return n\n", (1,)))
    plain = [replace(each, news=(), observation=replace(each.observation, value=n)) for n, each in enumerate(found)]
    last = replace(plain[-1], news=("program a 0",))
    assert last in select([*plain[:-1], last], 30)
    assert len(select([*plain[:-1], last], 30)) == 30
