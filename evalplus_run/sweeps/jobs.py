"""The jobs of sweeps, as their folder holds them: one file for each set of settings, whoever launches it.

Jobs may run in processes of their own and on other machines; they share nothing but this folder. A job's file is
named by its settings, so that the same job of a later sweep finds it, and no other touches it.
"""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Callable, Iterator, Mapping
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

State = Literal["begun", "finished", "failed", "ended"]
"""`begun` is what a killed job leaves behind; `ended` is one that a signal ended in order."""

_NO_RESULT_MOVES = ("sweep", "executor")
"""Sections that set where and how fast, not what."""
_SWEEPS_KEPT = 32
"""Commands that a job knows of: as many may be at work in one folder at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """What became of one job."""

    name: str
    """A hash of its settings."""
    overrides: tuple[str, ...]
    """What the user typed, with one value for what commas list."""
    sweeps: Mapping[str, int]
    """Its place in each command that had it of late, the last one last."""
    state: State
    begun: str
    """ISO 8601, UTC."""
    ended: str = ""
    run_dir: str = ""
    error: str = ""
    """What the user is told."""
    details: str = ""
    """A traceback, where the error is none that the user can mend."""
    host: str = ""
    process: int = 0

    @property
    def place(self) -> tuple[str, int]:
        """The command that had it last, and its place in that."""
        return list(self.sweeps.items())[-1]


_JOB = msgspec.json.Decoder(Job)


def name_of(settings: Mapping[str, Any]) -> str:
    """What a job of these settings, before they are checked, is called."""
    return short_hash({key: value for key, value in settings.items() if key not in _NO_RESULT_MOVES})


class JobFile:
    """One job's file in the sweep's folder."""

    def __init__(self, folder: Path, job: Job) -> None:
        self._path = folder / "jobs" / f"{job.name}.json"
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
                say("another process is at this job: waiting until it is through")
                self._lock.acquire()
        try:
            before = self._before()
            sweeps = [*(before.sweeps.items() if before else ()), *self.job.sweeps.items()][-_SWEEPS_KEPT:]
            # What is finished stays so while it is looked at again: another sweep may be telling of it.
            kept = {"state": before.state, "run_dir": before.run_dir} if before and before.state == "finished" else {}
            self.write(sweeps=dict(sweeps), begun=_now(), host=socket.gethostname(), process=os.getpid(), **kept)
            yield
        finally:
            self._lock.release()

    def close(self, state: State, *, run_dir: str = "", error: str = "", details: str = "") -> None:
        """How it ended."""
        self.write(state=state, ended=_now(), run_dir=run_dir, error=error, details=details)

    def write(self, **changes: Any) -> None:
        """Whole and atomically. Raises RunFailed where the disk is full or gone."""
        self.job = replace(self.job, **changes)
        with self._told():
            write_whole(self._path, json_text.encode(self.job, indent=2))

    def _before(self) -> Job | None:
        """What other commands left, that may be at work still and are to find it."""
        try:
            return _read(self._path)
        except UserError:  # a record that is broken is written anew
            return None

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise RunFailed(
                f"Cannot write {self._path} ({reason(error)}): mend that, or give another sweep.dir."
            ) from error


def jobs_in(folder: Path, sweep: str = "") -> list[Job]:
    """All jobs of a sweep's folder, or those that this sweep ran, each sweep's in their order.

    A file that holds none is named in a warning, and costs nobody the others.
    """
    found = list(_records(folder / "jobs"))
    if sweep:
        return sorted((job for job in found if sweep in job.sweeps), key=lambda job: job.sweeps[sweep])
    return sorted(found, key=lambda job: job.place)


def _records(folder: Path) -> Iterator[Job]:
    for path in folder.glob("*.json"):
        try:
            yield _read(path)
        except UserError as error:
            logger.warning("%s", error)


def _read(path: Path) -> Job:
    try:
        return json_text.decode_as(read_whole(path), _JOB)
    except (OSError, ValueError) as error:
        raise UserError(f"{path} is not a job's record ({reason(error)}): remove it.") from error


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
