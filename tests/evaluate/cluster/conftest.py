"""Real Ray clusters, all of whose nodes are on this machine."""

import contextlib

import pytest
from pytest_socket import socket_allow_hosts

pytest.importorskip("ray")

from ray.cluster_utils import Cluster

from evalplus_run.evaluate.cluster import crew, dispatch
from evalplus_run.evaluate.cluster.executor import RayExecutor
from evalplus_run.evaluate.judging import Rules
from evalplus_run.evaluate.settings import EvaluateSettings, ExecutorSettings
from evalplus_run.sandbox.settings import SandboxSettings

SANDBOX = SandboxSettings(memory=1024, allow_unsafe=True)


@pytest.fixture(scope="session")
def cluster():
    """One node with one CPU, to which others may be added for as long as a test lasts."""
    made = Cluster(
        initialize_head=True,
        head_node_args={"num_cpus": 1, "include_dashboard": False},
    )
    yield made
    made.shutdown()


@pytest.fixture
def add_node(cluster):
    """Adds a node with one CPU, which leaves with the test."""
    added = []

    def add():
        added.append(cluster.add_node(num_cpus=1))
        return added[-1]

    yield add
    for node in added:
        if node in cluster.worker_nodes:
            cluster.remove_node(node)


@pytest.fixture
def at_once(monkeypatch):
    """A node that lost its actor has another one at once."""
    monkeypatch.setattr(crew, "_REST_SECONDS", 0.0)
    monkeypatch.setattr(dispatch, "_LOOK_SECONDS", 0.1)


@pytest.fixture
def judging(cluster):
    """Opens a pool on the cluster: the executor, the pool, its rules, and what was said.

    `offered` is called once the nodes have told what they can do, and before they open.
    """
    # This machine's own address: on the loopback Ray finds no cluster.
    socket_allow_hosts([cluster.address.rpartition(":")[0], "127.0.0.1"])

    @contextlib.contextmanager
    def judge(limit=1.0, offered=lambda: None):
        said = []
        settings = ExecutorSettings(name="ray", address=cluster.address)
        with RayExecutor(settings, SANDBOX, said.append) as executor:
            rules = Rules(executor.memory, EvaluateSettings(min_time_limit=limit), executor.tier)
            offered()
            with executor.pool(rules, None) as pool:
                yield executor, pool, rules, said

    return judge
