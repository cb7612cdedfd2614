"""The jobs of sweeps, as their folder holds them: one file for each set of overrides, whoever launches it.

Jobs may run in processes of their own and on other machines; they share nothing but this folder. A job's file is
named by its overrides, so that the same job of a later sweep finds it, no other touches it, and the command, which
knows the names beforehand, finds it where the folder's listing, on a network's file system, is behind.

A job at work holds a lock beside its file, and so does a run in its folder. It is the kernel's (flock), and goes with
the process, however that ends. On a folder that machines share it is the file server's: NFS 4 lets the lock of a
machine that died go within minutes, NFS 3 only once that machine is up again; Lustre keeps it for all machines where it
is mounted with `flock`, and for each alone with `localflock`. A folder without any such locks has a file in their
place, which stays where its machine died. Who waits says who has the lock, and which file to remove where that one is
gone for good.
"""

from __future__ import annotations

import errno
import logging
import os
import socket
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

import msgspec
from filelock import FileLock, Timeout

from evalplus_run import json_text
from evalplus_run.files import read_whole, reason, write_whole
from evalplus_run.records import RunFailed, UserError
from evalplus_run.runs import short_hash

logger = logging.getLogger(__name__)

State = Literal["begun", "finished", "failed", "ended", "waiting", "unreadable"]
"""`begun` is what a killed job leaves behind; `ended` is one that a signal ended in order. The last two are in no
file: of a job that its command did not come to, and of one whose file cannot be read."""

_SWEEPS_KEPT = 32
"""Commands that a job knows of: as many may be at work in one folder at once."""
_TRIES = 3
"""At a file that another machine replaces meanwhile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """What became of one job."""

    name: str
    """A hash of its overrides."""
    overrides: tuple[str, ...]
    """What the user typed, with one value for what commas list."""
    sweeps: Mapping[str, int]
    """Its place in each command that had it of late, the last one last."""
    state: State
    begun: str
    """ISO 8601, UTC."""
    ended: str = ""
    run_dir: str = ""
    """In the file, from the folder of all runs on, if it lies there."""
    error: str = ""
    """What the user is told."""
    details: str = ""
    """A traceback, where the error is none that the user can mend."""
    host: str = ""
    process: int = 0
    queued_as: str = ""
    """Its id in Slurm's queue, if it is of one."""

    @property
    def whereabouts(self) -> str:
        """Where it runs or ran, and how it is ended."""
        queued = f", ended by scancel {self.queued_as}" if self.queued_as else ""
        return f"process {self.process} on {self.host}{queued}"

    @property
    def place(self) -> tuple[str, int]:
        """The command that had it last, and its place in that."""
        return list(self.sweeps.items())[-1]

    @property
    def words(self) -> str:
        """What people know it by."""
        return " ".join(self.overrides) or "the job without any override"


_JOB = msgspec.json.Decoder(Job)


def name_of(overrides: Sequence[str]) -> str:
    """What a job of these overrides is called, in whatever order they were typed."""
    return short_hash({"overrides": sorted(overrides)})


def path_of(folder: Path, name: str) -> Path:
    """Where a job's file is in the folder of all runs."""
    return folder / "jobs" / f"{name}.json"


