"""What a run comes to: the record behind the terminal, the page and `scores.json`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import isnan
from pathlib import Path
from typing import Any

import msgspec

from evalplus_run import json_text
from evalplus_run.files import read_whole, reason, write_whole
from evalplus_run.metrics.score import judged_by, outcomes_that_count
from evalplus_run.records import (
    PROFILES,
    SUITES,
    Estimate,
    Outcome,
    ProfileName,
    SampleId,
    Score,
    SuiteName,
    UserError,
    Verdict,
)
from evalplus_run.report.published import Published, consistency

VERSION_NOT_TOLD = "version not told"
"""In the place of a version, where another tool's file tells its benchmark by its task ids alone."""


@dataclass(frozen=True, slots=True)
class Moved:
    """A sample that passes a suite under one judge profile and not under the other."""

    task_id: str
    index: int
    suite: SuiteName
    evalplus: Outcome
    strict: Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class SanitizersCompared:
    """The samples whose pass on base and plus, by EvalPlus's rules, hangs on how their answers became programs."""

    samples: int
    """Those that were judged in every way: as both sanitizers clean them, and whole."""
    only_default: tuple[SampleId, ...]
    """Pass as the default sanitizer cleans them, and not as EvalPlus's does."""
    only_evalplus: tuple[SampleId, ...]
    only_cleaned: tuple[SampleId, ...]
    """Pass as the run's own sanitizer cleans them, and not as whole text."""
    only_whole: tuple[SampleId, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSummary:
    """All that a report of one run tells, but for its samples."""

    dataset: str
    """The name in the registry."""
    version: str
    variant: str
    suites: tuple[SuiteName, ...]
    """`("base",)` where the benchmark has no plus tests."""
    model: str
    """What drew the samples; of given ones the name of their file."""
    name: str = ""
    """What the user calls the run."""
    sampling: str
    """In words, for people: `greedy`, or `n=200, temperature 0.8, top_p 0.95`."""
    sanitizer: str
    """How answers became programs; `none` where samples were judged as they were given."""
    comparable: bool
    """Whether published scores were made on the same benchmark in the same way: an official one, whole, and
    programs as EvalPlus would judge them."""
    run_dir: str
    sandbox: str
    """The tier of isolation that was in force."""
    left_out: str = ""
    """In words, the tests that the strict profile leaves out; empty where nobody told."""
    scores: Mapping[ProfileName, Score]
    moved: tuple[Moved, ...] = ()
    temperature: float | None = None
    """None where it is not told."""
    told_by: str = ""
    """What other tool's file the verdicts come from; empty where they are this program's own."""
    judge: str = "evalplus"
    """Whose verdicts the headline's are: by EvalPlus's rules, or another tool's own."""
    published: Published | None = None
    """What the run is held against, where it is told."""
    sanitizers: SanitizersCompared | None = None
    """None where nothing was cleaned, or nothing compared."""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    tokens_per_second: float | None = None
    """New tokens of all samples by the wall clock of sampling."""
    seconds: Mapping[str, float] = field(default_factory=dict)
    """Wall-clock seconds by stage, in the order of the stages."""
    cost: float | None = None
    """In the currency of the prices that were given; of the answers whose cost is known."""
    warnings: tuple[str, ...] = ()
    """Sentences on what makes the score less than it seems: a degraded sandbox, a partial set, a guess."""

    @property
    def label(self) -> str:
        """What tables and pages call the run."""
        return self.name or self.model

    def judge_of(self, profile: ProfileName) -> str:
        """Whose verdicts those under a profile are, for people."""
        return self.judge if profile == "evalplus" else profile

    @property
    def benchmark(self) -> str:
        """The dataset in its version, where that is known, and variant: what runs share that can be compared."""
        return " ".join(filter(None, [self.dataset, self.version, f"({self.variant})"]))


def samples_a_task(summary: RunSummary) -> float:
    """How many were judged, on average; 0 without any task."""
    score = summary.scores["evalplus"]
    return round(score.samples / max(1, score.tasks), 2)


def moved_samples(verdicts: Iterable[Verdict]) -> tuple[Moved, ...]:
    """The samples whose pass on base, or on base and plus, hangs on the judge profile."""
    moved = []
    for verdict in verdicts:
        strict = outcomes_that_count(judged_by(verdict, "strict"))
        for suite, outcome in outcomes_that_count(judged_by(verdict, "evalplus")).items():
            if (outcome is Outcome.PASS) != (strict[suite] is Outcome.PASS):
                moved.append(Moved(verdict.task_id, verdict.index, suite, outcome, strict[suite]))
    return tuple(moved)


def compare_sanitizers(
    outcomes: Mapping[str, Mapping[SampleId, Outcome]], own: str, samples: Sequence[SampleId]
) -> SanitizersCompared:
    """What hangs on the sanitizer, from the outcomes with `default`, `evalplus` and `none`; `own` is the run's.

    In the order of `samples`; those that the machine failed in one of the ways are left out.
    """
    judged = [one for one in samples if all(of[one] is not Outcome.HOST_FAULT for of in outcomes.values())]

    def only(name: str, other: str) -> tuple[SampleId, ...]:
        passes, also = outcomes[name], outcomes[other]
        return tuple(one for one in judged if passes[one] is Outcome.PASS and also[one] is not Outcome.PASS)

    return SanitizersCompared(
        samples=len(judged),
        only_default=only("default", "evalplus"),
        only_evalplus=only("evalplus", "default"),
        only_cleaned=only(own, "none"),
        only_whole=only("none", own),
    )


def write_scores(path: Path, summary: RunSummary) -> None:
    """Write `scores.json`; what is not a number becomes null."""
    write_whole(path, json_text.encode(as_json(summary), indent=2) + b"\n")


def as_json(summary: RunSummary) -> Mapping[str, Any]:
    """All of it, and what follows from it: whether the published scores go together with the run's."""
    plain: dict[str, Any] = msgspec.to_builtins(summary, str_keys=True)
    if summary.published is None:
        return plain
    return {**plain, "consistent": consistency(summary)}


def read_scores(path: Path) -> RunSummary:
    """Read what `write_scores` wrote. Raises UserError for a file that is absent or something else."""
    try:
        content = json_text.decode(read_whole(path))
        _restore_nan(content)
        return _whole(json_text.convert(content, RunSummary))
    except FileNotFoundError:
        raise UserError(f"{path} does not exist: the run has no scores yet, run it again to finish it.") from None
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise UserError(
            f"{path} is not a scores.json of this program ({reason(error)}): run the same command again to make it."
        ) from error


def _whole(summary: RunSummary) -> RunSummary:
    """The same, once it is known to have a score for each profile, suite and k. Raises KeyError and ValueError."""
    ks = summary.scores["evalplus"].base.keys()
    if not ks or summary.suites not in (SUITES, SUITES[:1]):
        raise ValueError("it has no scores, or those of other suites")
    for score in (summary.scores[profile] for profile in PROFILES):
        if not ks == score.base.keys() == score.plus.keys() or not score.outcomes.keys() >= {*summary.suites}:
            raise ValueError("some scores are missing")
        if not all(map(_is_sound, (*score.base.values(), *score.plus.values(), *score.drop.values()))):
            raise ValueError("a score lies outside its interval")
    return summary


def _is_sound(estimate: Estimate) -> bool:
    return isnan(estimate.value) or 0 <= estimate.low <= estimate.value <= estimate.high <= 1


def _restore_nan(content: Any) -> None:
    """JSON has no not-a-number: the nulls in estimates become it again."""
    for score in content["scores"].values():
        for of in ("base", "plus", "drop"):
            for estimate in score.get(of, {}).values():
                estimate.update({key: float("nan") for key in ("value", "low", "high") if estimate[key] is None})
