"""What every worker can do, wherever its programs run; and how it can be lost."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from evalplus_run.errors import RunFailed
from evalplus_run.sandbox.execution import Execution, Job
from evalplus_run.sandbox.frames import OnBytes, OnFrame
from evalplus_run.sandbox.guest import protocol

if TYPE_CHECKING:
    from evalplus_run.records import Arguments


class WorkerLost(Exception):
    """The worker is of no more use; the caller starts another one."""


class WorkerDied(WorkerLost):
    """It was lost while a program ran: killed from outside, or an attack."""


class HostFault(WorkerLost):
    """It was lost, or failed, before the program began: no fault of the program."""


class TierUnavailable(RunFailed):
    """This machine does not give what the tier promises."""


class AnyWorker(ABC):
    """Runs one program at a time, for one thread. Use as a context manager, or call `close`."""

    def __enter__(self) -> Self:
        """The worker itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close."""
        self.close()

    @abstractmethod
    def load(self, key: str, suites: Sequence[Sequence[Arguments]]) -> None:
        """Hand over a task's inputs under a name, once for all its programs: the last few are kept.

        Raises WorkerLost; ValueError, here or in `run`, where they hold what cannot be sent.
        """

    @abstractmethod
    def run(self, job: Job, on_frame: OnFrame, *, on_bytes: OnBytes | None = None) -> Execution:
        """Run a program on its suites in their order; what it sends goes to `on_frame` as it comes.

        `on_bytes` may take results before they become frames. Raises WorkerLost.
        """

    @abstractmethod
    def kill(self) -> None:
        """End it and whatever it runs at once; from any thread. A call under way raises WorkerLost."""

    @abstractmethod
    def close(self) -> None:
        """Kill, and free what it held; safe to call twice."""


class ChannelWorker(AnyWorker):
    """One at the other end of a channel."""

    def __init__(self) -> None:
        self._loaded: list[str] = []

    def load(self, key: str, suites: Sequence[Sequence[Arguments]]) -> None:
        """As `AnyWorker` says."""
        if key in self._loaded:
            return
        self._send({"do": "task", "key": key, "suites": [list(suite) for suite in suites]})
        self._loaded = [*self._loaded, key][-protocol.KEPT_TASKS :]

    @abstractmethod
    def _send(self, message: dict[str, Any]) -> None:
        """Towards where programs run; raises HostFault."""
