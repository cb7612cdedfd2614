"""Real samples on clusters of one, two and four nodes, one of which dies."""

import gzip
import json
import os
import time
from dataclasses import replace
from pathlib import Path

import pytest

from evalplus_run.benchmarks import DatasetSettings, load
from evalplus_run.evaluate.judging import each_suite
from evalplus_run.evaluate.local import LocalPool
from evalplus_run.records import Program

DATA = Path(os.environ.get("EVALPLUS_RUN_DATA", "absent"))
SAMPLES = DATA / "verdicts" / "humaneval_plus-v0.1.10__deepseek-coder-6.7b-instruct.jsonl.gz"

pytestmark = [
    pytest.mark.official,
    pytest.mark.slow,
    pytest.mark.skipif(not SAMPLES.exists(), reason="EVALPLUS_RUN_DATA names no folder with the official data"),
]


@pytest.fixture(scope="module")
def dataset():
    return load(DatasetSettings(name="humaneval_plus", path=str(DATA / "HumanEvalPlus.jsonl.gz")))


@pytest.fixture(scope="module")
def programs():
    with gzip.open(SAMPLES, "rt") as lines:
        return [Program(row["task_id"], 0, row["solution"]) for row in map(json.loads, lines)]


def verdicts_of(pool, dataset, programs, meanwhile=lambda futures: None):
    """Without CPU times, which differ from run to run."""
    tests = {future.result().task.task_id: future.result() for future in pool.prepare(dataset.tasks)}
    futures = [pool.submit(tests[program.task_id], program) for program in programs]
    meanwhile(futures)
    return [each_suite(future.result(), lambda suite: replace(suite, cpu_seconds=0.0)) for future in futures]


@pytest.mark.parametrize(("nodes", "dies"), [(1, False), (2, False), (2, True), (4, False), (4, True)])
def test_real_samples_get_the_verdicts_of_the_local_pool(
    cluster, judging, add_node, dataset, programs, nodes, dies, here
):
    added = [add_node() for _ in range(nodes - 1)]

    def kill(futures):
        while dies and sum(future.done() for future in futures) < 40:
            time.sleep(0.01)
        if dies:
            cluster.remove_node(added[0], allow_graceful=False)

    with judging(limit=4.0) as (_, pool, rules, said):
        found = verdicts_of(pool, dataset, programs, kill)
    if not here:
        with LocalPool(rules, workers=2) as pool:
            here.extend(verdicts_of(pool, dataset, programs))
    assert found == here
    assert any("is lost" in text for text in said) is dies


@pytest.fixture(scope="module")
def here():
    """The verdicts of the local pool, once they are known."""
    return []
