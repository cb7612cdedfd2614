"""When a finished run's folder is taken for finished."""

import pytest

from evalplus_run.runs import RunFolder
from evalplus_run.seal import is_sealed, seal


@pytest.fixture
def folder(tmp_path):
    run = RunFolder(tmp_path)
    for path in (*run.results, run.report):
        path.write_text(path.name)
    seal(run, "settings")
    return run


def test_a_sealed_folder_is_finished_for_its_settings_alone(folder):
    assert is_sealed(folder, "settings")
    assert not is_sealed(folder, "others")


@pytest.mark.parametrize("name", ["scores.json", "report.html", "completions.jsonl", "eval_results.json"])
def test_a_file_that_changed_or_went_breaks_the_seal(folder, name):
    (folder.path / name).write_text("other")
    assert not is_sealed(folder, "settings")
    (folder.path / name).unlink()
    assert not is_sealed(folder, "settings")


@pytest.mark.parametrize("content", ["", "{", "[]", '{"settings": "settings"}'])
def test_a_seal_that_is_none_makes_nothing_finished(folder, content):
    folder.seal.write_text(content)
    assert not is_sealed(folder, "settings")


def test_without_a_seal_nothing_is_finished(tmp_path):
    assert not is_sealed(RunFolder(tmp_path), "settings")
