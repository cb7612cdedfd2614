"""What the choice of a sanitizer moves: the same answers as the other one cleans them, and whole, judged beside.

Only programs that are not equal to the run's own are judged, into a log of its own for each way to clean. The run's
samples, verdicts and score stay as they are.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from evalplus_run.evaluate.equality import shape_of
from evalplus_run.evaluate.pool import Pool
from evalplus_run.evaluate.suites import TaskTests
from evalplus_run.metrics.score import judged_by, outcomes_that_count
from evalplus_run.progress import Stage
from evalplus_run.records import Completion, Outcome, Program, SampleId, Task, Verdict
from evalplus_run.report.summary import SanitizersCompared, compare_sanitizers
from evalplus_run.runs import RowLog, RunFolder
from evalplus_run.sanitize import SanitizerName, SanitizerSettings
from evalplus_run.session import Session

COMPARING = "comparing sanitizers"
"""The stage among the seconds of a run."""
_OTHERS: Mapping[SanitizerName, tuple[SanitizerName, ...]] = {
    "default": ("evalplus", "none"),
    "evalplus": ("default", "none"),
    "none": (),
}


@dataclass(frozen=True, slots=True)
class Cleanings:
    """One run's answers, to be cleaned in other ways than the run's own."""

    session: Session
    pool: Pool
    folder: RunFolder
    tests: Mapping[str, TaskTests]
    answers: Sequence[tuple[Completion, Program]]
    """With the run's own programs."""
    verdicts: Mapping[SampleId, Verdict]
    """On the run's own programs."""
    clean: Callable[[Completion, Task, SanitizerSettings], Program]

    async def compare(self) -> SanitizersCompared | None:
        """Which samples pass in one way and not in another; None where nothing is cleaned, or nobody wants to know."""
        own = self.session.config.sanitizer
        others = _OTHERS[own.name] if own.compare else ()
        if not others:
            return None
        stage = self.session.progress.stage("compared", len(self.answers) * len(others))
        outcomes: dict[str, dict[SampleId, Outcome]] = {own.name: _outcomes(self.verdicts.values())}
        with self.session.timed(COMPARING):
            for name in others:
                outcomes[name] = outcomes[own.name] | await self._judge(replace(own, name=name), stage)
        return compare_sanitizers(outcomes, own.name, self._in_order())

    async def _judge(self, settings: SanitizerSettings, stage: Stage) -> dict[SampleId, Outcome]:
        """What becomes of the programs that are not the run's own."""
        log = RowLog(self.folder.verdicts_with(settings.name), Verdict)
        known = log.read()
        programs = self._other_programs(settings, known, stage)
        return _outcomes((await self.session.verdicts(self.pool, log, known, self.tests, programs, stage)).values())

    async def _other_programs(
        self, settings: SanitizerSettings, known: Mapping[SampleId, Verdict], stage: Stage
    ) -> AsyncGenerator[Program, None]:
        for answer, own in self.answers:
            sample, tests = (answer.task_id, answer.index), self.tests[answer.task_id]
            program = self.clean(answer, tests.task, settings)
            if self.session.is_of(known.get(sample), program, tests) or not _are_equal(program, own):
                yield program
            else:
                stage.advance()
            await asyncio.sleep(0)  # thousands of answers take a while, and may be interrupted

    def _in_order(self) -> list[SampleId]:
        place = {task.task_id: number for number, task in enumerate(self.session.dataset.tasks)}
        return sorted(self.verdicts, key=lambda sample: (place[sample[0]], sample[1]))


def _are_equal(program: Program, other: Program) -> bool:
    """Whether the judge says the same of both."""
    return program.outcome == other.outcome and shape_of(program.solution) == shape_of(other.solution)


def _outcomes(verdicts: Iterable[Verdict]) -> dict[SampleId, Outcome]:
    """On base and plus, as the headline counts them."""
    return {
        (verdict.task_id, verdict.index): outcomes_that_count(judged_by(verdict, "evalplus"))["plus"]
        for verdict in verdicts
    }
