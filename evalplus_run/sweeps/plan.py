"""What a sweep is to do: the list of its jobs, made before the first one begins."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from evalplus_run import json_text
from evalplus_run.files import read_whole, reason, write_whole
from evalplus_run.sweeps.jobs import Job, job_of, jobs_in

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """One command."""

    sweep: str
    """Its name."""
    jobs: tuple[tuple[str, ...], ...]
    """The overrides of each."""

    def write(self, folder: Path) -> None:
        """As that of the folder's latest command. Raises OSError."""
        write_whole(_path(folder), json_text.encode(self, indent=2))

    def so_far(self, folder: Path) -> list[Job]:
        """What has become of each job, in their order; the same one twice is one."""
        numbers = {tuple(sorted(job)): (number, job) for number, job in enumerate(self.jobs)}
        return [job_of(folder, self.sweep, number, job) for number, job in numbers.values()]


_PLAN = msgspec.json.Decoder(Plan)


def latest(folder: Path) -> Plan:
    """That of the folder's latest command; an empty one where there was none, or with a warning where it is broken."""
    try:
        return json_text.decode_as(read_whole(_path(folder)), _PLAN)
    except FileNotFoundError:
        pass
    except (OSError, ValueError) as error:
        logger.warning("%s is not a sweep's list of jobs (%s): remove it.", _path(folder), reason(error))
    return Plan(sweep="", jobs=())


def earlier(folder: Path, now: Sequence[Job]) -> list[Job]:
    """The jobs of this folder that the latest command, whose jobs these are, has not any more."""
    names = {job.name for job in now}
    return [job for job in jobs_in(folder) if job.name not in names]


def _path(folder: Path) -> Path:
    return folder / "sweep.json"
