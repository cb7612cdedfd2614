"""What runs left in their folders, and other tools in their files of verdicts, as reports take it."""

from __future__ import annotations

from pathlib import Path

from evalplus_run import datasets, recorded
from evalplus_run.benchmarks import DatasetSettings
from evalplus_run.config import section
from evalplus_run.metrics.score import Tally
from evalplus_run.records import Completion, Dataset, ProfileName, Program, UserError, Verdict
from evalplus_run.report.comparison import Judged
from evalplus_run.report.page_data import RunPage
from evalplus_run.report.provenance import digests
from evalplus_run.report.sample import Sample, samples_in_order
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


def summary_of(path: Path, named: Dataset | None = None) -> RunSummary:
    """The scores of a run's folder, or of a file of verdicts, whose benchmark may be named. Raises UserError."""
    return recorded.read(path, named).summary if path.is_file() else read_scores(existing(path).scores)


def judged_of(path: Path, profile: ProfileName, named: Dataset | None = None) -> Judged:
    """The verdicts of a run's folder or of a file. Raises UserError where it has none under this profile."""
    if not path.is_file():
        run = existing(path)
        samples = RowLog(run.samples, Program).read()
        verdicts = RowLog(run.verdicts, Verdict).read()
        own = (verdict for key, verdict in verdicts.items() if key in samples)
        return Judged(read_scores(run.scores), Tally.of(own, profile))
    if profile == "strict":
        raise UserError(f"{path} holds no strict verdicts, as a run's folder does: leave --profile out.")
    found = recorded.read(path, named)
    return Judged(found.summary, Tally.of(found.verdicts, profile))


def page_of(path: Path, summary: RunSummary, named: Dataset | None = None) -> RunPage:
    """What the page shows of a run's folder, or of a file of verdicts."""
    if path.is_file():
        return RunPage(summary, recorded.read(path, named).samples(), {}, digests([path]))
    run = existing(path)
    return RunPage(summary, samples_of_run(run), run.read_manifest() or {}, digests(run.results))


def samples_of(path: Path, named: Dataset | None = None) -> list[Sample]:
    """All samples of a run's folder, or of a file of verdicts."""
    return recorded.read(path, named).samples() if path.is_file() else samples_of_run(existing(path))


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
