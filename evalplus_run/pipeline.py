"""One run: the stages in the order a sample travels, with streams between them.

Answers are stored as they come, cleaned and judged while the next ones are still being made; the score is
there moments after the last one. Everything that is already in the run's folder is taken from there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from evalplus_run import given
from evalplus_run.benchmarks import load
from evalplus_run.config import Config
from evalplus_run.engines import Engines
from evalplus_run.evaluate import executors
from evalplus_run.given_run import judge_given
from evalplus_run.model_run import sample_and_judge
from evalplus_run.progress import Progress
from evalplus_run.records import RunFailed, UserError
from evalplus_run.report.summary import RunSummary
from evalplus_run.session import Session
from evalplus_run.sinks.registry import refuse_missing


def run(config: Config, engines: Engines, *, command: Sequence[str], in_sweep: bool = False) -> RunSummary:
    """The whole run; `command` is what the user typed, for the manifest. Raises UserError and RunFailed.

    In a sweep a run that is finished is left as it is, and a line told in the place of the table.
    """
    if config.samples and config.model is not None:
        raise UserError("Both a model and samples are given: drop one of them.")
    if not config.samples and config.model is None:
        raise UserError("Give a model (model=openai model.name=…) or existing samples (samples=FILE).")
    refuse_missing(config.report.to)
    progress = Progress()
    with ThreadPoolExecutor(1) as beside:
        building = beside.submit(executors.build, config.executor, config.sandbox, progress.say)
        dataset = load(config.dataset)
    # Read before the loop runs: inside it a long look at samples could not be interrupted.
    samples = given.read(config, dataset) if config.samples else None
    if samples:
        config = replace(config, sanitizer=samples.sanitizer)
    with building.result() as executor:
        session = Session(config, dataset, executor, list(command), progress, engines, in_sweep=in_sweep)
        try:
            return engines.run(judge_given(session, samples) if samples else sample_and_judge(session))
        except BaseExceptionGroup as group:
            raise _first(group) from group


def _first(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """The one error that the user is told: those that say what to do before all others."""
    leaves = list(_leaves(group))
    return next((leaf for leaf in leaves if isinstance(leaf, UserError | RunFailed)), leaves[0])


def _leaves(error: BaseException) -> Iterator[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        for each in error.exceptions:
            yield from _leaves(each)
    else:
        yield error
