"""The commands that read: reports of finished runs, one sample in full, the sanitizer on files."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Literal

from evalplus_run import json_text
from evalplus_run.benchmarks import DatasetSettings, load
from evalplus_run.benchmarks.content import read_content
from evalplus_run.benchmarks.registry import RELEASES, Release, identify
from evalplus_run.config import section
from evalplus_run.evaluate import errata
from evalplus_run.evaluate.references import with_recorded_inputs
from evalplus_run.files import user_path, write_whole
from evalplus_run.interchange.export import FormName, export
from evalplus_run.interchange.form import Recorded
from evalplus_run.interchange.registry import read_recorded
from evalplus_run.metrics.score import score
from evalplus_run.records import Completion, Dataset, ProfileName, Program, UserError, Verdict
from evalplus_run.report.comparison import Judged, compare_runs
from evalplus_run.report.comparison_table import print_compared
from evalplus_run.report.html import RunPage, write_html
from evalplus_run.report.leaderboard import as_csv, as_latex, as_markdown
from evalplus_run.report.model_card import as_model_card
from evalplus_run.report.plots import write_plots
from evalplus_run.report.sample import Sample, render_sample
from evalplus_run.report.summary import RunSummary, read_scores
from evalplus_run.report.terminal import print_run, results_console
from evalplus_run.runs import RowLog, RunFolder

Form = Literal["json", "markdown", "csv", "latex", "model-card"]
_FORMS: Mapping[Form, Callable[[Sequence[RunSummary]], str]] = {
    "json": lambda summaries: json_text.encode(summaries, indent=2).decode() + "\n",
    "markdown": as_markdown,
    "csv": as_csv,
    "latex": as_latex,
    "model-card": as_model_card,
}


def report(
    paths: Sequence[Path], page: Path | None, form: Form | None = None, plots: Path | None = None, source: str = ""
) -> None:
    """Print the table of each run, or of each file of results; with `page`, write one page with all runs.

    A form prints one table of all runs in its place, `json` all that the tables are made from; a `model-card` tells
    `source` as the place where they can be seen.
    """
    paths = [each for path in paths for each in _runs_below(path)]
    summaries = [_summary(path) for path in paths]
    pages = [_page(path, summary) for path, summary in zip(paths, summaries, strict=True)] if page else []
    console = results_console()
    if form:
        print(as_model_card(summaries, source) if source else _FORMS[form](summaries), end="")  # noqa: T201
    for number, summary in enumerate([] if form else summaries):
        if number:
            console.print()
        print_run(summary, console)
    if page:
        write_html(page, pages)
    if plots:
        written = write_plots(plots, summaries)
        print(f"Plots: {', '.join(map(str, written))}", file=sys.stderr)  # noqa: T201
    if page and not form:
        console.print(f"Page: {page}", soft_wrap=True, markup=False)


def _summary(path: Path) -> RunSummary:
    if path.is_file():
        return _of_file(path).summary
    return read_scores(_existing(path).scores)


def _page(path: Path, summary: RunSummary) -> RunPage:
    if path.is_file():
        return RunPage(summary, _samples_of_file(path), {})
    run = RunFolder(path)
    return RunPage(summary, _samples(run), run.read_manifest() or {})


def _runs_below(path: Path) -> list[Path]:
    """The folder itself, or, where it is none of a run, all runs' folders below it."""
    if path.is_file() or (path / "manifest.json").exists():
        return [path]
    return sorted(found.parent for found in path.rglob("scores.json")) or [path]


def _of_file(path: Path) -> Judged:
    """What another tool's file of verdicts says, scored anew from them."""
    form, recorded = read_recorded(path)
    release = _release(recorded)
    tasks = {verdict.task_id for verdict in recorded.verdicts}
    warnings = [f"{form.name} holds no strict verdicts: there is no strict score"]
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
        comparable=release is not None,
        run_dir=str(path),
        sandbox="not told",
        scores=score(recorded.verdicts, tasks_in_dataset=len(tasks)),
        warnings=tuple(warnings),
    )
    return Judged(summary, recorded.verdicts)


def _samples_of_file(path: Path) -> list[Sample]:
    """The programs and verdicts of a file that tells its official dataset, in the dataset's order."""
    form, recorded = read_recorded(path)
    release = _release(recorded)
    if release is None or not recorded.programs:
        what = "programs" if release else "official dataset"
        raise UserError(f"--html needs a run's folder here: {path} ({form.name}) tells no {what}.")
    chosen = {"name": release.name, "version": release.version, "variant": release.variant}
    tasks = {task.task_id: task for task in load(section("dataset", DatasetSettings, chosen)).tasks}
    place = {task_id: number for number, task_id in enumerate(tasks)}
    judged = zip(recorded.programs, recorded.verdicts, strict=True)
    found = [
        Sample(tasks[program.task_id], program, verdict) for program, verdict in judged if program.task_id in tasks
    ]
    return sorted(found, key=lambda sample: (place[sample.program.task_id], sample.program.index))


def _release(recorded: Recorded) -> Release | None:
    return next((each for each in RELEASES if each.md5 == recorded.dataset_md5), None)


