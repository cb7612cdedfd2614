"""A worker of the sandbox, and tasks as small as can be."""

from __future__ import annotations

import pytest

from evalplus_run.records import Task
from evalplus_run.sandbox import tiers
from evalplus_run.sandbox.settings import SandboxSettings
from evalplus_run.sandbox.starting import start_worker

MEMORY = 1 << 30


@pytest.fixture(scope="session")
def worker():
    with start_worker(tiers.choose_tier(SandboxSettings()), memory=MEMORY) as one:
        yield one


def task_of(reference, *base, contract="", prompt="", name="f"):
    """A task whose reference is `f`, with these inputs."""
    return Task(
        task_id="Small/0",
        prompt=prompt or f"def {name}():\n",
        entry_point=name,
        reference=reference,
        base_inputs=tuple(base),
        plus_inputs=(),
        contract=contract,
    )
