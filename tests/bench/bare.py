"""Bare execution: what the programs themselves cost, as near to nothing else as can be.

A process with numpy imported forks a child for each sample, so many at once. The child takes resource limits as the
sandbox's child does (here no file can be written, and what is reserved counts as memory), compiles and executes the
program once, and calls it on each input up to its first failing test. Which test that is comes with the job: nothing
is compared, encoded, sent or isolated here. NO SANDBOX: for trusted samples only.

    python bare.py JOBS WORKERS RESULT     (JOBS: a file that `write_jobs` wrote; RESULT: {cpu, wall, longest} as JSON)
"""

from __future__ import annotations

import gc
import marshal
import os
import resource
import signal
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np  # noqa: F401 - what most programs find there

_STACK, _OPEN_FILES, _CPU_SECONDS = 120 << 20, 256, 600


class Job(NamedTuple):
    """One sample."""

    task_id: str
    entry_point: str
    source: str
    calls: Sequence[int]
    """For each suite of the task, how many of its inputs the program is called on."""
    seconds: float
    """CPU seconds after which the last call (or loading) is killed; 0 where it ends by itself."""


def write_jobs(path: Path, jobs: Iterable[Job], inputs: Mapping[str, Sequence[Sequence[Any]]], memory: int) -> None:
    """`inputs` are by task, then by suite; `memory` in bytes; jobs of one task should be neighbours."""
    packed = {task_id: marshal.dumps([list(suite) for suite in suites]) for task_id, suites in inputs.items()}
    path.write_bytes(marshal.dumps((memory, packed, [tuple(job) for job in jobs])))


def run(path: Path, workers: int) -> dict[str, float]:
    """Run all jobs; seconds: CPU of this process and its children, wall, CPU of the longest sample."""
    memory, packed, rows = marshal.loads(path.read_bytes())
    jobs = [Job(*row) for row in rows]
    task_id, inputs = "", []
    running: set[int] = set()
    longest = 0.0
    gc.collect()
    gc.freeze()
    cpu, wall = _cpu(), time.monotonic()
    for job in jobs:
        if job.task_id != task_id:
            task_id, inputs = job.task_id, marshal.loads(packed[job.task_id])
        if len(running) == workers:
            longest = max(longest, _wait(running))
        child = os.fork()
        if child == 0:
            _child(job, inputs, memory)
        running.add(child)
    while running:
        longest = max(longest, _wait(running))
    return {"cpu": _cpu() - cpu, "wall": time.monotonic() - wall, "longest": longest}


def _wait(running: set[int]) -> float:
    """Seconds of CPU of the next of these children that ends; who calls this may have others."""
    while True:
        child, _, used = os.wait4(-1, 0)
        if child in running:
            running.remove(child)
            return used.ru_utime + used.ru_stime


def _cpu() -> float:
    both = (resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN))
    return sum(used.ru_utime + used.ru_stime for used in both)


def _child(job: Job, inputs: Sequence[Sequence[Any]], memory: int) -> None:
    try:
        _limit(memory)
        last = max((number for number, calls in enumerate(job.calls) if calls), default=None)
        if last is None:
            _limit_seconds(job.seconds)
        namespace = {"__name__": "solution"}
        exec(compile(job.source, "<solution>", "exec"), namespace)
        function: Any = namespace.get(job.entry_point)
        for number, calls in enumerate(job.calls):
            for test in range(calls):
                if job.seconds and number == last and test == calls - 1:
                    _limit_seconds(job.seconds)
                try:
                    function(*inputs[number][test])
                except BaseException:
                    continue
    finally:
        os._exit(0)


def _limit(memory: int) -> None:
    with open("/proc/self/statm", "rb") as file:  # noqa: PTH123 - as cheap as can be
        used = int(file.read().split()[0]) * resource.getpagesize()
    for limit, value in (
        (resource.RLIMIT_CPU, _CPU_SECONDS),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_NOFILE, _OPEN_FILES),
        (resource.RLIMIT_STACK, _STACK),
        (resource.RLIMIT_AS, memory + used),
    ):
        resource.setrlimit(limit, (value, value))


def _limit_seconds(seconds: float) -> None:
    """The process dies so many CPU seconds from now; by the wall clock much later, in case it sleeps."""
    if seconds:
        signal.setitimer(signal.ITIMER_PROF, seconds)
        signal.setitimer(signal.ITIMER_REAL, 10 * seconds)


def main() -> None:
    """Programs print into nothing."""
    jobs, workers, result = sys.argv[1:]
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nowhere, stream)
    Path(result).write_text(str(run(Path(jobs), int(workers))).replace("'", '"'))


if __name__ == "__main__":
    main()
