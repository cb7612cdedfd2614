"""From verdicts to scores. Cheap to import: numpy comes with the first score."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Self

from evalplus_run.records import (
    PROFILES,
    SUITES,
    Estimate,
    Outcome,
    ProfileName,
    ProfileVerdict,
    Score,
    SuiteName,
    Verdict,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def score(
    verdicts: Collection[Verdict], *, tasks_in_dataset: int, ks: Sequence[int] | None = None
) -> Mapping[ProfileName, Score]:
    """pass@k with intervals and the counts of outcomes, under each judge profile.

    `ks` defaults to those of 1, 10 and 100 that the task with the most samples allows; where another task has
    fewer than k, the estimate is NaN. A sample with a host fault is left out of every estimate and counted as
    `host_fault`.
    """
    return {profile: Tally.of(verdicts, profile).score(tasks_in_dataset, ks) for profile in PROFILES}


def judged_by(verdict: Verdict, profile: ProfileName) -> ProfileVerdict:
    """The verdict's part under one judge profile."""
    return verdict.evalplus if profile == "evalplus" else verdict.strict


def outcomes_that_count(judged: ProfileVerdict) -> Mapping[SuiteName, Outcome]:
    """What a sample counts as, for base and for plus.

    Plus means base and plus (EvalPlus's rule), so a program that fails on base has base's outcome in both;
    a host fault in one suite takes the sample out of both.
    """
    if judged.is_host_fault:
        return dict.fromkeys(SUITES, Outcome.HOST_FAULT)
    base, plus = judged.base.outcome, judged.plus.outcome
    return {"base": base, "plus": plus if base is Outcome.PASS else base}


@dataclass(slots=True)
class Tally:
    """The counts under one profile: samples and correct ones by task, outcomes by suite.

    A sample with a host fault is counted among the outcomes alone.
    """

    samples: Counter[str] = field(default_factory=Counter)
    correct: dict[SuiteName, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    outcomes: dict[SuiteName, Counter[Outcome]] = field(default_factory=lambda: {suite: Counter() for suite in SUITES})

    @classmethod
    def of(cls, verdicts: Iterable[Verdict], profile: ProfileName) -> Self:
        """That of all these samples."""
        tally = cls()
        for verdict in verdicts:
            tally.add(verdict.task_id, outcomes_that_count(judged_by(verdict, profile)))
        return tally

    def add(self, task_id: str, outcomes: Mapping[SuiteName, Outcome]) -> None:
        """Count one sample."""
        for suite, outcome in outcomes.items():
            self.outcomes[suite][outcome] += 1
            self.correct[suite][task_id] += outcome is Outcome.PASS
        self.samples[task_id] += Outcome.HOST_FAULT not in outcomes.values()

    @property
    def tasks(self) -> list[str]:
        """Those with a judged sample."""
        return [task_id for task_id, count in self.samples.items() if count]

    def counts(self, suite: SuiteName, tasks: Sequence[str]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Of each of these tasks the judged samples, and the correct ones on one suite."""
        import numpy as np

        n, correct = ([count[task_id] for task_id in tasks] for count in (self.samples, self.correct[suite]))
        return np.array(n, np.int64), np.array(correct, np.int64)

    def score(self, tasks_in_dataset: int, ks: Sequence[int] | None) -> Score:
        """As the function `score` has it."""
        from evalplus_run.metrics.passk import default_ks

        tasks = self.tasks
        (n, base), (_, plus) = (self.counts(suite, tasks) for suite in SUITES)
        chosen = ks or default_ks(int(n.max(initial=0))) or (1,)
        return Score(
            tasks=len(tasks),
            tasks_in_dataset=tasks_in_dataset,
            samples=int(n.sum()),
            base={k: _estimate(n, base, k) for k in chosen},
            plus={k: _estimate(n, plus, k) for k in chosen},
            outcomes={
                suite: {one: count[one] for one in Outcome if count[one]} for suite, count in self.outcomes.items()
            },
            drop={k: _drop(n, base, plus, k) for k in chosen},
        )


def _estimate(n: NDArray[np.int64], correct: NDArray[np.int64], k: int) -> Estimate:
    """The mean over tasks of pass@k, and where its uncertainty comes from."""
    from evalplus_run.metrics.noise import noise
    from evalplus_run.metrics.passk import pass_at_k

    estimate = _mean(pass_at_k(n, correct, k), n)
    found = noise(n, correct, k)
    return replace(estimate, sampling_error=found.sampling, tasks_error=found.tasks) if found else estimate


def _drop(n: NDArray[np.int64], base: NDArray[np.int64], plus: NDArray[np.int64], k: int) -> Estimate:
    """The mean over tasks of what the plus tests take from pass@k; no task can gain by them."""
    from evalplus_run.metrics.passk import pass_at_k

    return _mean(pass_at_k(n, base, k) - pass_at_k(n, plus, k), n)


def _mean(values: NDArray[np.float64], n: NDArray[np.int64]) -> Estimate:
    """With Wilson's interval for one sample a task, else the one over tasks; NaN where a task has too few samples."""
    import numpy as np

    from evalplus_run.metrics import intervals

    if n.size == 0 or np.isnan(values).any():
        return Estimate(float("nan"), float("nan"), float("nan"), "undefined")
    if (n == 1).all():
        return Estimate(float(values.mean()), *intervals.wilson(round(values.sum()), n.size), intervals.WILSON)
    return Estimate(float(values.mean()), *intervals.by_task(values), intervals.BY_TASK)
