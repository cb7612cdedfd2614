"""The connection to a Ray cluster, or one of this machine alone; quiet, and without anything sent to anybody."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Any

from evalplus_run.machine import usable_cores
from evalplus_run.records import UserError
from evalplus_run.secret import is_secret

_QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",
    # Ray tells of nodes that died on standard output, where nothing but results belongs; we tell that ourselves.
    # All its messages match; it looks at this when it is imported.
    "RAY_DEDUP_LOGS_SKIP_REGEX": "^",
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
    """While connected; `local` starts a cluster of `workers` CPUs that ends with it. UserError where there is none.

    A SIGTERM to the whole process group ends the processes of a `local` cluster too: Ray's library, which ends any
    process whose node is gone, may then be faster than we are (status 1, nothing told). What is stored stays.
    """
    for name, value in _QUIET.items():
        os.environ.setdefault(name, value)
    import ray

    try:
        with _signals_kept():
            _init(address, workers)
        yield
    finally:
        with _signals_kept():
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
    try:
        if address == "local":
            with _secrets_hidden():
                _begin(address, num_cpus=workers or usable_cores(), include_dashboard=False)
        else:
            _knock(address)
            _begin(address)
    except (ConnectionError, ValueError, RuntimeError, OSError, OverflowError, ImportError) as error:
        raise UserError(_no_cluster(address, error)) from error


def _begin(address: str, **how: Any) -> None:
    import ray

    ray.init(address=address, log_to_driver=False, logging_level="ERROR", **how)


def _knock(address: str) -> None:
    """OSError where nobody listens at HOST:PORT, for which Ray would try for minutes."""
    host, _, port = address.rpartition("://")[2].rpartition(":")
    if host and port.isdecimal():
        socket.create_connection((host.strip("[]"), int(port)), _KNOCK_SECONDS).close()


@contextmanager
def _signals_kept() -> Iterator[None]:
    """Ray takes SIGTERM for itself where it begins, and leaves it to the system where it ends.

    (That it takes it in the main thread alone is no way out: its processes end with the thread that starts them.)
    One Ctrl-C waits until Ray is through, or some of its processes would outlive it for a while.
    """
    kept = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    waiting: list[int] = []

    def wait(number: int, frame: FrameType | None) -> None:
        if waiting:
            signal.default_int_handler(number, frame)
        waiting.append(number)

    signal.signal(signal.SIGINT, wait)
    try:
        yield
    except SystemExit:
        waiting.append(signal.SIGTERM)  # what Ray makes of it meanwhile
    finally:
        for number, handler in kept.items():
            signal.signal(number, handler)
    for came in waiting:
        signal.raise_signal(came)


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
