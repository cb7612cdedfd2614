"""What runs left in their folders, and other tools in their files of verdicts, as reports take it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any, Protocol

from evalplus_run import datasets, recorded
from evalplus_run.benchmarks import DatasetSettings
from evalplus_run.config import section
from evalplus_run.metrics.score import Tally
from evalplus_run.recorded import RecordedRun
from evalplus_run.records import Completion, Dataset, ProfileName, Program, UserError, Verdict
from evalplus_run.report.comparison import Judged
from evalplus_run.report.page_data import RunPage
from evalplus_run.report.provenance import digests
from evalplus_run.report.sample import Sample, samples_in_order
from evalplus_run.report.summary import RunSummary, read_scores
from evalplus_run.runs import PART, RowLog, RunFolder
from evalplus_run.shards import is_of_a_whole


def runs_below(path: Path) -> list[Path]:
    """The file or run's folder itself; where it is none of a run, all runs' folders below it, but for their parts.

    Shards of a run come only where it has not been put together. None is below a sweep's folder until one has ended.
    """
    if path.is_file() or (path / "manifest.json").exists():
        return [path]
    folders = sorted(found.parent for found in path.rglob("scores.json") if found.parent.name != PART)
    found = [folder for folder in folders if not is_of_a_whole(folder)]
    is_of_sweep = any((path / name).exists() for name in ("jobs", "sweep.json"))
    return found if found or is_of_sweep else [path]


def existing(folder: Path) -> RunFolder:
    """The run's folder at this path. Raises UserError where there is none."""
    run = RunFolder(folder)
    if folder.name == PART and not run.completions.exists():
        run = RunFolder(folder.parent).part
    if not folder.exists():
        raise UserError(f"{folder} does not exist: name a run's folder below outputs/, or a file of results.")
    if not run.manifest.exists():
        raise UserError(f"{folder} is not a run's folder (there is no manifest.json in it): give one below outputs/.")
    return run


class Finished(Protocol):
    """What reports read of a finished run; each part when it is first asked for. All raise UserError."""

    @property
    def summary(self) -> RunSummary:
        """Its scores."""
        ...

    @property
    def manifest(self) -> Mapping[str, Any]:
        """What made it; empty where that is not known."""
        ...

    def judged(self, profile: ProfileName) -> Judged:
        """Its verdicts; UserError where it has none under this profile."""
        ...

    def samples(self) -> list[Sample]:
        """All of them, with what is known of each."""
        ...

    def page(self) -> RunPage:
        """What the page shows of it."""
        ...


def finished(path: Path, named: Dataset | None = None) -> Finished:
    """What is at this path: a run's folder, or a file of verdicts, whose benchmark may be named. Raises UserError."""
    return _OfFile(path, named) if path.is_file() else _OfFolder(existing(path))


def finished_below(paths: Iterable[Path], dataset: str = "") -> Iterator[Finished]:
    """All at these paths and in the folders below them, one after the other; `dataset` is the name of the files' own.

    Raises UserError.
    """
    found = [each for path in paths for each in runs_below(path)]
    named = benchmark_of_files(found, dataset)
    return (finished(path, named) for path in found)


def benchmark_of_files(paths: Sequence[Path], dataset: str) -> Dataset | None:
    """The dataset of this name, if one is given. Raises UserError, also where none of the paths is a file."""
    if dataset and not any(path.is_file() for path in paths):
        raise UserError(
            "--dataset names the benchmark of files that do not tell theirs, and a run's folder does: leave it out."
        )
    return datasets.named(dataset) if dataset else None


class _OfFolder:
    """A run of this program."""

    def __init__(self, run: RunFolder) -> None:
        self._run = run

    @cached_property
    def summary(self) -> RunSummary:
        # Where it lies from here; the run knew it from where it was started.
        return replace(read_scores(self._run.scores), run_dir=str(self._run.path))

    @cached_property
    def manifest(self) -> Mapping[str, Any]:
        return self._run.read_manifest() or {}

    def judged(self, profile: ProfileName) -> Judged:
        samples = RowLog(self._run.samples, Program).read()
        verdicts = RowLog(self._run.verdicts, Verdict).read()
        return Judged(self.summary, Tally.of((one for key, one in verdicts.items() if key in samples), profile))

    def samples(self) -> list[Sample]:
        return samples_of_run(self._run)

    def page(self) -> RunPage:
        return RunPage(self.summary, self.samples(), self.manifest, digests(self._run.results))


class _OfFile:
    """Another tool's file, read once."""

    manifest: Mapping[str, Any] = MappingProxyType({})

    def __init__(self, path: Path, named: Dataset | None) -> None:
        self._path, self._named = path, named

    @cached_property
    def _read(self) -> RecordedRun:
        return recorded.read(self._path, self._named)

    @property
    def summary(self) -> RunSummary:
        return self._read.summary

    def judged(self, profile: ProfileName) -> Judged:
        if profile == "strict":
            raise UserError(f"{self._path} holds no strict verdicts, as a run's folder does: leave --profile out.")
        return Judged(self.summary, Tally.of(self._read.verdicts, profile))

    def samples(self) -> list[Sample]:
        return self._read.samples()

    def page(self) -> RunPage:
        return RunPage(self.summary, self.samples(), {}, digests([self._path]))


def samples_of_run(run: RunFolder) -> list[Sample]:
    """All samples of a run with what is known of each, in the dataset's order."""
    return samples_in_order(
        datasets.tasks_of(_dataset(run)),
        RowLog(run.samples, Program).read().values(),
        RowLog(run.verdicts, Verdict).read(),
        RowLog(run.completions, Completion).read(),
    )


def _dataset(run: RunFolder) -> Dataset:
    described = (run.read_manifest() or {}).get("dataset")
    if not isinstance(described, dict) or "settings" not in described:
        raise UserError(f"{run.manifest} does not tell the run's dataset: run the same command again to make it.")
    dataset = datasets.loaded(section("dataset", DatasetSettings, described["settings"]))
    if dataset.sha256 != described.get("sha256"):
        raise UserError(
            f"The dataset of {run.path} has changed since the run: put the old content back to {dataset.source}, "
            "or run the same command again."
        )
    return dataset
