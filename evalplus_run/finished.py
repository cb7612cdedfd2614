"""What runs left in their folders, and other tools in their files of verdicts, as reports take it."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from pathlib import Path

from evalplus_run.benchmarks import DatasetSettings, load
from evalplus_run.benchmarks.registry import RELEASES, Release
from evalplus_run.config import section
from evalplus_run.evaluate.references import with_recorded_inputs
from evalplus_run.interchange.form import Recorded
from evalplus_run.interchange.registry import read_recorded
from evalplus_run.metrics.score import Tally, score
from evalplus_run.records import Completion, Dataset, ProfileName, Program, Task, UserError, Verdict
from evalplus_run.report.comparison import Judged
from evalplus_run.report.page_data import RunPage
from evalplus_run.report.provenance import digests
from evalplus_run.report.sample import Sample
from evalplus_run.report.summary import RunSummary, read_scores
from evalplus_run.runs import PART, RowLog, RunFolder


def runs_below(path: Path) -> list[Path]:
    """The file or run's folder itself; where it is none of a run, all runs' folders below it, but for their parts."""
    if path.is_file() or (path / "manifest.json").exists():
        return [path]
    return sorted(found.parent for found in path.rglob("scores.json") if found.parent.name != PART) or [path]


def existing(folder: Path) -> RunFolder:
    """The run's folder at this path. Raises UserError where there is none."""
    run = RunFolder(folder)
    if folder.name == PART and not run.completions.exists():
        run = RunFolder(folder.parent).part
    if not run.manifest.exists():
        raise UserError(f"{folder} is not a run's folder (there is no manifest.json in it): give one below outputs/.")
    return run


def summary_of(path: Path) -> RunSummary:
    """The scores of a run's folder, or of a file of verdicts. Raises UserError for anything else."""
    return _of_file(path).summary if path.is_file() else read_scores(existing(path).scores)


def judged_of(path: Path, profile: ProfileName) -> Judged:
    """The verdicts of a run's folder or of a file. Raises UserError where it has none under this profile."""
    if not path.is_file():
        run = existing(path)
        samples = RowLog(run.samples, Program).read()
        verdicts = RowLog(run.verdicts, Verdict).read()
        own = (verdict for key, verdict in verdicts.items() if key in samples)
        return Judged(read_scores(run.scores), Tally.of(own, profile))
    if profile == "strict":
        raise UserError(f"{path} holds no strict verdicts, as a run's folder does: leave --profile out.")
    return _of_file(path)


def page_of(path: Path, summary: RunSummary) -> RunPage:
    """What the page shows of a run's folder, or of a file that tells its programs and official dataset."""
    if path.is_file():
        return RunPage(summary, _samples_of_file(path), {}, digests([path]))
    run = existing(path)
    return RunPage(summary, samples_of(run), run.read_manifest() or {}, digests(run.results))


def samples_of(run: RunFolder) -> list[Sample]:
    """All samples of a run with what is known of each, in the dataset's order."""
    tasks = _tasks(_dataset(run))
    completions = RowLog(run.completions, Completion).read()
    verdicts = RowLog(run.verdicts, Verdict).read()
    programs = RowLog(run.samples, Program).read()
    place = {task_id: number for number, task_id in enumerate(tasks)}
    return [
        Sample(tasks[key[0]], program, verdicts.get(key), completions.get(key))
        for key, program in sorted(programs.items(), key=lambda item: (place.get(item[0][0], -1), item[0][1]))
        if key[0] in tasks
    ]


def _of_file(path: Path) -> Judged:
    """What another tool's file of verdicts says, scored anew from them."""
    form, recorded = read_recorded(path)
    release = _release(recorded)
    tasks = {verdict.task_id for verdict in recorded.verdicts}
    size = release.size if release else len(tasks)
    warnings = [f"no strict verdicts come from {form.name}: there is no strict score"]
    if recorded.left_out:
        warnings.append(f"{recorded.left_out} samples have no verdict there, and were left out")
    summary = RunSummary(
        dataset=release.name if release else "an unknown dataset",
        version=release.version if release else recorded.dataset_md5,
        variant=release.variant if release else "full",
        suites=recorded.suites,
        model=recorded.model or path.name,
        sampling=", ".join(filter(None, [form.name, recorded.date])),
        sanitizer="not told",
        comparable=release is not None and release.is_published and len(tasks) == size,
        run_dir=str(path),
        sandbox="not told",
        scores=score(recorded.verdicts, tasks_in_dataset=size),
        told_by=form.name,
        warnings=tuple(warnings),
    )
    return Judged(summary, Tally.of(recorded.verdicts, "evalplus"))


def _samples_of_file(path: Path) -> list[Sample]:
    """The programs and verdicts of a file that tells its official dataset, in the dataset's order."""
    form, recorded = read_recorded(path)
    release = _release(recorded)
    if release is None or not recorded.programs:
        what = "programs" if release else "official dataset"
        raise UserError(f"--html needs a run's folder here: {path} ({form.name}) tells no {what}.")
    chosen = {"name": release.name, "version": release.version, "variant": release.variant}
    tasks = _tasks(_loaded(section("dataset", DatasetSettings, chosen)))
    place = {task_id: number for number, task_id in enumerate(tasks)}
    judged = zip(recorded.programs, recorded.verdicts, strict=True)
    found = [
        Sample(tasks[program.task_id], program, verdict) for program, verdict in judged if program.task_id in tasks
    ]
    return sorted(found, key=lambda sample: (place[sample.program.task_id], sample.program.index))


def _release(recorded: Recorded) -> Release | None:
    return next((each for each in RELEASES if each.md5 == recorded.dataset_md5), None)


def _tasks(dataset: Dataset) -> Mapping[str, Task]:
    return {task.task_id: with_recorded_inputs(task) for task in dataset.tasks}


def _dataset(run: RunFolder) -> Dataset:
    described = (run.read_manifest() or {}).get("dataset")
    if not isinstance(described, dict) or "settings" not in described:
        raise UserError(f"{run.manifest} does not tell the run's dataset: run the same command again to make it.")
    dataset = _loaded(section("dataset", DatasetSettings, described["settings"]))
    if dataset.sha256 != described.get("sha256"):
        raise UserError(
            f"The dataset of {run.path} has changed since the run: put the old content back to {dataset.source}, "
            "or run the same command again."
        )
    return dataset


@functools.lru_cache(maxsize=4)
def _loaded(settings: DatasetSettings) -> Dataset:
    """A benchmark, read once for all the runs of a report."""
    return load(settings)
