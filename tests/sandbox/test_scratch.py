"""How full the scratch folder is, seen by whoever does not trust what is in it."""

import os
from pathlib import Path

import pytest

from evalplus_run.sandbox import scratch


@pytest.fixture
def folder():
    made = scratch.make()
    yield made
    scratch.remove(made)
    assert not Path(made).exists()


def test_a_folder_too_deep_for_a_path_is_full(folder):
    at = os.open(folder, os.O_RDONLY)
    for _ in range(20):
        os.mkdir("d" * 250, dir_fd=at)
        deeper = os.open("d" * 250, os.O_RDONLY, dir_fd=at)
        os.close(at)
        at = deeper
    os.close(at)
    assert scratch.is_full(folder, os.getpid())


@pytest.mark.skipif(os.geteuid() == 0, reason="root looks into every folder")
def test_a_folder_that_cannot_be_looked_into_is_full(folder):
    Path(folder, "hidden").mkdir(0o300)
    assert scratch.is_full(folder, os.getpid())


def test_a_few_files_in_folders_are_no_reason(folder):
    Path(folder, "one").mkdir()
    Path(folder, "one", "file").write_bytes(bytes(1 << 20))
    assert not scratch.is_full(folder, os.getpid())
