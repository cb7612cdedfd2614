"""A runner of the sandbox, and tasks as small as can be."""

from __future__ import annotations

import pytest

from evalplus_run.audit.running import Runner
from evalplus_run.evaluate.judging import Rules
from evalplus_run.evaluate.settings import EvaluateSettings
from evalplus_run.records import Task
from evalplus_run.sandbox import tiers
from evalplus_run.sandbox.settings import SandboxSettings

RULES = Rules(1 << 30, EvaluateSettings(min_time_limit=1.0), tiers.choose_tier(SandboxSettings()))


@pytest.fixture(scope="session")
def runner():
    with Runner(RULES, 1) as one:
        yield one


def task_of(reference, base=(), plus=(), **fields):
    """A task whose reference is `f`, with these inputs."""
    return Task("Small/0", fields.pop("prompt", "def f():\n"), "f", reference, tuple(base), tuple(plus), **fields)


def places(findings):
    """(kind, suite, test) of each."""
    return [(each.kind, each.suite, each.test) for each in findings]
