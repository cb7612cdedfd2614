"""What a file of verdicts comes to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isnan
from pathlib import Path

from evalplus_run.interchange.form import Form, Recorded
from evalplus_run.interchange.registry import read_recorded
from evalplus_run.metrics.score import score
from evalplus_run.recorded.benchmark import Benchmark, benchmark_of
from evalplus_run.recorded.samples import samples_of
from evalplus_run.records import Dataset, Score, UserError, Verdict
from evalplus_run.report.sample import Sample
from evalplus_run.report.summary import RunSummary
from evalplus_run.report.wording import SUITE_TITLES
from evalplus_run.words import counted

_WHOLE = "base and plus in one"
_ROUNDED = 1e-6


@dataclass(frozen=True, slots=True)
class RecordedRun:
    """What such a file says, scored anew from its verdicts."""

    summary: RunSummary
    verdicts: Sequence[Verdict]
    _form: Form
    _recorded: Recorded
    _benchmark: Benchmark

    def samples(self) -> list[Sample]:
        """One for each verdict, with what the file and the benchmark tell of it, in the benchmark's order.

        Raises UserError where the benchmark is known and cannot be had.
        """
        return samples_of(self._form, self._recorded, self._benchmark)


def read(path: Path, named: Dataset | None = None) -> RecordedRun:
    """Read a file of verdicts; `named` is the benchmark of one that does not tell its own. Raises UserError."""
    form, recorded = read_recorded(path)
    if not recorded.verdicts:
        unjudged = f", and {counted(recorded.left_out, 'sample')} without one" if recorded.left_out else ""
        raise UserError(f"{path} ({form.name}) holds no verdict{unjudged}: name a file of results.")
    benchmark = benchmark_of(path, recorded, named)
    recorded = _renamed(recorded, benchmark.names)
    tasks = len({verdict.task_id for verdict in recorded.verdicts})
    scores = score(recorded.verdicts, tasks_in_dataset=benchmark.size)
    warnings = (benchmark.warning, *_warnings(recorded, scores["evalplus"]))
    summary = RunSummary(
        dataset=benchmark.name,
        version=benchmark.version,
        variant=_WHOLE if recorded.is_whole else benchmark.variant,
        suites=recorded.suites,
        model=recorded.model or path.name,
        sampling=", ".join(filter(None, [form.name, recorded.date])),
        sanitizer="not told",
        comparable=_is_comparable(recorded, benchmark) and tasks == benchmark.size,
        run_dir=str(path),
        sandbox="not told",
        scores=scores,
        told_by=form.name,
        judge=form.judge,
        warnings=tuple(filter(None, warnings)),
    )
    return RecordedRun(summary, recorded.verdicts, form, recorded, benchmark)


def _is_comparable(recorded: Recorded, benchmark: Benchmark) -> bool:
    """Whether EvalPlus judged it, on a benchmark that scores are published of."""
    by_evalplus = bool(recorded.dataset_md5) or "plus" in recorded.suites
    published = benchmark.release is not None and benchmark.release.is_published
    return by_evalplus and published and benchmark.is_known and benchmark.is_exact


def _renamed(recorded: Recorded, names: Mapping[str, str]) -> Recorded:
    return replace(
        recorded,
        verdicts=tuple(replace(one, task_id=names.get(one.task_id, one.task_id)) for one in recorded.verdicts),
        prompts={names.get(task_id, task_id): prompt for task_id, prompt in recorded.prompts.items()},
        programs=tuple(replace(one, task_id=names.get(one.task_id, one.task_id)) for one in recorded.programs),
    )


def _warnings(recorded: Recorded, found: Score) -> Iterator[str]:
    if recorded.is_whole:
        yield "each verdict is on base and plus tests as one suite, and stands as base"
    if recorded.left_out:
        yield f"left out: {counted(recorded.left_out, 'sample')} without a verdict there"
    for suite, by_k in recorded.pass_at_k.items():
        for k, told in by_k.items():
            ours = found.of(suite).get(k)
            if suite in recorded.suites and ours and not isnan(ours.value) and abs(ours.value - told) > _ROUNDED:
                yield (
                    f"it tells a {SUITE_TITLES[suite]} pass@{k} of {told:.1%}, where its verdicts make {ours.value:.1%}"
                )
