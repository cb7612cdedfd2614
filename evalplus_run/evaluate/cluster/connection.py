"""The connection to a Ray cluster, or one of this machine alone; quiet, and without anything sent to anybody."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from evalplus_run.evaluate.workers import usable_cores
from evalplus_run.records import UserError
from evalplus_run.secret import is_secret

_QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",
    # Else Ray tells with every actor what a later version of it will do.
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
}
_KNOCK_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Found:
    """A node that is alive and lends CPUs."""

    node_id: str
    host: str
    cpus: int


@contextmanager
def connected(address: str, workers: int | None) -> Iterator[None]:
    """While connected; `local` starts a cluster of `workers` CPUs that ends with it. UserError where there is none."""
    for name, value in _QUIET.items():
        os.environ.setdefault(name, value)
    import ray
    from ray._private import worker

    # It tells of nodes that died on standard output, where nothing but results belongs; we tell that ourselves.
    worker.print_to_stdstream = lambda *_, **__: None
    with _signals_kept():
        try:
            _init(address, workers)
        except (ConnectionError, ValueError, RuntimeError, OSError, OverflowError, ImportError) as error:
            raise UserError(_no_cluster(address, error)) from error
    try:
        yield
    finally:
        ray.shutdown()


def alive_nodes() -> list[Found]:
    """The nodes that are alive by now and lend CPUs."""
    import ray

    return [
        Found(node["NodeID"], node["NodeManagerHostname"], int(node["Resources"].get("CPU", 0)))
        for node in ray.nodes()
        if node["Alive"] and node["Resources"].get("CPU", 0) >= 1
    ]


def _init(address: str, workers: int | None) -> None:
    import ray

    common: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
    if address != "local":
        _knock(address)
        ray.init(address=address, **common)
        return
    with _secrets_hidden():
        ray.init(address="local", num_cpus=workers or usable_cores(), include_dashboard=False, **common)


def _knock(address: str) -> None:
    """OSError where nobody listens at HOST:PORT, for which Ray would try for minutes."""
    host, _, port = address.rpartition("://")[2].rpartition(":")
    if host and port.isdecimal():
        socket.create_connection((host.strip("[]"), int(port)), _KNOCK_SECONDS).close()


@contextmanager
def _signals_kept() -> Iterator[None]:
    """Ray takes SIGTERM for itself; and its processes end with the thread that starts them, so that stays this one."""
    kept = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in kept.items():
            signal.signal(number, handler)


@contextmanager
def _secrets_hidden() -> Iterator[None]:
    """Ray's processes inherit the environment."""
    hidden = {name: value for name, value in os.environ.items() if is_secret(name)}
    for name in hidden:
        del os.environ[name]
    try:
        yield
    finally:
        os.environ.update(hidden)


def _no_cluster(address: str, error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return (
        f"No Ray cluster answers at executor.address={address} ({lines[0] if lines else type(error).__name__}): "
        "start one (ray start --head), name its address, or say executor.address=local. "
        "Where it asks for a token, set RAY_AUTH_MODE=token, as for Ray's own commands."
    )
