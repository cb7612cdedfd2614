"""Workers of every tier that this machine gives."""

import pytest
from plain_wrapper import wrapped
from running import INPUTS, LOCKED

from evalplus_run.sandbox import tiers
from evalplus_run.sandbox.worker import Worker


@pytest.fixture(scope="module")
def workers():
    """One worker a tier, shared by the tests that leave it alive."""
    started = {}
    yield started
    for worker in started.values():
        worker.close()


@pytest.fixture(params=[*LOCKED, "lockdown in a wrapper"])
def worker(request, workers):
    tier = request.param.removesuffix(" in a wrapper")
    reason = tiers.why_not(tier)
    if reason:
        pytest.skip(f"{tier} cannot be had here: {reason}")
    if request.param not in workers:
        workers[request.param] = Worker(tier) if tier == request.param else wrapped(tier)
        workers[request.param].load("task", INPUTS)
    yield workers[request.param]
    if workers[request.param]._process.poll() is not None:
        workers.pop(request.param).close()


@pytest.fixture(params=["namespaces", "lockdown"])
def writing(request, workers):
    """A worker whose programs have a scratch folder."""
    if tiers.why_not(request.param):
        pytest.skip(f"{request.param} cannot be had here")
    with Worker(request.param) as worker:
        worker.load("task", INPUTS)
        yield worker
