"""A worker shared by the tests, and a cache of each test's own."""

import pytest
from small_tasks import TIER

from evalplus_run.sandbox.worker import Worker


@pytest.fixture(scope="session")
def worker():
    with Worker(TIER) as worker:
        yield worker


@pytest.fixture(autouse=True)
def _own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("EVALPLUS_RUN_CACHE", str(tmp_path / "cache"))
