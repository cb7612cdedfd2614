"""Jobs of a sweep that submitit has sent away, from the process that sent them: waited for, or ended with it."""

from __future__ import annotations

import gc
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from submitit import Job, LocalJob

_PATIENCE = 15.0
"""Seconds for jobs of this machine to end in order; submitit kills them after one."""
_LOOK = 0.05


def wait() -> None:
    """Until all of them are through: the launcher itself ends with the first that is lost, whatever the others do."""
    for job in _sent():
        job.wait()


def cancel() -> Iterator[str]:
    """End all of them; what became of them, in sentences."""
    if not (sent := _sent()):
        return
    from submitit import LocalJob, SlurmJob

    if queued := sorted({job.job_id.partition("_")[0] for job in sent if isinstance(job, SlurmJob)}):
        yield _cancel_queued(queued)
    if here := [job for job in sent if isinstance(job, LocalJob) and not job.done()]:
        yield _cancel_here(here)


def _sent() -> list[Job[Any]]:
    """Those that are not forgotten: what the launcher raised holds its own as long as it is being handled."""
    if "submitit" not in sys.modules:
        return []
    from submitit import Job

    # Neither submitit nor Hydra's launcher keeps a list that could be asked for. By the type itself: some objects
    # load a library where they are asked what they are.
    return [each for each in gc.get_objects() if issubclass(type(each), Job)]


def _cancel_queued(ids: list[str]) -> str:
    command = ["scancel", *ids]
    shown = " ".join(command)
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
        why = "" if done.returncode == 0 else done.stderr.strip() or f"status {done.returncode}"
    except OSError as error:
        why = error.strerror or str(error)
    if why:
        return f"the jobs go on in Slurm's queue, where they could not be cancelled ({why}): end them by {shown}"
    return f"the jobs are cancelled ({shown}); Slurm gives those at work half a minute, or what its KillWait says"


def _cancel_here(jobs: list[LocalJob[Any]]) -> str:
    for job in jobs:
        job.cancel()
    over = time.monotonic() + _PATIENCE
    while (left := [job for job in jobs if not job.done()]) and time.monotonic() < over:
        time.sleep(_LOOK)
    if left:
        return f"jobs go on on this machine: end them by kill {' '.join(job.job_id for job in left)}"
    return f"jobs that were at work on this machine, and are ended: {len(jobs)}"
