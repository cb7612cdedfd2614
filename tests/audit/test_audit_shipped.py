"""The errata of official releases that are shipped: they are what the command finds."""

import os

import pytest

from evalplus_run import auditing
from evalplus_run.audit.benchmark import Depth
from evalplus_run.audit.types import find_ill_typed
from evalplus_run.benchmarks.fetch import FOLDER_VARIABLE, fetch
from evalplus_run.benchmarks.registry import RELEASES, errata_file
from evalplus_run.benchmarks.settings import DatasetSettings
from evalplus_run.datasets import of_release
from evalplus_run.evaluate import errata
from evalplus_run.evaluate.errata import in_ranges

RELEASES_WITH_ERRATA = [release for release in RELEASES if errata_file(release)]

pytestmark = [
    pytest.mark.official,
    pytest.mark.skipif(FOLDER_VARIABLE not in os.environ, reason=f"{FOLDER_VARIABLE} names no folder"),
]


@pytest.mark.slow
@pytest.mark.parametrize("release", RELEASES_WITH_ERRATA, ids=str)
def test_what_is_shipped_is_what_audit_writes(release, tmp_path):
    settings = DatasetSettings(name=release.name, version=release.version, variant=release.variant)
    path = tmp_path / "benchmark.jsonl"
    path.write_bytes(fetch(settings).data)
    auditing.run(auditing.Wanted(dataset=str(path), depth=Depth(mutants=0)), errata=tmp_path / "errata.jsonl")
    assert (tmp_path / "errata.jsonl").read_bytes() == errata_file(release).read_bytes()


@pytest.mark.parametrize("release", RELEASES_WITH_ERRATA[:1], ids=str)
def test_the_ill_typed_tests_that_are_known_are_found_and_shipped(release):
    found = {}
    for task in of_release(release).tasks:
        for each in find_ill_typed(task):
            found.setdefault((task.task_id, each.suite), set()).add(each.test)
    assert {task_id: len(tests) for (task_id, _), tests in found.items()} == {
        **{"HumanEval/8": 5, "HumanEval/29": 760, "HumanEval/53": 7, "HumanEval/55": 2, "HumanEval/63": 2}
    }
    listed = errata.read("auto", release.sha256).listed
    assert all(tests <= listed[place] for place, tests in found.items())
    assert in_ranges(found["HumanEval/53", "plus"]) == (185, 207, 217, 256, 273, 351, 466)
