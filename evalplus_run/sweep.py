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
from evalplus_run.files import reason, user_path
from evalplus_run.machine import usable_cores
from evalplus_run.records import RunFailed
from evalplus_run.report.summary import RunSummary
from evalplus_run.report.terminal import results_console
from evalplus_run.sweeps.jobs import Job, JobFile, State, jobs_in, name_of
from evalplus_run.sweeps.names import told_apart
from evalplus_run.sweeps.plan import Plan
from evalplus_run.sweeps.settings import SweepSettings
from evalplus_run.sweeps.table import print_jobs, print_runs, results_of
from evalplus_run.words import counted

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
        job = Job(name=name_of(overrides), overrides=overrides, sweeps={self.name: number}, state="begun", begun="")
        file = JobFile(folder, job)
        say(f"job {number}: {job.words}")
        with file.held(say):
            self._run(file, settings, at_once)
        if file.job.error:
            say(file.job.details + f"job {number} failed: {file.job.error}")

    def _run(self, file: JobFile, settings: Mapping[str, Any], at_once: int) -> None:
        try:
            parsed = _sharing_cores(config.parse(settings), at_once)
            with _engines() as engines:
                summary = self._judged(parsed, engines)
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
        engines.broke = False
        try:
            return pipeline.run(parsed, engines, command=self.command, in_sweep=True)
        except RunFailed as error:
            if not engines.broke:
                raise
            # It may have died since the job before, which says nothing of this one.
            say(f"the engine that was loaded for an earlier job failed ({error}): once more with a new one")
            return pipeline.run(parsed, engines, command=self.command, in_sweep=True)


_ENDS: Mapping[State, str] = {
    "failed": "failed",
    "begun": "did not end",
    "ended": "were ended by a signal",
    "unreadable": "have a record that cannot be read",
    "waiting": "were not begun",
}


class Launched:
    """The sweep, as the command's own process knows it."""

    def __init__(self, sweep: Sweep) -> None:
        self.sweep = sweep
        self._folder = Path()
        self._plan = Plan(sweep=sweep.name, jobs=())

    def plan(self, folder: str, jobs: Sequence[tuple[str, ...]]) -> None:
        """Note what is to be done where, for the end and for those who ask meanwhile; nothing has begun yet."""
        self._folder = user_path(folder)
        self._plan = Plan(sweep=self.sweep.name, jobs=tuple(jobs))
        try:
            self._plan.write(self._folder)
        except OSError as error:
            say(f"report cannot tell of jobs that are not begun: no list of them in {folder} ({reason(error)})")

    def has_begun(self) -> bool:
        """Whether any job has."""
        return any(job.state != "waiting" for job in self._jobs())

    def tell(self, why: str = "") -> None:
        """The table of the runs on standard output; `why` is the launcher's reason, where it failed.

        Raises RunFailed where jobs failed, or did not end, or were not begun.
        """
        jobs = self._jobs()
        console = results_console()
        print_runs(told_apart(results_of(jobs), jobs), console)
        print_jobs(jobs, console)
        states = [job.state for job in jobs]
        ends = [(states.count(state), what) for state, what in _ENDS.items() if state in states]
        if ends:
            (number, what), *others = ends
            told = [
                f"{number} of the sweep's {counted(len(jobs), 'job')} {what}",
                *(f"{n} {what}" for n, what in others),
            ]
            sentence = f"{', '.join(told)}: see {self._folder / 'jobs'}."
            raise RunFailed(f"{why} {sentence} The same command again goes on with those alone.".strip())
        if why:
            raise RunFailed(f"{why} All jobs of the sweep are finished.")

    def _jobs(self) -> list[Job]:
        return self._plan.so_far(self._folder)


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


def say(text: str) -> None:
    """Beside the results."""
    print(text, file=sys.stderr)  # noqa: T201