def compare(paths: Sequence[Path], k: int, profile: ProfileName, *, as_json: bool = False) -> None:
    """Print how each run differs from the first, task by task; `paths` as in `report`."""
    paths = [each for path in paths for each in _runs_below(path)]
    if len(paths) < 2:
        raise UserError("compare needs two runs at least: name their folders.")
    found = compare_runs([_judged(path, profile) for path in paths], k, profile)
    if as_json:
        print(json_text.encode(found, indent=2).decode())  # noqa: T201
    else:
        print_compared(found, results_console())


def _judged(path: Path, profile: ProfileName) -> Judged:
    if not path.is_file():
        run = _existing(path)
        return Judged(read_scores(run.scores), list(RowLog(run.verdicts, Verdict).read().values()))
    if profile == "strict":
        raise UserError(f"{path} holds no strict verdicts, as a run's folder does: leave --profile out.")
    return _of_file(path)


def show(folder: Path, task_id: str, index: int) -> None:
    """Print one sample in full."""
    samples = _samples(_existing(folder))
    found = [sample for sample in samples if sample.program.task_id == task_id]
    for sample in found:
        if sample.program.index == index:
            render_sample(sample, results_console())
            return
    if found:
        raise UserError(f"{folder} has {len(found)} samples of {task_id}, none with index {index}: see --index.")
    example = samples[0].program.task_id if samples else "HumanEval/3"
    raise UserError(f"{folder} has no sample of {task_id}; its task ids are like {example}.")


def export_run(folder: Path, target: Path, form: FormName) -> None:
    """Write a run's judged samples as another tool does."""
    print(f"{export(form, _samples(_existing(folder)), target)} samples in {target}")  # noqa: T201


def sanitize_samples(source: Path, target: Path, dataset: str, sanitizer: str) -> None:
    """Clean a file or folder of samples into another."""
    from evalplus_run.sanitize import SanitizerSettings
    from evalplus_run.sanitize.files import sanitize_file

    tasks = _benchmark(dataset).tasks
    chosen = section("sanitizer", SanitizerSettings, {"name": sanitizer})
    print(sanitize_file(source, target, {task.task_id: task for task in tasks}, chosen))  # noqa: T201


def audit(dataset: str, target: Path | None) -> None:
    """Print which tests of a benchmark are wrong themselves; with `target`, write them as a file of errata."""
    found = list(errata.find(_benchmark(dataset).tasks))
    for (task_id, suite), rows in groupby(found, lambda row: (row.task_id, row.suite)):
        tests = list(rows)
        first = ", ".join(str(row.test) for row in tests[:5]) + ", …" * (len(tests) > 5)
        print(f"{task_id} {suite}: {len(tests)} (tests {first}): {tests[0].reason}")  # noqa: T201
    print(f"{len(found)} tests have inputs of other types than their task declares.")  # noqa: T201
    if target:
        write_whole(target, b"".join(json_text.encode(row) + b"\n" for row in found))


def _benchmark(name: str) -> Dataset:
    """A benchmark by its name, or by its JSONL file."""
    known = {release.name for release in RELEASES}
    if name in known:
        return load(section("dataset", DatasetSettings, {"name": name}))
    path = user_path(name)
    if not path.exists():
        raise UserError(f"--dataset {name} is neither a file nor one of {', '.join(sorted(known))}.")
    release = identify(read_content(path).sha256)
    official = {"name": release.name, "version": release.version, "variant": release.variant} if release else {}
    return load(section("dataset", DatasetSettings, {"name": "custom", **official, "path": name}))


def _existing(folder: Path) -> RunFolder:
    run = RunFolder(folder)
    if not run.manifest.exists():
        raise UserError(f"{folder} is not a run's folder (there is no manifest.json in it): give one below outputs/.")
    return run


def _samples(run: RunFolder) -> list[Sample]:
    """All samples of a run with what is known of each, in the dataset's order."""
    dataset = _dataset(run)
    tasks = {task.task_id: with_recorded_inputs(task) for task in dataset.tasks}
    completions = RowLog(run.completions, Completion).read()
    verdicts = RowLog(run.verdicts, Verdict).read()
    programs = RowLog(run.samples, Program).read()
    place = {task_id: number for number, task_id in enumerate(tasks)}
    return [
        Sample(tasks[key[0]], program, verdicts.get(key), completions.get(key))
        for key, program in sorted(programs.items(), key=lambda item: (place.get(item[0][0], -1), item[0][1]))
        if key[0] in tasks
    ]


def _dataset(run: RunFolder) -> Dataset:
    described = (run.read_manifest() or {}).get("dataset")
    if not isinstance(described, dict) or "settings" not in described:
        raise UserError(f"{run.manifest} does not tell the run's dataset: run the same command again to make it.")
    dataset = load(section("dataset", DatasetSettings, described["settings"]))
    if dataset.sha256 != described.get("sha256"):
        raise UserError(
            f"The dataset of {run.path} has changed since the run: put the old content back to {dataset.source}, "
            "or run the same command again."
        )
    return dataset
