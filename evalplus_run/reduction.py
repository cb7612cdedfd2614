"""`evalplus-run reduce`: a benchmark with few tests for each task that keep the strength of all.

The folder has `tasks.jsonl`, a row for each task with what every test shows (the kill matrix), `chosen.jsonl`, a row
for each task with the tests that were taken, and the benchmark with these plus inputs. The base tests stay.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import itertools
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from evalplus_run import given_programs, json_text, remade
from evalplus_run.audit.models import Judged, judge_all
from evalplus_run.audit.running import Runner
from evalplus_run.benchmarks import load
from evalplus_run.config import Config
from evalplus_run.evaluate import errata
from evalplus_run.evaluate.judging import Rules
from evalplus_run.files import user_path, write_whole
from evalplus_run.machine import usable_cores
from evalplus_run.progress import Progress
from evalplus_run.records import SUITES, Dataset, Program, Task, UserError
from evalplus_run.sandbox import memory, tiers
from evalplus_run.sandbox.any_worker import AnyWorker
from evalplus_run.task_processes import all_done
from evalplus_run.task_rows import TaskRows, held
from evalplus_run.testgen import cover
from evalplus_run.testgen.few_tests import Target, ranked, shared, smallest, targets
from evalplus_run.testgen.matrix import Matrix, observed
from evalplus_run.testgen.settings import ReduceSettings

_VERSION = "1"
"""Raised whenever the same settings choose other tests."""
_TASKS, _CHOSEN = "tasks.jsonl", "chosen.jsonl"
_MOST = 4
"""Times its part of the budget that a task may get."""
Failures = Mapping[str, Mapping[str, Sequence[frozenset[int]]]]
"""By task and model, the tests that each wrong program fails, base tests first."""


@dataclass(frozen=True, slots=True)
class _Pool:
    """What tests are chosen of."""

    tasks: Mapping[str, Task]
    matrices: Mapping[str, Matrix]
    usable: Mapping[str, tuple[int, ...]]
    """By task, the tests that are not wrong themselves."""

    def base(self, task_id: str) -> range:
        """The numbers of the base tests."""
        return range(len(self.tasks[task_id].base_inputs))


def run(config: Config) -> None:
    """Choose tests for all tasks of the benchmark, and tell what they keep. Raises UserError and RunFailed."""
    if config.model is not None:
        raise UserError("reduce needs a dataset, and samples if there are any: drop model.")
    dataset = load(config.dataset)
    if not any(task.plus_inputs for task in dataset.tasks):
        raise UserError(
            f"{dataset.name} has no plus tests to choose of: make some first (evalplus-run inputs), "
            "and give their file as dataset=custom dataset.path=FILE."
        )
    rules = Rules(
        memory=memory.at_most(config.sandbox.memory << 20),
        evaluate=config.evaluate,
        tier=tiers.choose_tier(config.sandbox),
        errata=errata.read(config.evaluate.errata, dataset.sha256),
        wrapper=config.sandbox.wrapper,
        image=config.sandbox.image,
    )
    named = given_programs.paths(config.samples) if config.samples else ()
    programs = given_programs.by_model(config, dataset, named)
    identity = _identity(config, dataset, programs, rules)
    folder = user_path(config.run_dir or f"{config.sweep.dir}/{dataset.name}/reduced-{identity}")
    progress = Progress()
    with held(folder):
        rows = TaskRows(folder / _TASKS, Matrix, identity)
        with progress.shown():
            _observe_all(config, dataset, rules, rows, progress)
            judged = _judged(config, dataset, rules, programs, progress)
        pool = _Pool(
            {task.task_id: task for task in dataset.tasks},
            {task.task_id: rows.made[task.task_id] for task in dataset.tasks},
            {task.task_id: _usable(task, rules) for task in dataset.tasks},
        )
        chosen = _chosen(pool, config.reduce, _failures(pool, judged))
        written = remade.write(config, dataset, folder, lambda row: _with_few(row, pool, chosen))
        write_whole(folder / _CHOSEN, _provenance(pool, chosen))
    _tell(pool, config.reduce, judged, chosen)
    print(f"left out as wrong themselves: {rules.errata.told}")  # noqa: T201
    print(written)  # noqa: T201


def _with_few(row: remade.Row, pool: _Pool, chosen: Mapping[str, Sequence[int]]) -> remade.Row:
    if "plus_input" not in row:
        return row
    first = len(pool.base(row["task_id"]))
    return {**row, "plus_input": [row["plus_input"][test - first] for test in sorted(chosen[row["task_id"]])]}


def _identity(config: Config, dataset: Dataset, programs: Mapping[str, Sequence[Program]], rules: Rules) -> str:
    """A hash of what the choice hangs on."""
    solutions = [(name, each.task_id, each.solution) for name, some in programs.items() for each in some]
    digest = hashlib.sha256(repr(solutions).encode("utf-8", "surrogatepass")).hexdigest()
    parts = (_VERSION, dataset.name, dataset.sha256, dataclasses.astuple(config.reduce), rules.errata.key, digest)
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:12]


def _observe_all(config: Config, dataset: Dataset, rules: Rules, rows: TaskRows[Matrix], progress: Progress) -> None:
    left = [task for task in dataset.tasks if task.task_id not in rows.made]
    stage = progress.stage("mutants", len(dataset.tasks), len(dataset.tasks) - len(left))
    work = functools.partial(_observed, settings=config.reduce, most=rules.memory)
    for made in all_done(work, [(task.task_id, task) for task in left], rules, config.executor.workers):
        rows.add(made)
        stage.advance()


def _observed(worker: AnyWorker, task: Task, *, settings: ReduceSettings, most: int) -> Matrix:
    return observed(worker, task, settings, memory=most)


def _judged(
    config: Config, dataset: Dataset, rules: Rules, programs: Mapping[str, Sequence[Program]], progress: Progress
) -> Mapping[str, Sequence[Judged]]:
    """By task."""
    if not programs:
        return {}
    stage = progress.stage("programs", sum(map(len, programs.values())))
    with Runner(rules, config.executor.workers or usable_cores()) as runner:
        return judge_all(runner, dataset.tasks, programs, rules.errata, stage.advance)


def _usable(task: Task, rules: Rules) -> tuple[int, ...]:
    """The numbers of the tests that no erratum names, base tests first."""
    counted = itertools.count()
    numbered = [(next(counted), suite, test) for suite in SUITES for test in range(len(task.inputs(suite)))]
    wrong = {suite: rules.errata.of(task, suite, task.inputs(suite)) for suite in SUITES}
    return tuple(number for number, suite, test in numbered if test not in wrong[suite])


def _failures(pool: _Pool, judged: Mapping[str, Sequence[Judged]]) -> Failures:
    found: dict[str, dict[str, list[frozenset[int]]]] = {}
    for task_id, some in judged.items():
        usable = frozenset(pool.usable[task_id])
        for each in some:
            failed = usable & {*each.failed("base"), *(len(pool.base(task_id)) + test for test in each.failed("plus"))}
            # One that fails no single test could not be loaded: any test shows that.
            if failed:
                found.setdefault(task_id, {}).setdefault(each.model, []).append(failed)
    return found


def _chosen(pool: _Pool, settings: ReduceSettings, failures: Failures, without: str = "") -> dict[str, list[int]]:
    """By task, the tests beside the base tests, best first; programs of one model may be left out of account."""
    if not settings.tests:
        covers = {task_id: _smallest(pool, task_id, _known(failures, task_id, without)) for task_id in pool.tasks}
        return {task_id: list(each.tests) for task_id, each in covers.items()}
    ranks = {}
    for task_id in pool.tasks:
        wanted = _targets(pool, task_id, _known(failures, task_id, without))
        ranks[task_id] = ranked(wanted, pool.base(task_id), _MOST * settings.tests)
    budget = settings.tests * len(pool.tasks) - sum(len(pool.base(task_id)) for task_id in pool.tasks)
    return shared(ranks, budget)


def _known(failures: Failures, task_id: str, without: str) -> list[frozenset[int]]:
    return [each for model, some in failures.get(task_id, {}).items() if model != without for each in some]


def _targets(pool: _Pool, task_id: str, programs: Iterable[Collection[int]]) -> list[Target]:
    task = pool.tasks[task_id]
    inputs = [*task.base_inputs, *task.plus_inputs]
    return targets(pool.matrices[task_id], inputs, programs, pool.usable[task_id])


def _smallest(pool: _Pool, task_id: str, programs: Iterable[Collection[int]]) -> cover.Cover:
    return smallest(pool.matrices[task_id], programs, pool.usable[task_id], pool.base(task_id))


def _provenance(pool: _Pool, chosen: Mapping[str, Sequence[int]]) -> bytes:
    """By task, which plus tests were taken, best first, with what each kills that none before it does."""
    lines = []
    for task_id, tests in chosen.items():
        matrix, first = pool.matrices[task_id], len(pool.base(task_id))
        known = {mutant for test in pool.base(task_id) for mutant in matrix.tests[test].killed}
        rows = []
        for test in tests:
            new = [mutant for mutant in matrix.tests[test].killed if mutant not in known]
            known.update(new)
            rows.append({"plus_test": test - first, "first_to_kill": [matrix.mutants[mutant] for mutant in new]})
        lines.append(json_text.encode({"task_id": task_id, "tests": rows}) + b"\n")
    return b"".join(lines)


def _tell(
    pool: _Pool, settings: ReduceSettings, judged: Mapping[str, Sequence[Judged]], chosen: Mapping[str, Sequence[int]]
) -> None:
    failures = _failures(pool, judged)
    suites: dict[str, Mapping[str, Collection[int]]] = {
        "base": {task_id: pool.base(task_id) for task_id in pool.tasks},
        "all": {task_id: {*pool.base(task_id), *tests} for task_id, tests in pool.usable.items()},
        "chosen": {task_id: {*pool.base(task_id), *tests} for task_id, tests in chosen.items()},
    }
    for name, suite in suites.items():
        print(_strength(pool, failures, name, suite))  # noqa: T201
    unknown = sum(bool(shown.unknown) for matrix in pool.matrices.values() for shown in matrix.tests)
    if unknown:
        print(f"tests that were tried on no mutant, too slow or over reduce.work: {unknown}")  # noqa: T201
    base = sum(map(len, suites["base"].values()))
    if settings.tests and base >= settings.tests * len(pool.tasks):
        print("the base tests take all of reduce.tests: no others were chosen")  # noqa: T201
    if not settings.tests:
        _tell_bound(pool, failures, chosen)
    models = sorted({each.model for some in judged.values() for each in some})
    if models:
        _tell_scores(pool, failures, judged, models, suites["chosen"])
    if len(models) > 1:
        _tell_held_out(pool, settings, failures, models)


def _tell_bound(pool: _Pool, failures: Failures, chosen: Mapping[str, Sequence[int]]) -> None:
    least = sum(_smallest(pool, task_id, _known(failures, task_id, "")).least for task_id in pool.tasks)
    print(f"chosen beside the base tests: {sum(map(len, chosen.values()))}; no fewer than {least} do")  # noqa: T201
    if not cover.is_exact_here():
        print("chosen greedily alone: pip install 'evalplus-run[reduce]' finds the smallest suites")  # noqa: T201


def _strength(pool: _Pool, failures: Failures, name: str, suite: Mapping[str, Collection[int]]) -> str:
    """One row: tests a task, mutants killed of those that any test kills, outcomes reached, wrong programs caught."""
    killed = killable = reached = outcomes = caught = wrong = 0
    for task_id, matrix in pool.matrices.items():
        tests = matrix.tests
        killed += len({mutant for test in suite[task_id] for mutant in tests[test].killed})
        every = {*pool.base(task_id), *pool.usable[task_id]}
        killable += len({mutant for test in every for mutant in tests[test].killed})
        reached += len({outcome for test in suite[task_id] for outcome in tests[test].outcomes})
        outcomes += matrix.outcomes
        programs = _known(failures, task_id, "")
        caught += sum(not failed.isdisjoint(suite[task_id]) for failed in programs)
        wrong += len(programs)
    count = sum(map(len, suite.values())) / len(suite)
    real = f", {caught} of {wrong} wrong programs" if wrong else ""
    return (
        f"{name}: {count:.1f} tests a task, mutation score {_share(killed, killable)} ({killed} of {killable}), "
        f"branch coverage {_share(reached, outcomes)} ({reached} of {outcomes}){real}"
    )


def _tell_scores(
    pool: _Pool,
    failures: Failures,
    judged: Mapping[str, Sequence[Judged]],
    models: Sequence[str],
    suite: Mapping[str, Collection[int]],
) -> None:
    """What models score with all tests and with those chosen, by the strict rules, and whether they change places."""
    scores: dict[str, tuple[float, float]] = {}
    for model in models:
        full = few = 0.0
        for task_id, some in judged.items():
            own = [each.verdict.passed for each in some if each.model == model]
            failed = failures.get(task_id, {}).get(model, ())
            missed = sum(each.isdisjoint(suite[task_id]) for each in failed)
            full += 100 * sum(own) / max(1, len(own)) / len(pool.tasks)
            few += 100 * (sum(own) + missed) / max(1, len(own)) / len(pool.tasks)
        scores[model] = full, few
        print(f"{model}: strict pass@1 {full:.1f} with all tests, {few:.1f} with those chosen")  # noqa: T201
    pairs = list(itertools.combinations(scores.values(), 2))
    turned = sum((one[0] - other[0]) * (one[1] - other[1]) < 0 for one, other in pairs)
    if pairs:
        print(f"pairs of models that change places: {turned} of {len(pairs)}")  # noqa: T201


def _tell_held_out(pool: _Pool, settings: ReduceSettings, failures: Failures, models: Sequence[str]) -> None:
    """How many wrong programs of each model tests catch that were chosen without that model's programs."""
    kept = wrong = 0
    for model in models:
        chosen = _chosen(pool, settings, failures, without=model)
        for task_id, by_model in failures.items():
            suite = {*pool.base(task_id), *chosen[task_id]}
            kept += sum(not failed.isdisjoint(suite) for failed in by_model.get(model, ()))
            wrong += len(by_model.get(model, ()))
    print(  # noqa: T201
        f"chosen without the programs of one model after the other, they catch {kept} of that model's {wrong} wrong "
        f"programs ({_share(kept, wrong)})"
    )


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "none"
