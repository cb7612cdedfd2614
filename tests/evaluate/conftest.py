"""Small tasks, and workers shared by the tests."""

import pytest

from evalplus_run.evaluate.judging import Rules
from evalplus_run.evaluate.settings import EvaluateSettings
from evalplus_run.records import Task
from evalplus_run.sandbox import SandboxSettings, tiers
from evalplus_run.sandbox.worker import Worker

RULES = Rules(1 << 30, EvaluateSettings(min_time_limit=1.0))


@pytest.fixture(scope="session")
def tier():
    return tiers.choose_tier(SandboxSettings(allow_unsafe=True))


@pytest.fixture(scope="session")
def worker(tier):
    with Worker(tier) as worker:
        yield worker


@pytest.fixture(autouse=True)
def _own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("EVALPLUS_RUN_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def rules():
    return RULES


def task(reference="def f(x):\n    return x + 1\n", base=((1,), (2,)), plus=((3,), (10,)), **fields):
    """A task with the entry point f."""
    return Task("Test/0", "", "f", reference, tuple(base), tuple(plus), **fields)
