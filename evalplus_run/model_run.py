"""A run that draws its samples from a model."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, aclosing, nullcontext
from typing import Any

from evalplus_run import conclusion, manifest
from evalplus_run.cleanings import COMPARING, Cleanings
from evalplus_run.conclusion import Ran
from evalplus_run.config import Config
from evalplus_run.evaluate.pool import Pool
from evalplus_run.models.base import Model
from evalplus_run.models.settings import ApiSettings
from evalplus_run.progress import Stage
from evalplus_run.records import Program, Sampling, UserError
from evalplus_run.report.summary import RunSummary
from evalplus_run.runs import RunFolder, as_folder_name, run_folder
from evalplus_run.sampling_stage import SamplingStage, clean, refuse_unsent
from evalplus_run.session import Session


async def sample_and_judge(session: Session) -> RunSummary:
    """Draw what is missing, and judge while it comes; score, report."""
    config, dataset = session.config, session.dataset
    model = session.engines.model(config.model, config.prompt.thinking)
    name = model.identity()["name"]
    identity = manifest.identity_of_sampling(config, dataset, model.identity())
    drawn_as = f"{_kind(config)}-{identity}"
    above = (config.sweep.dir, manifest.folder_of(config, dataset), as_folder_name(name))
    whole = run_folder(config.run_dir, *above, drawn_as + manifest.judged_otherwise(config))
    with session.turn(whole):
        return await _in_turn(session, model, whole, drawn_as, identity)


async def _in_turn(session: Session, model: Model, whole: RunFolder, drawn_as: str, identity: str) -> RunSummary:
    """The run, while no other job of a sweep is at work in its folder; `drawn_as` begins the folder's name."""
    config, dataset, name = session.config, session.dataset, model.identity()["name"]
    folder = session.folder(whole, identity, len(dataset.tasks), len(dataset.tasks) * config.sampling.n)
    if (finished := session.finished(folder, identity)) is not None:
        return finished
    beside = [] if config.run_dir else whole.beside(drawn_as, identity)
    if not session.shard.is_whole and whole.is_of(identity):
        beside.append(whole)
    if config.k and max(config.k) > config.sampling.n:
        raise UserError(
            f"k={max(config.k)} needs as many samples for each task: set sampling.n={max(config.k)} or more."
        )
    refuse_unsent(config, model)
    sampling = SamplingStage(config, dataset, model, folder, beside, session.shard)
    try:
        # A server's address, name and key are looked at before anything else is done.
        engine = await _start(session, model, sampling) if sampling.read() and not model.local else {}
        with session.open(folder) as pool:
            folder.refuse_other(identity)
            missing = sampling.read()
            if not missing and not sampling.completions:
                raise UserError(f"evaluate.shard={session.shard} has no sample: there are fewer than shards.")
            described = _describe(session, [folder, whole, *beside], model, identity) | engine
            folder.write_manifest(described)
            tests = await session.prepare(pool)
            if missing and model.local:
                pool.give_way(True)
                described |= await _start(session, model, sampling)
                folder.write_manifest(described)
            stage = session.progress.stage("sampled", missing)
            total = missing + len(sampling.completions)
            programs = _programs(sampling, stage, pool, session.engines.asked() if missing else nullcontext())
            try:
                verdicts = await session.judge(pool, folder, tests, programs, total)
            finally:
                if missing:
                    # What the engine learned on the way: parameters that a server refused, and the like.
                    drawn = manifest.describe_drawn(
                        sampling.new_tokens, sampling.seconds, sampling.purse.paid, sampling.completions.values()
                    )
                    folder.write_manifest({**described, "engine": dict(model.versions()), **drawn})
            answers = list(zip(sampling.completions.values(), sampling.programs, strict=True))
            sanitizers = await Cleanings(session, pool, folder, tests, answers, verdicts, clean).compare()
            session.note_nodes(folder)
            return conclusion.conclude(
                Ran(
                    config=config,
                    result=session.result(identity),
                    in_sweep=session.in_sweep,
                    model=name,
                    dataset=dataset,
                    folder=folder,
                    say=session.progress.say,
                    tier=session.executor.tier,
                    tests=tests,
                    programs=sampling.programs,
                    verdicts=verdicts,
                    sanitizers=sanitizers,
                    seconds=_seconds(session, sampling),
                    completions=sampling.completions,
                    drawn=sampling.drawn,
                    warnings=(*session.warnings, *_untold(folder, config.sampling)),
                )
            )
    finally:
        await session.engines.release(model)


async def _programs(
    sampling: SamplingStage, stage: Stage, pool: Pool, asking: AbstractContextManager[None]
) -> AsyncGenerator[Program, None]:
    """All programs; the engine has done its work with the last one, and the cores are free for those that wait."""
    with asking:
        async with aclosing(sampling.run(stage)) as programs:
            async for program in programs:
                yield program
    pool.give_way(False)


async def _start(session: Session, model: Model, sampling: SamplingStage) -> dict[str, Any]:
    config, engines, identity = session.config, session.engines, model.identity()
    name = identity["name"] or identity["kind"]
    if engines.is_loaded(model):
        session.progress.say(f"model: {name} is loaded")
        with engines.asked():
            prompt, rendered = await sampling.start()
    else:
        with session.timed("loading"), session.progress.waiting(f"model: starting {name}"), engines.asked():
            await engines.start(model, config.model, config.prompt.thinking)
            prompt, rendered = await sampling.start()
    if not session.in_sweep:
        how = "as the model gets it"
        if config.model.kind == "replay":
            how = "as a model would get it; the answers are replayed, and no model is asked"
        session.progress.say(f"first prompt ({prompt.task_id}), {how}:\n{rendered.text}")
    engine = manifest.describe_engine(model.versions(), session.dataset.tasks[0], prompt, rendered)
    if not isinstance(config.model, ApiSettings):
        return engine
    forecast = sampling.forecast()
    session.progress.say(sampling.purse.words(forecast))
    return engine | manifest.describe_forecast(forecast, sampling.purse)


def _describe(session: Session, folders: Sequence[RunFolder], model: Model, identity: str) -> dict[str, Any]:
    described = manifest.describe(
        session.config,
        session.dataset,
        command=session.command,
        tier=session.executor.tier,
        memory=session.executor.memory >> 20,
        identity=identity,
    )
    before = next(filter(None, (each.read_manifest() for each in folders)), {})
    kept: dict[str, Any] = {key: before[key] for key in manifest.OF_THE_DRAWING if key in before}
    return {**described, **manifest.describe_sampling(session.config, model.identity()), **kept}


def _untold(folder: RunFolder, sampling: Sampling) -> Iterator[str]:
    """What the run's name says of its sampling, and the server was not told."""
    engine = (folder.read_manifest() or {}).get("engine") or {}
    for name in ("temperature", "top_p") if sampling.temperature else ("temperature",):
        note = str(engine.get(f"parameter {name}", ""))
        if note.startswith("not sent"):
            yield f"{name} was {note}; the server drew its answers as it does by itself"


def _seconds(session: Session, sampling: SamplingStage) -> Mapping[str, float]:
    """By stage; sampling and judging went on at once, so judging is what was left after the last answer."""
    seconds = dict(session.seconds)
    together = seconds.pop("judging")
    after = {stage: seconds.pop(stage) for stage in (COMPARING,) if stage in seconds}
    return {**seconds, "sampling": sampling.seconds, "judging": max(together - sampling.seconds, 0.0), **after}


def _kind(config: Config) -> str:
    temperature = config.sampling.temperature
    return "greedy" if temperature == 0 else f"t{temperature:g}"
