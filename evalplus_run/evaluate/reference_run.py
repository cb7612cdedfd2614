"""Running a reference in the sandbox: whatever is not a value that can be compared stops the run."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from evalplus_run.judge import collects, representable, shorten
from evalplus_run.records import Arguments, RunFailed, Task
from evalplus_run.sandbox import Ending, Execution, Job, SuiteLimits
from evalplus_run.sandbox.any_worker import AnyWorker
from evalplus_run.sandbox.guest import protocol

_LIMIT = 600.0
"""CPU seconds that a reference may take on a suite."""
_LARGEST_VALUE = 1 << 30


@dataclass(frozen=True, slots=True)
class ReferenceRun:
    """What a reference returned, by the number of the suite."""

    execution: Execution
    values: list[list[bytes]]
    """Encoded; in place of long ones, their digests."""
    digests: list[list[int]]
    """The tests whose value is a digest."""


def run_reference(
    worker: AnyWorker,
    task: Task,
    key: str,
    suites: Sequence[Sequence[Arguments]],
    *,
    memory: int,
    whole: Collection[tuple[int, int]] = (),
) -> ReferenceRun:
    """Run the task's reference on suites of inputs; `key` names them in the worker.

    Values of the tests `whole`, (suite, test), come in full however long. Raises RunFailed where the reference
    raises, dies, takes too long, or returns what cannot be compared.
    """
    values: list[list[bytes]] = [[] for _ in suites]
    digests: list[list[int]] = [[] for _ in suites]

    def on_frame(number: int, test: int, kind: int, payload: bytes) -> bool:
        if kind == protocol.STARTED:
            return True
        if kind not in (protocol.VALUE, protocol.DIGEST):
            raise reference_failed(task, _why(kind, payload))
        if kind == protocol.DIGEST:
            digests[number].append(test)
        elif not representable(payload, task):  # in a long value it is the second run that tells
            raise reference_failed(task, f"test {test} returns {shorten(payload)}, which cannot be compared")
        values[number].append(payload)
        return True

    try:
        worker.load(key, suites)
    except ValueError as error:
        raise reference_failed(task, f"its inputs hold values that cannot be sent to a program: {error}") from error
    job = Job(
        program=task.reference,
        entry_point=task.entry_point,
        key=key,
        limits={number: SuiteLimits([_LIMIT] * len(inputs), _LIMIT) for number, inputs in enumerate(suites)},
        load_limit=_LIMIT,
        leaving_limit=_LIMIT,  # nothing is lost by waiting, and a machine may stand still for a moment
        memory=memory,
        collect=collects(task),
        max_bytes=_LARGEST_VALUE,
        whole=whole,
    )
    execution = worker.run(job, on_frame)
    if execution.ending is not Ending.FINISHED:
        raise reference_failed(task, f"{execution.ending} at test {execution.test} {execution.detail}".strip())
    return ReferenceRun(execution, values, digests)


def reference_failed(task: Task, why: str) -> RunFailed:
    """The error that stops a run."""
    return RunFailed(f"The reference of {task.task_id} fails in the sandbox ({why}): no score can be made.")


def _why(kind: int, payload: bytes) -> str:
    if kind == protocol.NO_ENTRY_POINT:
        return "it defines no such function"
    if kind == protocol.TOO_LARGE:
        return "it returns a value that is too large"
    error, text, _ = protocol.parse_error(payload)
    return f"{error}: {text}"
