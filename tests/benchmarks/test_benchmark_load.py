import pytest

from evalplus_run.benchmarks import DatasetSettings, load
from evalplus_run.benchmarks.registry import CODE_STOPS
from evalplus_run.records import UserError


@pytest.fixture
def own(row, write):
    return write(*(row | {"task_id": f"Own/{number}"} for number in range(4)))


def settings(path, **others):
    return DatasetSettings(name="custom", path=str(path), **others)


def ids(dataset):
    return [task.task_id for task in dataset.tasks]


def test_a_benchmark_of_your_own_is_loaded_from_its_file(own):
    dataset = load(settings(own))
    assert ids(dataset) == ["Own/0", "Own/1", "Own/2", "Own/3"]
    assert (dataset.name, dataset.version, dataset.variant) == ("custom", "unofficial", "full")
    assert (dataset.size, dataset.source, dataset.stop) == (4, str(own), CODE_STOPS)


def test_your_own_benchmark_carries_the_version_that_you_give_it(own):
    assert load(settings(own, version="2")).version == "2"


def test_the_limit_takes_the_first_tasks_and_keeps_the_size(own):
    dataset = load(settings(own, limit=2))
    assert (ids(dataset), dataset.size) == (["Own/0", "Own/1"], 4)
    assert len(load(settings(own, limit=9)).tasks) == 4


def test_chosen_tasks_come_in_the_order_of_the_dataset(own):
    assert ids(load(settings(own, tasks=("Own/3", "Own/1")))) == ["Own/1", "Own/3"]
    assert ids(load(settings(own, tasks=("Own/3", "Own/1"), limit=1))) == ["Own/1"]


@pytest.mark.parametrize(("wrong", "nearest"), [("Own/11", "Own/1"), ("3", "Own/3"), ("own/2", "Own/2")])
def test_an_unknown_task_is_refused_with_the_nearest_one(own, wrong, nearest):
    with pytest.raises(UserError, match=f"There is no task {wrong} .* the nearest is {nearest}"):
        load(settings(own, tasks=("Own/1", wrong)))


def test_digests_name_the_content_and_not_the_file(own, tmp_path):
    import gzip

    packed = tmp_path / "elsewhere.gz"
    packed.write_bytes(gzip.compress(own.read_bytes()))
    assert load(settings(packed)).sha256 == load(settings(own)).sha256


def test_types_are_restored_for_mbpp_alone(row, write):
    path = write(row | {"task_id": "Mbpp/2", "base_input": [[[1], [2]]], "plus_input": []})
    [mbpp] = load(DatasetSettings(name="mbpp_plus", path=str(path))).tasks
    [custom] = load(settings(path)).tasks
    assert mbpp.base_inputs == (((1,), (2,)),)
    assert custom.base_inputs == (([1], [2]),)
