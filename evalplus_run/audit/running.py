"""One program on inputs, one after the other, whatever it does on any of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from threading import Lock
from types import TracebackType
from typing import Self, TypeVar
from uuid import uuid4

from evalplus_run.evaluate.judging import Rules
from evalplus_run.evaluate.workers import Workers
from evalplus_run.judge import collects
from evalplus_run.records import Arguments, RunFailed, Task
from evalplus_run.sandbox import Ending, Execution, Job, SuiteLimits
from evalplus_run.sandbox.any_worker import AnyWorker, WorkerDied
from evalplus_run.sandbox.guest import protocol

Answer = TypeVar("Answer")

REFERENCE_SECONDS = 600.0
"""Of CPU time that a reference may take on one input."""
_LARGEST_VALUE = 1 << 30
_MOST_DEATHS = 3
"""Of the process that runs a program, after which it is not run on the inputs that are left."""


@dataclass(frozen=True, slots=True)
class Did:
    """What a program did on one input."""

    value: bytes = b""
    """Encoded; of a long one the digest. Empty where it returned none."""
    is_digest: bool = False
    error: str = ""
    """Why it returned none: `ZeroDivisionError: division by zero`, or how its process ended."""


class Runner:
    """Runs programs in the sandbox, for as many threads as it has workers; a context manager."""

    def __init__(self, rules: Rules, workers: int) -> None:
        self.rules = rules
        self.number = workers
        self._workers: dict[int, Workers] = {}
        """By hash seed: most are needed for one task or none."""
        self._lock = Lock()
        self._held = ExitStack()

    def __enter__(self) -> Self:
        """Itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Kill and close all workers."""
        self._held.close()

    def call(self, work: Callable[..., Answer], *arguments: object, hash_seed: int = 0) -> Answer:
        """What `work(worker, …)` gives. Raises RunFailed where no worker lives long enough."""
        with self._lock:
            if hash_seed not in self._workers:
                self._workers[hash_seed] = self._held.enter_context(Workers(self.rules, self.number, hash_seed))
        try:
            return self._workers[hash_seed].call(work, *arguments)
        except WorkerDied as error:
            raise RunFailed(f"A worker of the sandbox died twice over one program: {error}") from error

    def run(
        self,
        task: Task,
        inputs: Sequence[Arguments],
        *,
        program: str = "",
        seconds: float = REFERENCE_SECONDS,
        hash_seed: int = 0,
        in_full: bool = False,
    ) -> list[Did]:
        """What a program, else the task's reference, did on each input, run on them in their order.

        `seconds` of CPU time may one input take; values come `in_full` however long, else as digests. An input on which
        the program's process ends costs those after it nothing, unless that happens again and again.
        """
        did: list[Did] = []
        for _ in range(_MOST_DEATHS):
            if len(did) == len(inputs):
                return did
            left = inputs[len(did) :]
            did += self.call(self._run, task, program or task.reference, left, seconds, in_full, hash_seed=hash_seed)
        return did + [Did(error="not run, since others ended its process")] * (len(inputs) - len(did))

    def _run(
        self,
        worker: AnyWorker,
        task: Task,
        program: str,
        inputs: Sequence[Arguments],
        seconds: float,
        in_full: bool,
    ) -> list[Did]:
        """Of the inputs up to the first on which its process ended; of all where it cannot be loaded."""
        did: list[Did] = []
        failure = ""

        def on_frame(_: int, test: int, kind: int, payload: bytes) -> bool:
            nonlocal failure
            if test >= 0:
                did.append(_did(kind, payload))
            elif kind != protocol.STARTED:
                failure = _why(kind, payload)
            return True

        key = uuid4().hex
        worker.load(key, [inputs])
        job = Job(
            program=program,
            entry_point=task.entry_point,
            key=key,
            limits={0: SuiteLimits([seconds] * len(inputs), seconds * len(inputs))},
            load_limit=seconds,
            memory=self.rules.memory,
            collect=collects(task),
            max_bytes=_LARGEST_VALUE,
            whole=[(0, test) for test in range(len(inputs))] if in_full else (),
        )
        execution = worker.run(job, on_frame)
        if failure or (execution.ending is not Ending.FINISHED and execution.test is None):
            return [Did(error=failure or _ending(execution))] * len(inputs)
        return did if execution.ending is Ending.FINISHED else [*did, Did(error=_ending(execution))]


def _did(kind: int, payload: bytes) -> Did:
    if kind in (protocol.VALUE, protocol.DIGEST):
        return Did(payload, kind == protocol.DIGEST)
    return Did(error=_why(kind, payload))


def _why(kind: int, payload: bytes) -> str:
    if kind == protocol.NO_ENTRY_POINT:
        return "it defines no such function"
    if kind == protocol.TOO_LARGE:
        return "it returns a value that is too large"
    error, text, _ = protocol.parse_error(payload)
    return f"{error}: {text}" if text else error


def _ending(execution: Execution) -> str:
    return f"{execution.ending}, {execution.detail}" if execution.detail else str(execution.ending)
