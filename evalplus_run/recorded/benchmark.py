"""Which benchmark a file of verdicts is of: what it tells, what the user says, what its task ids say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from evalplus_run.benchmarks.registry import RELEASES, Release, identify
from evalplus_run.interchange.form import Recorded, names_of
from evalplus_run.interchange.task_ids import Guess, guess, part
from evalplus_run.records import Dataset, UserError
from evalplus_run.report.comparison import by_number
from evalplus_run.report.summary import VERSION_NOT_TOLD

_UNKNOWN = "an unknown dataset"


@dataclass(frozen=True, slots=True, kw_only=True)
class Benchmark:
    """Which benchmark a file's verdicts are on, as far as anybody can tell."""

    name: str
    version: str
    variant: str = "full"
    size: int
    release: Release | None = None
    dataset: Dataset | None = None
    """Where it was named; else it is that of the release, if there is one."""
    names: Mapping[str, str] = field(default_factory=dict)
    """Its task ids by those of the file, where these are others."""
    is_known: bool = False
    """Told or named, not guessed."""
    is_exact: bool = False
    """The tests are those of this dataset."""
    warning: str = ""


def benchmark_of(path: Path, recorded: Recorded, named: Dataset | None) -> Benchmark:
    """By what the file tells, else the one that was named, else by its task ids; raises UserError for a wrong name."""
    task_ids = {verdict.task_id for verdict in recorded.verdicts}
    told = next((each for each in RELEASES if each.md5 == recorded.dataset_md5), None)
    if told:
        ignored = f"it says itself that it is of {told}: --dataset is for those that do not"
        return _of_release(told, ignored if named and named.md5 != told.md5 else "")
    if named:
        return _of_named(path, recorded, named, task_ids)
    has_plus = "plus" in recorded.suites or recorded.is_whole
    if found := guess(task_ids, has_plus=has_plus):
        return _of_guess(recorded, found, "it does not tell its benchmark: by its task ids")
    if found := part(recorded.benchmark, task_ids, has_plus=has_plus):
        return _of_guess(recorded, found, f"it tells its benchmark as {recorded.benchmark}: by its task ids too")
    return Benchmark(
        name=_UNKNOWN,
        version=f"md5 {recorded.dataset_md5}" if recorded.dataset_md5 else "",
        size=len(task_ids),
        warning="it does not tell which benchmark it is of: name that with --dataset",
    )


def _of_release(release: Release, warning: str) -> Benchmark:
    return Benchmark(
        name=release.name,
        version=release.version,
        variant=release.variant,
        size=release.size,
        release=release,
        is_known=True,
        is_exact=True,
        warning=warning,
    )


def _of_named(path: Path, recorded: Recorded, named: Dataset, task_ids: set[str]) -> Benchmark:
    names = names_of(task.task_id for task in named.tasks)
    others = sorted((task_id for task_id in task_ids if task_id not in names), key=by_number)
    if others:
        raise UserError(
            f"{path} is of another benchmark than {named.name} {named.version}, which has no task {others[0]}"
            f"{f', nor {len(others) - 1:,} others of it' if len(others) > 1 else ''}: name its own with --dataset."
        )
    is_exact = recorded.dataset_md5 in ("", named.md5)
    return Benchmark(
        name=named.name,
        version=named.version if is_exact else f"md5 {recorded.dataset_md5}",
        variant=named.variant,
        size=named.size,
        release=identify(named.sha256),
        dataset=named,
        names=names,
        is_known=True,
        is_exact=is_exact and not recorded.is_whole,
        warning="" if is_exact else f"it was judged on other content than that of {named.name} {named.version}",
    )


def _of_guess(recorded: Recorded, found: Guess, why: str) -> Benchmark:
    release = next(each for each in RELEASES if each.name == found.name and found.version in ("", each.version))
    version = "" if found.version else ", in a version that is not told"
    return Benchmark(
        name=found.name,
        version=f"md5 {recorded.dataset_md5}" if recorded.dataset_md5 else found.version or VERSION_NOT_TOLD,
        size=release.size,
        release=release,
        names=found.names,
        is_exact=bool(found.version) and not recorded.dataset_md5,
        warning=f"{why} taken for {found}{version}; --dataset names another",
    )
