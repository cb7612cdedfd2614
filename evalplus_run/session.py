"""What the stages of one run share: settings, workers, the bars, the clock."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import ExitStack, contextmanager

from evalplus_run import manifest, shards
from evalplus_run.config import Config
from evalplus_run.delivery import deliver
from evalplus_run.engines import Engines
from evalplus_run.evaluate import errata
from evalplus_run.evaluate.cache import VerdictCache
from evalplus_run.evaluate.judging import Rules, verdict_key
from evalplus_run.evaluate.pool import Executor, Pool
from evalplus_run.evaluate.shard import Shard
from evalplus_run.evaluate.suites import TaskTests
from evalplus_run.files import cache_folder
from evalplus_run.judging_stage import JudgingStage
from evalplus_run.progress import Progress, Stage
from evalplus_run.records import Dataset, Program, SampleId, Verdict
from evalplus_run.report.summary import RunSummary, read_scores
from evalplus_run.runs import RowLog, RunFolder
from evalplus_run.seal import is_sealed


class Session:
    """One run under way."""

    def __init__(
        self,
        config: Config,
        dataset: Dataset,
        executor: Executor,
        command: list[str],
        progress: Progress,
        engines: Engines,
        *,
        in_sweep: bool = False,
    ) -> None:
        """`command` is what the user typed, for the manifest; in a sweep, a finished run is left as it is."""
        self.config = config
        self.engines = engines
        self.in_sweep = in_sweep
        self.dataset = dataset
        self.executor = executor
        self.command = command
        self.progress = progress
        self.shard = Shard.parse(config.evaluate.shard)
        """The part of the samples that this run is about."""
        self.seconds: dict[str, float] = {}
        """Wall-clock seconds by stage."""
        sandbox, listed = config.sandbox, errata.read(config.evaluate.errata, dataset.sha256)
        self._rules = Rules(executor.memory, config.evaluate, executor.tier, listed, sandbox.wrapper, sandbox.image)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What was not as the settings say."""
        wanted, had = self.config.sandbox.memory, self.executor.memory >> 20
        less = f"programs had {had} MiB of memory in place of {wanted}: this machine or container has no more"
        part = f"PARTIAL: shard {self.shard} of the samples alone; without evaluate.shard they are put together"
        whole = self.shard.is_whole
        return (*([] if whole else [part]), *self.executor.warnings, *([less] if had != wanted else []))

    def folder(self, run: RunFolder, identity: str, tasks: int, samples: int) -> RunFolder:
        """Where the result on so many tasks and samples goes, with all that other shards of the run have by now.

        That of one shard goes into a folder of its own.
        """
        if not self.shard.is_whole:
            return shards.folder_of(run, self.shard)
        shards.collect(run, identity, self.progress.say)
        return run.for_result(identity, tasks, samples)

    def result(self, identity: str) -> str:
        """A hash of all that moves the result of a run, whose samples have this identity."""
        return manifest.identity_of_result(self.config, self.dataset, identity, self._rules.parts)

    def finished(self, folder: RunFolder, identity: str) -> RunSummary | None:
        """What the folder's run came to, where it is finished and is to be passed over."""
        if not self.in_sweep or not is_sealed(folder, self.result(identity)):
            return None
        self.progress.say(f"finished before: {folder.path}")
        deliver(folder, self.config.report, self.progress.say)
        return read_scores(folder.scores)

    @contextmanager
    def turn(self, whole: RunFolder) -> Iterator[None]:
        """Jobs of sweeps that share a run's folder, as those of another n do, go one after the other in it."""
        if not self.in_sweep:
            yield
            return
        with whole.turn(self.progress.say):
            yield

    @contextmanager
    def open(self, folder: RunFolder) -> Iterator[Pool]:
        """The folder held, the bars shown, the workers there."""
        with ExitStack() as stack:
            stack.enter_context(folder)
            stack.enter_context(self.progress.shown())
            cache = stack.enter_context(_verdict_cache()) if self.config.evaluate.cache else None
            yield stack.enter_context(self.executor.pool(self._rules, cache))

    @contextmanager
    def timed(self, stage: str) -> Iterator[None]:
        """Notes the wall-clock seconds of a stage."""
        begun = time.monotonic()
        try:
            yield
        finally:
            self.seconds[stage] = time.monotonic() - begun

    def note_nodes(self, folder: RunFolder) -> None:
        """Write down the machines that judged for this command; nothing where it was this one alone."""
        if self.executor.nodes:
            folder.write_manifest({**(folder.read_manifest() or {}), "nodes": self.executor.nodes})

    async def prepare(self, pool: Pool) -> dict[str, TaskTests]:
        """What the references say, by task; raises RunFailed where one fails."""
        stage = self.progress.stage("references", len(self.dataset.tasks))
        tests: dict[str, TaskTests] = {}
        with self.timed("references"):
            for future in pool.prepare(self.dataset.tasks):
                ready = await asyncio.wrap_future(future)
                tests[ready.task.task_id] = ready
                stage.advance()
        again = sum(each.made_again for each in tests.values())
        if again:
            self.progress.say(f"References that were broken in the cache, and run again: {again}.")
        return tests

    async def judge(
        self,
        pool: Pool,
        folder: RunFolder,
        tests: Mapping[str, TaskTests],
        programs: AsyncGenerator[Program, None],
        total: int,
    ) -> dict[SampleId, Verdict]:
        """Judge the run's programs; all verdicts by sample."""
        with self.timed("judging"):
            log, stage = RowLog(folder.verdicts, Verdict), self.progress.stage("judged", total)
            return await self.verdicts(pool, log, log.read(), tests, programs, stage)

    async def verdicts(
        self,
        pool: Pool,
        log: RowLog[Verdict],
        known: Mapping[SampleId, Verdict],
        tests: Mapping[str, TaskTests],
        programs: AsyncGenerator[Program, None],
        stage: Stage,
    ) -> dict[SampleId, Verdict]:
        """Judge the programs that have no verdict of this judge on these tests yet; all verdicts by sample.

        `log` gets the new ones; `known` are those that it had before.
        """
        wanted: list[SampleId] = []

        async def unjudged() -> AsyncGenerator[Program, None]:
            async for program in programs:
                sample_id = (program.task_id, program.index)
                wanted.append(sample_id)
                if self.is_of(known.get(sample_id), program, tests[program.task_id]):
                    stage.advance()
                else:
                    yield program

        with log:
            try:
                await JudgingStage(pool, tests, log, stage).run(unjudged())
            finally:
                await programs.aclose()
        judged = log.read()
        return {sample_id: judged[sample_id] for sample_id in wanted}

    def is_of(self, verdict: Verdict | None, program: Program, tests: TaskTests) -> bool:
        """Whether the verdict is this judge's on this very program."""
        return verdict is not None and verdict.key == verdict_key(program, tests, self._rules)


def _verdict_cache() -> VerdictCache:
    return VerdictCache(cache_folder("verdicts") / "verdicts.sqlite")
