"""One run: the stages in the order a sample travels, with streams between them.

Answers are stored as they come, cleaned and judged while the next ones are still being made; the score is
there moments after the last one. Everything that is already in the run's folder is taken from there.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from evalplus_run import conclusion, given, manifest
from evalplus_run.benchmarks import load
from evalplus_run.conclusion import Ran
from evalplus_run.config import Config
from evalplus_run.evaluate.cache import VerdictCache
from evalplus_run.evaluate.judging import Rules, sha256_of
from evalplus_run.evaluate.local import LocalPool, longest_first
from evalplus_run.evaluate.suites import TaskTests
from evalplus_run.files import cache_folder
from evalplus_run.judging_stage import JudgingStage
from evalplus_run.models.base import Model
from evalplus_run.models.registry import build
from evalplus_run.progress import Progress
from evalplus_run.records import Dataset, Program, RunFailed, UserError, Verdict
from evalplus_run.report.summary import RunSummary
from evalplus_run.runs import RowLog, RunFolder, as_folder_name, short_hash
from evalplus_run.sampling_stage import SamplingStage
from evalplus_run.sandbox import tiers
from evalplus_run.sandbox.settings import TierName

SampleId = tuple[str, int]

_OUTPUTS = Path("outputs")


def run(config: Config, *, command: Sequence[str]) -> RunSummary:
    """The whole run; `command` is what the user typed, for the manifest. Raises UserError and RunFailed."""
    if config.samples and config.model is not None:
        raise UserError("Both a model and samples are given: drop one of them.")
    if not config.samples and config.model is None:
        raise UserError("Give a model (model=openai model.name=…) or existing samples (samples=FILE).")
    dataset = load(config.dataset)
    tier = tiers.choose_tier(config.sandbox)
    work = _judge_given if config.samples else _sample_and_judge
    try:
        return asyncio.run(work(_Run(config, dataset, tier, command)))
    except BaseExceptionGroup as group:
        raise _first(group) from group


class _Run:
    """What the stages share."""

    def __init__(self, config: Config, dataset: Dataset, tier: TierName, command: Sequence[str]) -> None:
        self.config = config
        self.dataset = dataset
        self.tier = tier
        self.command = command
        self.progress = Progress()
        self.tasks = {task.task_id: task for task in dataset.tasks}
        self.seconds: dict[str, float] = {}
        self.rules = Rules(config.sandbox.memory << 20, config.evaluate)

    @contextmanager
    def open(self, folder: RunFolder, *, gives_way: bool) -> Iterator[LocalPool]:
        """The folder held, the bars shown, the workers there."""
        with ExitStack() as stack:
            stack.enter_context(folder)
            stack.enter_context(self.progress.shown())
            cache = stack.enter_context(VerdictCache(_verdict_cache())) if self.config.evaluate.cache else None
            yield stack.enter_context(
                LocalPool(
                    self.tier, self.rules, workers=self.config.executor.workers, idle_priority=gives_way, cache=cache
                )
            )

    @contextmanager
    def timed(self, stage: str) -> Iterator[None]:
        """Adds the wall-clock seconds of a stage."""
        begun = time.monotonic()
        try:
            yield
        finally:
            self.seconds[stage] = self.seconds.get(stage, 0.0) + time.monotonic() - begun

    async def prepare(self, pool: LocalPool) -> dict[str, TaskTests]:
        """What the references say, by task; raises RunFailed where one fails."""
        stage = self.progress.stage("references", len(self.tasks))
        tests: dict[str, TaskTests] = {}
        with self.timed("references"):
            for future in pool.prepare(self.dataset.tasks):
                ready = await asyncio.wrap_future(future)
                tests[ready.task.task_id] = ready
                stage.advance()
        return tests

    async def judge(
        self,
        pool: LocalPool,
        folder: RunFolder,
        tests: Mapping[str, TaskTests],
        programs: AsyncIterator[Program],
        total: int,
    ) -> dict[SampleId, Verdict]:
        """Judge what has no verdict yet; all verdicts by sample."""
        log = RowLog(folder.verdicts, Verdict)
        known = log.read()
        wanted: dict[SampleId, str] = {}

        async def unjudged() -> AsyncIterator[Program]:
            async for program in programs:
                sample_id = (program.task_id, program.index)
                wanted[sample_id] = sha256_of(program)
                if sample_id in known and known[sample_id].program_sha256 == wanted[sample_id]:
                    stage.advance()
                else:
                    yield program

        stage = self.progress.stage("judged", total)
        with self.timed("judging"), log:
            await JudgingStage(pool, tests, log, stage).run(unjudged())
        judged = log.read()
        return {sample_id: judged[sample_id] for sample_id in wanted}


def _verdict_cache() -> Path:
    return cache_folder("verdicts") / "verdicts.sqlite"


def _claim(folder: RunFolder, described: Mapping[str, Any]) -> None:
    """Write the manifest; verdicts that another judge, or another of its settings, left here are dropped first."""
    before = folder.read_manifest() or {}
    if before.get("judging_identity") != described["judging_identity"]:
        folder.verdicts.unlink(missing_ok=True)
    folder.write_manifest(described)


async def _judge_given(run: _Run) -> RunSummary:
    samples = given.read(run.config, run.dataset)
    folder = _folder(run, given.name_of(run.config.samples), samples.sha256[:8])
    described = manifest.describe(
        run.config, run.dataset, command=run.command, tier=run.tier, samples_sha256=samples.sha256
    )
    with run.open(folder, gives_way=False) as pool:
        _claim(folder, described)
        tests = await run.prepare(pool)
        RowLog(folder.samples, Program).start_anew(samples.programs)
        order = {each.task.task_id: place for place, each in enumerate(longest_first(list(tests.values())))}
        programs = sorted(samples.programs, key=lambda program: order[program.task_id])
        verdicts = await run.judge(pool, folder, tests, _each(programs), len(programs))
        return conclusion.conclude(
            Ran(
                config=run.config,
                model=f"samples {run.config.samples}",
                dataset=run.dataset,
                folder=folder,
                tier=run.tier,
                tests=tests,
                programs=programs,
                verdicts=verdicts,
                seconds=run.seconds,
                warnings=samples.warnings,
            )
        )


async def _each(programs: Iterable[Program]) -> AsyncIterator[Program]:
    for program in programs:
        yield program


async def _sample_and_judge(run: _Run) -> RunSummary:
    model = build(run.config.model)
    name = model.identity()["name"]
    identity = manifest.sampling_identity(run.config, run.dataset, model.identity())
    folder = _folder(run, as_folder_name(name), f"{_sampling_folder(run.config)}-{short_hash(identity)}")
    sampling = SamplingStage(run.config, run.dataset, model, folder)
    try:
        with run.open(folder, gives_way=model.local) as pool:
            _refuse_other_samples(folder, short_hash(identity))
            tests = await run.prepare(pool)
            missing = sampling.read()
            await _start_sampling(run, model, sampling, folder, missing)
            stage = run.progress.stage("sampled", missing)
            total = len(run.tasks) * run.config.sampling.n
            verdicts = await run.judge(pool, folder, tests, sampling.run(stage), total)
            if missing:
                # Both went on at once: judging is what was left to do after the last answer.
                judging = max(run.seconds["judging"] - sampling.seconds, 0.0)
                run.seconds |= {"sampling": sampling.seconds, "judging": judging}
                _add_versions(folder, model)
            return conclusion.conclude(
                Ran(
                    config=run.config,
                    model=name,
                    dataset=run.dataset,
                    folder=folder,
                    tier=run.tier,
                    tests=tests,
                    programs=sampling.programs,
                    verdicts=verdicts,
                    seconds=run.seconds,
                    completions=sampling.completions,
                    drawn=missing,
                    warnings=(),
                )
            )
    finally:
        await model.close()


async def _start_sampling(run: _Run, model: Model, sampling: SamplingStage, folder: RunFolder, missing: int) -> None:
    """Load the model if anything is missing, and write the manifest."""
    identity = model.identity()
    if missing:
        with run.timed("loading"):
            run.progress.say(f"model: starting {identity['name']}")
            first = await sampling.start()
        described = manifest.describe(
            run.config,
            run.dataset,
            command=run.command,
            tier=run.tier,
            model=identity,
            engine=model.versions(),
            first_prompt=first,
        )
        _claim(folder, {**described, "chat": sampling.chat})
        return
    before = folder.read_manifest() or {}
    sampling.chat = bool(before.get("chat", True))
    kept: dict[str, Any] = {key: before[key] for key in ("engine", "first_prompt", "chat") if key in before}
    described = manifest.describe(run.config, run.dataset, command=run.command, tier=run.tier, model=identity)
    _claim(folder, {**described, **kept})


def _add_versions(folder: RunFolder, model: Model) -> None:
    """What the engine learned on the way (parameters that a server refused) goes into the manifest too."""
    described = folder.read_manifest() or {}
    folder.write_manifest({**described, "engine": {**described.get("engine", {}), **model.versions()}})


def _refuse_other_samples(folder: RunFolder, identity: str) -> None:
    before = (folder.read_manifest() or {}).get("sampling_identity", identity)
    if before != identity:
        raise UserError(
            f"{folder.path} holds samples of other settings (model, prompt, sampling or dataset): "
            "give another run_dir, or leave it out."
        )


def _folder(run: _Run, name: str, rest: str) -> RunFolder:
    if run.config.run_dir:
        return RunFolder(Path(run.config.run_dir).expanduser())
    dataset = run.dataset.name if run.dataset.name != "custom" else Path(run.config.dataset.path).stem
    parts = [as_folder_name(dataset), name, rest] if run.config.model else [as_folder_name(dataset), f"{name}-{rest}"]
    return RunFolder(_OUTPUTS.joinpath(*parts))


def _sampling_folder(config: Config) -> str:
    temperature = config.sampling.temperature
    return "greedy" if temperature == 0 else f"t{temperature:g}"


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