class JobFile:
    """One job's file in the sweep's folder."""

    def __init__(self, folder: Path, job: Job) -> None:
        self._folder = folder
        self._path = path_of(folder, job.name)
        self._lock = FileLock(self._path.with_name(f".{job.name}.lock"))
        self.job = job

    @contextmanager
    def held(self, say: Callable[[str], None]) -> Iterator[None]:
        """While the job runs. Where another process is at the same job, this says so and waits until it is through."""
        with self._told():
            self._path.parent.mkdir(parents=True, exist_ok=True)
            try:
                self._lock.acquire(timeout=0)
            except Timeout:
                other = before.whereabouts if (before := self._before()) else "which has not said where it is"
                say(
                    f"another process is at this job ({other}): waiting until it is through; "
                    f"where it is gone for good, remove {self._lock.lock_file}"
                )
                self._lock.acquire()
        try:
            before = self._before()
            sweeps = [*(before.sweeps.items() if before else ()), *self.job.sweeps.items()][-_SWEEPS_KEPT:]
            # What is finished stays so while it is looked at again: another sweep may be telling of it.
            kept = {"state": before.state, "run_dir": before.run_dir} if before and before.state == "finished" else {}
            self.write(sweeps=dict(sweeps), begun=_now(), **_here(), **kept)
            yield
        finally:
            self._lock.release()

    @property
    def is_held(self) -> bool:
        """Whether a process is at the job."""
        try:
            with self._lock.acquire(timeout=0):
                return False
        except Timeout:
            return True

    def close(self, state: State, *, run_dir: str = "", error: str = "", details: str = "") -> None:
        """How it ended."""
        self.write(state=state, ended=_now(), run_dir=self._from_folder(run_dir), error=error, details=details)

    def write(self, **changes: Any) -> None:
        """Whole and atomically. Raises RunFailed where the disk is full or gone."""
        self.job = replace(self.job, **changes)
        with self._told():
            write_whole(self._path, json_text.encode(self.job, indent=2))

    def _before(self) -> Job | None:
        """What other commands left, that may be at work still and are to find it."""
        try:
            return _read(self._path)
        except (OSError, UserError):  # a record that is broken is written anew
            return None

    def _from_folder(self, run_dir: str) -> str:
        """So that the folder can be moved, and read from anywhere."""
        if not run_dir:
            return ""
        path, folder = Path(run_dir).absolute(), self._folder.absolute()
        return str(path.relative_to(folder) if path.is_relative_to(folder) else path)

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise RunFailed(
                f"Cannot write {self._path} ({reason(error)}): mend that, or give another sweep.dir."
            ) from error


def jobs_in(folder: Path, sweep: str = "") -> list[Job]:
    """All jobs that a sweep's folder lists, or those that this sweep began, each sweep's in their order.

    A file that holds none is named in a warning, and costs nobody the others.
    """
    found = list(_records(folder))
    if sweep:
        return sorted((job for job in found if sweep in job.sweeps), key=lambda job: job.sweeps[sweep])
    return sorted(found, key=lambda job: job.place)


def job_of(folder: Path, sweep: str, number: int, overrides: tuple[str, ...]) -> Job:
    """What became of this job of a sweep, from its own file alone."""
    name = name_of(overrides)
    job = Job(name=name, overrides=overrides, sweeps={sweep: number}, state="waiting", begun="")
    try:
        found = _placed(_read(path_of(folder, name)), folder)
    except FileNotFoundError:
        return job
    except (OSError, UserError) as error:
        return replace(job, state="unreadable", error=str(error))
    return found if sweep in found.sweeps else job


def at_work_in(folder: Path, names: Collection[str]) -> list[Job]:
    """Those with these names that other commands are running now."""
    found = (job for job in jobs_in(folder) if job.name in names and job.state == "begun")
    return [job for job in found if JobFile(folder, job).is_held]


def _here() -> Mapping[str, Any]:
    """What a job's record says of this process."""
    array, task = os.environ.get("SLURM_ARRAY_JOB_ID"), os.environ.get("SLURM_ARRAY_TASK_ID")
    queued_as = f"{array}_{task}" if array else os.environ.get("SLURM_JOB_ID", "")
    return {"host": socket.gethostname(), "process": os.getpid(), "queued_as": queued_as}


def _records(folder: Path) -> Iterator[Job]:
    try:
        paths = list((folder / "jobs").glob("*.json"))
    except OSError as error:
        logger.warning("%s cannot be listed (%s): give the same command again.", folder / "jobs", reason(error))
        return
    for path in paths:
        try:
            yield _placed(_read(path), folder)
        except FileNotFoundError:
            continue
        except (OSError, UserError) as error:
            logger.warning("%s", error)


def _placed(job: Job, folder: Path) -> Job:
    """With its run's folder from here."""
    return replace(job, run_dir=str(folder / job.run_dir)) if job.run_dir else job


def _read(path: Path) -> Job:
    """Raises FileNotFoundError, and UserError for one that is there and holds no job."""
    try:
        return json_text.decode_as(_fresh(path), _JOB)
    except FileNotFoundError:
        raise
    except (OSError, ValueError) as error:
        raise UserError(
            f"{path} is not a job's record ({reason(error)}): remove it, if nothing is at work there."
        ) from error


def _fresh(path: Path) -> bytes:
    for _ in range(_TRIES - 1):
        try:
            return read_whole(path)
        except OSError as error:
            if error.errno != errno.ESTALE:
                raise
    return read_whole(path)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
