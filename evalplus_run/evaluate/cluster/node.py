"""What runs on each node: one actor, with sandbox workers of its own."""

from __future__ import annotations

import importlib.metadata
import platform
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, TypeVar

from evalplus_run import __version__
from evalplus_run.evaluate.judging import Attempt, Rules
from evalplus_run.evaluate.suites import Expected, TaskTests
from evalplus_run.evaluate.workers import Workers
from evalplus_run.records import Program, Task, UserError, Verdict
from evalplus_run.sandbox import TierName, memory, tiers
from evalplus_run.sandbox.settings import SandboxSettings

_STEP = 256 << 20
"""Bytes: machines of one kind differ by less in the memory that they tell."""

BESIDE, WATCH = "beside", "watch"
"""The calls that do not judge, and the one by which the parent hears of a death: concurrency groups of Ray's."""
Method = TypeVar("Method", bound=Callable[..., Any])

Reference = tuple[Task, str, Expected]
"""A task, its key, and what its reference did: all that a node needs to judge programs of it."""


@dataclass(frozen=True, slots=True)
class Offer:
    """What a node can do."""

    host: str
    versions: Mapping[str, str] = field(default_factory=dict)
    """Of what moves a verdict."""
    tier: TierName = "none"
    """The strongest that starts there, or the one that was asked for."""
    memory: int = 0
    """Bytes that one program may have."""
    refusal: str = ""
    """Why it can judge nothing; empty where it can."""


def versions() -> dict[str, str]:
    """Those of this machine that must be the same wherever programs of one run are judged."""
    return {
        "evalplus-run": __version__,
        "Python": platform.python_version(),
        "numpy": importlib.metadata.version("numpy"),
    }


def _in_steps(wanted: int) -> int:
    """Bytes that a program may have here, of those that are wanted."""
    had = memory.at_most(wanted)
    return had if had == wanted else had - had % _STEP or had


def _in_group(name: str) -> Callable[[Method], Method]:
    """Has a thread of its own, and so waits for no worker; what `ray.method` does, which needs Ray to be there."""

    def put(method: Method) -> Method:
        method.__ray_concurrency_group__ = name  # type: ignore[attr-defined]
        return method

    return put


class Node:
    """The actor: called by the parent of the run alone, in as many threads as it has workers, and two besides."""

    def __init__(self, workers: int) -> None:
        self._number = workers
        self._workers: Workers | None = None
        self._tests: dict[str, Future[TaskTests]] = {}

    @_in_group(BESIDE)
    def offer(self, sandbox: SandboxSettings) -> Offer:
        """What this node can do, tried out."""
        host = platform.node()
        try:
            tier = tiers.choose_tier(sandbox)
        except UserError as error:
            return Offer(host, versions(), refusal=str(error))
        return Offer(host, versions(), tier, _in_steps(sandbox.memory << 20))

    @_in_group(BESIDE)
    def open(self, rules: Rules, gives_way: bool) -> None:
        """Have workers under the rules of a run."""
        self._workers = Workers(rules, self._number)
        self._workers.give_way(gives_way)
        self._workers.warm()

    @_in_group(BESIDE)
    def give_way(self, gives: bool) -> None:
        """As `Workers` say."""
        self._open_workers.give_way(gives)

    @_in_group(WATCH)
    def live(self) -> None:
        """Ends with the actor."""
        threading.Event().wait()

    def prepare(self, task: Task) -> tuple[Reference, bool]:
        """What the task's reference does, and whether what was kept of it was broken; raises RunFailed."""
        tests = self._open_workers.prepare(task)
        return (tests.task, tests.key, tests.expected), tests.made_again

    def judge(self, name: str, references: Sequence[Any], program: Program, attempt: Attempt) -> Verdict:
        """Judge a program of the task of this name.

        `references` holds where its `Reference` lies, in the first call for the task; that is fetched once.
        """
        ready = self._future(name)
        if references:
            try:
                ready.set_result(self._fetch(references[0]))
            except BaseException as error:
                ready.set_exception(error)
        return self._open_workers.judge(ready.result(), program, attempt)

    @_in_group(BESIDE)
    def close(self) -> None:
        """End all workers with what they run."""
        if self._workers is not None:
            self._workers.kill()

    def _fetch(self, place: Any) -> TaskTests:
        import ray

        task, key, expected = ray.get(place)
        return self._open_workers.adopt(task, key, expected)

    def _future(self, name: str) -> Future[TaskTests]:
        return self._tests.setdefault(name, Future())

    @property
    def _open_workers(self) -> Workers:
        if self._workers is None:
            raise RuntimeError("no run was opened on this node")
        return self._workers
