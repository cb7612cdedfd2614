"""A sweep: what each of its jobs does, in whatever process it runs, and what the command tells at the end."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from evalplus_run import config, pipeline
from evalplus_run.config import Config
from evalplus_run.endings import TOLD, ending
from evalplus_run.engines import Engines
from evalplus_run.evaluate.workers import usable_cores
from evalplus_run.files import user_path
from evalplus_run.records import RunFailed, UserError
from evalplus_run.report.summary import RunSummary
from evalplus_run.report.terminal import results_console
from evalplus_run.sweeps.jobs import Job, JobFile, jobs_in, name_of
from evalplus_run.sweeps.settings import SweepSettings
from evalplus_run.sweeps.table import print_sweep

_IN_TURN: ContextVar[Engines | None] = ContextVar("engines of the jobs that this process runs in turn", default=None)


@dataclass(frozen=True, slots=True)
class Sweep:
    """One command, as each of its jobs knows it."""

    name: str
    """When it began, and its process: no two have the same."""
    command: tuple[str, ...]
    """What the user typed."""

    def run(self, settings: Mapping[str, Any], *, number: int, overrides: tuple[str, ...], at_once: int) -> None:
        """One job, from its composed configuration; what becomes of it is written down, and not raised.

        Raises UserError and RunFailed where it cannot be written down.
        """
        chosen = _settings(settings)
        folder = user_path(chosen.dir)
        if chosen.fail_fast and any(job.state == "failed" for job in jobs_in(folder, self.name)):
            return
        job = Job(name=name_of(settings), overrides=overrides, sweeps={self.name: number}, state="begun", begun="")
        file = JobFile(folder, job)
        _say(f"job {number}: {' '.join(overrides)}")
        with file.held(_say):
            self._run(file, settings, at_once)
        if file.job.error:
            _say(file.job.details + f"job {number} failed: {file.job.error}")

    def jobs(self, folder: str) -> list[Job]:
        """Those that have begun in this folder."""
        return jobs_in(user_path(folder), self.name) if folder else []

    def tell(self, folder: str) -> None:
        """The table of the runs on standard output.

        Raises RunFailed where jobs failed, or did not end, and UserError where there was none.
        """
        jobs = self.jobs(folder)
        if not jobs:
            raise UserError("The sweep has no job: a glob(…) found nothing, or sweep.dir is another for each of them.")
        print_sweep(jobs, results_console())
        if bad := [job.state for job in jobs if job.state != "finished"]:
            what = "failed" if set(bad) == {"failed"} else "failed or did not end"
            raise RunFailed(
                f"{len(bad)} of the sweep's {len(jobs)} jobs {what}: see {Path(folder) / 'jobs'}."
                " The same command again goes on with those alone."
            )

    def _run(self, file: JobFile, settings: Mapping[str, Any], at_once: int) -> None:
        try:
            parsed = _sharing_cores(config.parse(settings), at_once)
            with _engines() as engines:
                summary = self._judged(parsed, engines)
        except BrokenPipeError:
            file.close("ended")
            raise
        except TOLD as error:
            file.close("failed", error=ending(error)[0])
        except Exception as error:
            file.close("failed", error=f"{type(error).__name__}: {error}", details=traceback.format_exc())
        except BaseException:
            file.close("ended")
            raise
        else:
            file.close("finished", run_dir=summary.run_dir)

    def _judged(self, parsed: Config, engines: Engines) -> RunSummary:
        engines.reused = False
        try:
            return pipeline.run(parsed, engines, command=self.command, in_sweep=True)
        except RunFailed as error:
            if not engines.reused:
                raise
            # It may have died since the job before, which says nothing of this one.
            _say(f"the engine that was loaded for an earlier job failed ({error}): once more with a new one")
            return pipeline.run(parsed, engines, command=self.command, in_sweep=True)


@contextmanager
def under_way(command: Sequence[str]) -> Iterator[Sweep]:
    """A sweep by this command, whose jobs share what they load as long as they run in this process."""
    sweep = Sweep(f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%S.%f}-{os.getpid()}", tuple(command))
    with Engines(keep=True) as engines:
        token = _IN_TURN.set(engines)
        try:
            yield sweep
        finally:
            _IN_TURN.reset(token)


@contextmanager
def _engines() -> Iterator[Engines]:
    """Those of the command, in its own process; elsewhere, where no job need follow, some for this one job."""
    if (shared := _IN_TURN.get()) is not None:
        yield shared
        return
    with Engines() as own:
        yield own


def _settings(raw: Mapping[str, Any]) -> SweepSettings:
    found: SweepSettings = config.section("sweep", SweepSettings, raw.get("sweep") or {})
    return found


def _sharing_cores(parsed: Config, at_once: int) -> Config:
    """With so many jobs at once, each has its share of this machine's cores, where nothing else is asked."""
    if at_once == 1 or parsed.executor.name != "local" or parsed.executor.workers is not None:
        return parsed
    return replace(parsed, executor=replace(parsed.executor, workers=max(usable_cores() // at_once, 1)))


def _say(text: str) -> None:
    print(text, file=sys.stderr)  # noqa: T201
