import ast
import copy
import gzip
import json
import re

import pytest

from evalplus_run.benchmarks import DatasetSettings, load
from evalplus_run.benchmarks.mbpp import _RULE_OF_TASK, restore, serialize
from evalplus_run.benchmarks.registry import CODE_STOPS, DOCSTRING_STOPS, RELEASES, find_release

pytestmark = pytest.mark.official

# dataset settings: tasks, base inputs, plus inputs
COUNTS = {
    ("humaneval_plus", "v0.1.10", "full"): (164, 1570, 122_683),
    ("humaneval_plus", "v0.1.10", "mini"): (164, 1570, 1107),
    ("humaneval_plus", "v0.1.10", "noextreme"): (164, 1570, 122_504),
    ("humaneval_plus", "v0.1.9", "full"): (164, 1570, 123_739),
    ("mbpp_plus", "v0.2.0", "full"): (378, 1174, 39_841),
    ("mbpp_plus", "v0.2.0", "noextreme"): (378, 1174, 39_636),
    ("mbpp_plus", "v0.1.0", "full"): (399, 1236, 42_082),
}
EVALPLUS_HASHES = {
    ("humaneval_plus", "v0.1.10", "full"): "fe585eb4df8c88d844eeb463ea4d0302",
    ("humaneval_plus", "v0.1.9", "full"): "84f4b93a1270b492e4c54d5212da7a5b",
    ("mbpp_plus", "v0.2.0", "full"): "ee43ecabebf20deef4bb776a405ac5b1",
    ("mbpp_plus", "v0.1.0", "full"): "ebe95df0d5220f00cedd6f4bddea35e4",
}


def settings(key, **others):
    name, version, variant = key
    return DatasetSettings(name=name, version=version, variant=variant, **others)


@pytest.mark.parametrize("key", COUNTS, ids=" ".join)
def test_an_official_file_loads_whole(official, key):
    dataset = load(settings(key))
    base = sum(len(task.base_inputs) for task in dataset.tasks)
    plus = sum(len(task.plus_inputs) for task in dataset.tasks)
    assert (dataset.size, base, plus) == COUNTS[key]
    assert (dataset.name, dataset.version, dataset.variant) == key
    assert dataset.md5 == EVALPLUS_HASHES.get(key, find_release(settings(key)).md5)
    assert dataset.stop == (CODE_STOPS if dataset.name == "humaneval_plus" else DOCSTRING_STOPS)
    assert all(task.contract and not task.check for task in dataset.tasks)


def test_every_published_release_is_counted_here():
    assert set(COUNTS) == {(release.name, release.version, release.variant) for release in RELEASES if release.urls}


def test_an_official_file_is_recognized_under_any_name(official, tmp_path):
    path = tmp_path / "mine.jsonl"
    path.write_bytes(gzip.decompress((official / "HumanEvalPlus-v0.1.9.jsonl.gz").read_bytes()))
    dataset = load(DatasetSettings(path=str(path)))
    assert (dataset.version, dataset.variant, dataset.source) == ("v0.1.9", "full", str(path))


def test_values_that_plain_json_readers_lose_are_there(official):
    mbpp = {task.task_id: task for task in load(DatasetSettings(name="mbpp_plus")).tasks}
    assert "inf" in repr(mbpp["Mbpp/404"].plus_inputs)
    assert mbpp["Mbpp/793"].plus_inputs == ()
    assert any(len(digits) > 90 for digits in re.findall("[0-9]+", repr(mbpp["Mbpp/566"].plus_inputs)))


@pytest.mark.parametrize("version", ["v0.2.0", "v0.1.0"])
def test_restored_base_inputs_are_the_arguments_of_the_assertions(official, version):
    """MBPP+ itself differs in order (737 781 787 803), content (87) or types (the others)."""
    file = official / ("MbppPlus.jsonl.gz" if version == "v0.2.0" else "MbppPlus-v0.1.0.jsonl.gz")
    rows = map(json.loads, gzip.decompress(file.read_bytes()).splitlines())
    assertions = {row["task_id"]: row["assertion"] for row in rows}
    different = {
        int(task.task_id.removeprefix("Mbpp/"))
        for task in load(DatasetSettings(name="mbpp_plus", version=version)).tasks
        if repr(called_with(assertions[task.task_id], task.entry_point)) != repr(list(task.base_inputs))
    }
    kept_as_published = {87, 98, 104, 124, 140, 145, 252, 301, 596, 737, 781, 787, 803}
    assert different == kept_as_published | ({582} if version == "v0.1.0" else set())


def called_with(assertions, entry_point):
    calls = [
        node
        for node in ast.walk(ast.parse(assertions))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == entry_point
    ]
    return [tuple(eval(ast.unparse(argument), {}) for argument in call.args) for call in calls]


@pytest.mark.parametrize("version", ["v0.2.0", "v0.1.0"])
def test_restored_inputs_keep_the_contracts_and_the_references_take_them(official, version):
    tasks = [
        task for task in load(DatasetSettings(name="mbpp_plus", version=version)).tasks if task.task_id in _RULE_OF_TASK
    ]
    assert len(tasks) > 50
    for task in tasks:
        function = with_contract(task)
        for arguments in task.base_inputs + task.plus_inputs:
            function(*copy.deepcopy(arguments))


def with_contract(task):
    tree = ast.parse(task.reference)
    contract = ast.parse(f"def contract():\n{task.contract}").body[0].body
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name == task.entry_point:
            node.body[0:0] = contract
    names = {}
    exec(compile(ast.fix_missing_locations(tree), task.task_id, "exec"), names)
    return names[task.entry_point]


@pytest.mark.parametrize("version", ["v0.2.0", "v0.1.0"])
def test_official_inputs_survive_being_written_and_read_again(official, version):
    for task in load(DatasetSettings(name="mbpp_plus", version=version)).tasks:
        for arguments in task.base_inputs + task.plus_inputs:
            again = restore(task.task_id, json.loads(json.dumps(serialize(arguments))))
            assert typed(again) == typed(arguments)


def typed(value):
    """The value with the type of every part, whatever order a set has today; NaN equals NaN."""
    if isinstance(value, list | tuple):
        return type(value), tuple(map(typed, value))
    if isinstance(value, set):
        return set, frozenset(map(typed, value))
    if isinstance(value, dict):
        return dict, tuple((typed(key), typed(item)) for key, item in value.items())
    return type(value), repr(value)
