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
from evalplus_run.benchmarks.registry import RELEASES, identify
from evalplus_run.config import section
from evalplus_run.evaluate import errata
from evalplus_run.evaluate.references import with_recorded_inputs
from evalplus_run.files import user_path, write_whole
from evalplus_run.metrics.score import score
from evalplus_run.records import Completion, Dataset, ProfileName, Program, UserError, Verdict
from evalplus_run.report.comparison import Judged, compare_runs
from evalplus_run.report.comparison_table import print_compared
from evalplus_run.report.evalplus_format import read_results
from evalplus_run.report.html import RunPage, write_html
from evalplus_run.report.leaderboard import as_csv, as_latex, as_markdown
from evalplus_run.report.plots import write_plots
from evalplus_run.report.sample import Sample, render_sample
from evalplus_run.report.summary import RunSummary, read_scores
from evalplus_run.report.terminal import print_run, results_console
from evalplus_run.runs import RowLog, RunFolder

Form = Literal["json", "markdown", "csv", "latex"]
_FORMS: Mapping[Form, Callable[[Sequence[RunSummary]], str]] = {
    "json": lambda summaries: json_text.encode(summaries, indent=2).decode() + "\n",
    "markdown": as_markdown,
    "csv": as_csv,
    "latex": as_latex,
}


def report(paths: Sequence[Path], page: Path | None, form: Form | None = None, plots: Path | None = None) -> None:
    """Print the table of each run, or of each result file of EvalPlus; with `page`, write one page with all runs.

    A form prints one table of all runs in its place, `json` all that the tables are made from.
    """
    paths = [each for path in paths for each in _runs_below(path)]
    runs = [_existing(path) for path in paths if not path.is_file()]
    if page and len(runs) < len(paths):
        raise UserError("--html needs runs' folders: a result file of EvalPlus holds no prompts and no answers.")
    summaries = [_of_results(path) if path.is_file() else read_scores(path / "scores.json") for path in paths]
    console = results_console()
    if form:
        print(_FORMS[form](summaries), end="")  # noqa: T201
    for number, summary in enumerate([] if form else summaries):
        if number:
            console.print()
        print_run(summary, console)
    if page:
        write_html(
            page,
            [
                RunPage(summary, _samples(run), run.read_manifest() or {})
                for run, summary in zip(runs, summaries, strict=True)
            ],
        )
    if plots:
        written = write_plots(plots, summaries)
        print(f"Plots: {', '.join(map(str, written))}", file=sys.stderr)  # noqa: T201
    if page and not form:
        console.print(f"Page: {page}", soft_wrap=True, markup=False)


def _runs_below(path: Path) -> list[Path]:
    """The folder itself, or, where it is none of a run, all runs' folders below it."""
    if path.is_file() or (path / "manifest.json").exists():
        return [path]
    return sorted(found.parent for found in path.rglob("scores.json")) or [path]


def _of_results(path: Path) -> RunSummary:
    """What a result file of EvalPlus says, scored anew from its statuses."""
    results = read_results(path)
    release = next((each for each in RELEASES if each.md5 == results.hash), None)
    tasks = {verdict.task_id for verdict in results.verdicts}
    return RunSummary(
        dataset=release.name if release else "an unknown dataset",
        version=release.version if release else results.hash,
        variant=release.variant if release else "full",
        suites=results.suites,
        model=path.name,
        sampling=", ".join(filter(None, ["a result file in EvalPlus's form", results.date])),
        sanitizer="not told",
        comparable=release is not None,
        run_dir=str(path),
        sandbox="not told",
        scores=score(results.verdicts, tasks_in_dataset=len(tasks)),
        warnings=("a file in EvalPlus's form holds no strict verdicts: there is no strict score",),
    )


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
        raise UserError(f"{path} is in EvalPlus's form, which holds no strict verdicts: leave --profile out.")
    return Judged(_of_results(path), read_results(path).verdicts)


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
