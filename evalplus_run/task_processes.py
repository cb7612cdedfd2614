"""Work on one task after the other in processes that each have a worker of the sandbox."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar

from evalplus_run.evaluate.judging import Rules
from evalplus_run.machine import usable_cores
from evalplus_run.records import RunFailed
from evalplus_run.sandbox.any_worker import AnyWorker, WorkerLost
from evalplus_run.sandbox.starting import start_worker

Job = TypeVar("Job")
Row = TypeVar("Row")
Work = Callable[[AnyWorker, Job], Row]

_LIVES = 3
"""Times that a task is begun where the sandbox is lost meanwhile."""


def all_done(work: Work[Job, Row], jobs: Sequence[tuple[str, Job]], rules: Rules, workers: int | None) -> Iterator[Row]:
    """What `work`, which travels to the processes, gives for each job, (its task's id, itself), as they are finished.

    It must not hang on which process does it, or when. `rules` say how programs are isolated. Raises RunFailed where a
    process is killed.
    """
    if not jobs:
        return
    number = min(workers or usable_cores(), len(jobs))
    processes = ProcessPoolExecutor(number, multiprocessing.get_context("spawn"), _begin, (work, rules))
    try:
        waiting = [processes.submit(_do, *job) for job in jobs]
        for each in as_completed(waiting):
            yield each.result()
    except BrokenProcessPool as error:
        raise RunFailed("A process of this command was killed: the same command again goes on from here.") from error
    finally:
        for process in multiprocessing.active_children():
            process.terminate()
        processes.shutdown(cancel_futures=True)


class _Own:
    """What a process holds."""

    work: Work[Any, Any]
    rules: Rules
    worker: AnyWorker | None = None


def _begin(work: Work[Any, Any], rules: Rules) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends it
    _Own.work, _Own.rules = work, rules
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """A parent that is killed cannot say so."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _do(task_id: str, job: Any) -> Any:
    rules = _Own.rules
    for _ in range(_LIVES):
        if _Own.worker is None:
            _Own.worker = start_worker(rules.tier, rules.wrapper, rules.image, memory=rules.memory)
        try:
            return _Own.work(_Own.worker, job)
        except WorkerLost as error:
            _Own.worker.close()
            _Own.worker = None
            why = str(error)
    raise RunFailed(f"The sandbox was lost {_LIVES} times at {task_id} ({why}).")
