"""The programs of several models, judged with all failing tests told."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from evalplus_run.audit.running import Runner
from evalplus_run.evaluate.cache import VerdictCache
from evalplus_run.evaluate.errata import Errata
from evalplus_run.evaluate.local import LocalPool
from evalplus_run.evaluate.pool import needs_another_try, wants_to_be_alone
from evalplus_run.evaluate.suites import TaskTests
from evalplus_run.files import cache_folder
from evalplus_run.records import SUITES, Outcome, ProfileVerdict, Program, SuiteName, Task, Verdict


@dataclass(frozen=True, slots=True)
class Judged:
    """A program of one model, and what became of it under the strict profile."""

    model: str
    solution: str
    verdict: ProfileVerdict

    def failed(self, suite: SuiteName) -> tuple[int, ...]:
        """The tests that it fails."""
        verdict = self.verdict.base if suite == "base" else self.verdict.plus
        return verdict.failed_tests or ()

    def is_nearly_right(self, most: float) -> bool:
        """Whether it returns a value at every test, and no more than so many wrong ones, though some."""
        outcomes = {self.verdict.base.outcome, self.verdict.plus.outcome}
        return (
            outcomes <= {Outcome.PASS, Outcome.WRONG} and 0 < sum(len(self.failed(suite)) for suite in SUITES) <= most
        )


def judge_all(
    runner: Runner,
    tasks: Sequence[Task],
    programs: Mapping[str, Sequence[Program]],
    errata: Errata,
    advance: Callable[[], None],
) -> dict[str, list[Judged]]:
    """By task. `programs` are by model; tests that `errata` name are left out.

    Raises RunFailed where a reference fails.
    """
    evaluate = replace(runner.rules.evaluate, details=True)
    rules = replace(runner.rules, evaluate=evaluate, errata=errata)
    kept = VerdictCache(cache_folder("verdicts") / "verdicts.sqlite")
    with kept as cache, LocalPool(rules, workers=runner.number, cache=cache) as pool:
        tests = {each.task.task_id: each for each in (future.result() for future in pool.prepare(tasks))}
        asked = [(model, each) for model, some in programs.items() for each in some if each.task_id in tests]
        waiting = [pool.submit(tests[each.task_id], each) for _, each in asked]
        judged: dict[str, list[Judged]] = {task_id: [] for task_id in tests}
        first: list[Verdict] = []
        for future in waiting:
            first.append(future.result())
            advance()
        for (model, program), verdict in zip(asked, first, strict=True):
            final = _final(pool, tests[program.task_id], program, verdict).strict
            if not final.is_host_fault:
                judged[program.task_id].append(Judged(model, program.solution, final))
    return judged


def _final(pool: LocalPool, tests: TaskTests, program: Program, verdict: Verdict) -> Verdict:
    """Once all others are through: what is not final is tried once more, with few neighbours or none."""
    if needs_another_try(verdict) and not wants_to_be_alone(verdict):
        verdict = pool.again(tests, program, verdict).result()
    if wants_to_be_alone(verdict):
        verdict = pool.again(tests, program, verdict, alone=True).result()
    return verdict


def pass_rates(judged: Mapping[str, Sequence[Judged]], models: Sequence[str]) -> dict[str, list[float]]:
    """By task, each model's share of samples that pass, for the tasks of which every model has some."""
    rates: dict[str, list[float]] = {}
    for task_id, some in judged.items():
        of_model = [[each.verdict.passed for each in some if each.model == model] for model in models]
        if all(of_model):
            rates[task_id] = [sum(passed) / len(passed) for passed in of_model]
    return rates
