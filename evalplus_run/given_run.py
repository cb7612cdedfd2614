"""A run on samples that exist already."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable

from evalplus_run import conclusion, given, manifest
from evalplus_run.cleanings import Cleanings
from evalplus_run.conclusion import Ran
from evalplus_run.evaluate.pool import longest_first
from evalplus_run.given import GivenSamples
from evalplus_run.records import Completion, Program
from evalplus_run.report.summary import RunSummary
from evalplus_run.runs import RowLog, RunFolder, as_folder_name, run_folder
from evalplus_run.session import Session


async def judge_given(session: Session, samples: GivenSamples) -> RunSummary:
    """Judge, score, report."""
    config, dataset = session.config, session.dataset
    identity = manifest.identity_of_given(config, dataset, samples.sha256)
    above = (config.sweep.dir, manifest.folder_of(config, dataset))
    drawn_as = f"{as_folder_name(given.name_of(config.samples))}-{identity}"
    whole = run_folder(config.run_dir, *above, drawn_as + manifest.judged_otherwise(config, ("evaluate", "sandbox")))
    with session.turn(whole):
        return await _in_turn(session, samples, whole, identity)


async def _in_turn(session: Session, samples: GivenSamples, whole: RunFolder, identity: str) -> RunSummary:
    """The run, while no other job of a sweep is at work in its folder."""
    config, dataset, name = session.config, session.dataset, given.name_of(session.config.samples)
    folder = session.folder(whole, identity, len({text.task_id for text in samples.texts}), len(samples.texts))
    if (finished := session.finished(folder, identity)) is not None:
        return finished
    samples = samples.part(session.shard, dataset)
    with session.open(folder) as pool:
        folder.refuse_other(identity)
        session.progress.say(f"samples: {len(samples.texts)} of this run's tasks; read as {samples.form}")
        described = manifest.describe(
            config,
            dataset,
            command=session.command,
            tier=session.executor.tier,
            memory=session.executor.memory >> 20,
            identity=identity,
        )
        folder.write_manifest(
            {**described, "samples": {"path": config.samples, "form": samples.form, "sha256": samples.sha256}}
        )
        tests = await session.prepare(pool)
        RowLog(folder.samples, Program).start_anew(samples.programs)
        # What a sanitizer cut off can be seen only beside what it was given; a part's stand with those of the whole.
        texts = () if samples.sanitizer.name == "none" else samples.texts
        if texts and not folder.is_part:
            RowLog(folder.completions, Completion).start_anew(texts)
        order = {each.task.task_id: place for place, each in enumerate(longest_first(list(tests.values())))}
        programs = sorted(samples.programs, key=lambda program: order[program.task_id])
        verdicts = await session.judge(pool, folder, tests, _each(programs), len(programs))
        answers = list(zip(samples.texts, samples.programs, strict=True))
        sanitizers = await Cleanings(session, pool, folder, tests, answers, verdicts, given.clean).compare()
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
                programs=programs,
                verdicts=verdicts,
                sanitizers=sanitizers,
                seconds=session.seconds,
                completions={(text.task_id, text.index): text for text in texts},
                warnings=(*session.warnings, *samples.warnings),
            )
        )


async def _each(programs: Iterable[Program]) -> AsyncGenerator[Program, None]:
    for program in programs:
        yield program
