import os

import pytest

from evalplus_run.benchmarks import DatasetSettings, load
from evalplus_run.interchange.task_ids import guess, part

HUMANEVAL = [f"HumanEval/{number}" for number in range(164)]


@pytest.mark.parametrize(("has_plus", "told"), [(False, "HumanEval 1.0.3"), (True, "HumanEval+")])
def test_all_ids_of_humaneval_are_humaneval_or_with_plus_tests_humaneval_plus(has_plus, told):
    found = guess(HUMANEVAL[::-1], has_plus=has_plus)
    assert str(found) == told
    assert [task.task_id for task in load(DatasetSettings(name="humaneval")).tasks] == list(found.names)[::-1]


@pytest.mark.parametrize("ids", [HUMANEVAL[1:], [*HUMANEVAL, "HumanEval/164"], [], list(map(str, range(164)))])
def test_a_part_of_the_ids_or_more_than_them_is_no_benchmark(ids):
    assert guess(ids, has_plus=True) is None


@pytest.mark.parametrize("told", ["openai_humaneval", "inspect_evals/humaneval", "humaneval_plus", "HumanEval"])
def test_some_tasks_of_humaneval_are_a_part_of_it_where_a_tool_calls_them_so(told):
    assert part(told, {"HumanEval/3", "HumanEval/163"}, has_plus=False).name == "humaneval"
    assert part(told, {"HumanEval/3"}, has_plus=True).name == "humaneval_plus"


@pytest.mark.parametrize(
    ("told", "ids"), [("", {"HumanEval/3"}), ("mbpp", {"HumanEval/3"}), ("humaneval", {"HumanEval/164"})]
)
def test_no_tasks_are_a_part_of_humaneval_by_their_ids_or_its_name_alone(told, ids):
    assert part(told, ids, has_plus=False) is None


@pytest.mark.official
@pytest.mark.skipif("EVALPLUS_RUN_DATA" not in os.environ, reason="EVALPLUS_RUN_DATA names no folder of official data")
@pytest.mark.parametrize(("version", "bare"), [("v0.2.0", False), ("v0.2.0", True), ("v0.1.0", True)])
def test_the_ids_of_mbpp_plus_tell_its_version_bare_numbers_too(version, bare):
    tasks = [task.task_id for task in load(DatasetSettings(name="mbpp_plus", version=version)).tasks]
    ids = [task_id.removeprefix("Mbpp/") if bare else task_id for task_id in tasks]
    found = guess(ids, has_plus=False)
    assert (found.name, found.version) == ("mbpp_plus", version)
    assert [found.names[task_id] for task_id in ids] == tasks
