"""The judge against bare execution and against EvalPlus, in one run, on real samples, at equal parallelism.

    python tests/bench/judge.py --samples FILE [--dataset mbpp_plus] [--dataset-path FILE] [--evalplus-python PYTHON]

prints every figure beside its target. Each round runs all sides one after the other; figures are medians over the
rounds, ratios are medians of the rounds' own ratios. EvalPlus is run where `--evalplus-python` names a Python that
has it, for example of `python3.11 -m venv ep && ep/bin/pip install evalplus==0.3.1`.

- bare: see bare.py, which runs the programs WITHOUT A SANDBOX, so give it samples that you trust.
- ours: the command `evalplus-run samples=FILE evaluate.cache=false`, its references kept before.
- start: the same command on one unparsable program for each worker; its costs do not grow with the samples.
- quick: without the samples of tasks whose reference needs 50 ms or more; an unparsable program stands in for each.
- again: every sample so many times, each time with another comment: other texts, but equal syntax trees.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path

import bare
import measure
from commands import EvalPlus, Ours, write_samples

from evalplus_run.benchmarks.fetch import fetch
from evalplus_run.benchmarks.load import load
from evalplus_run.benchmarks.settings import DatasetSettings
from evalplus_run.evaluate.equality import shape_of
from evalplus_run.evaluate.judging import Rules
from evalplus_run.evaluate.local import LocalPool
from evalplus_run.evaluate.pool import longest_first
from evalplus_run.evaluate.settings import EvaluateSettings
from evalplus_run.evaluate.suites import TaskTests
from evalplus_run.machine import usable_cores
from evalplus_run.records import Outcome, Program, Verdict
from evalplus_run.runs import RowLog
from evalplus_run.sandbox.settings import SandboxSettings
from evalplus_run.sandbox.tiers import choose_tier

CPU_SHARE, CPU_SECONDS_A_SAMPLE, WALL_RATIO, FIRST_SECONDS = 0.05, 0.003, 1.15, 1.5
EVALPLUS_CPU_RATIO, EVALPLUS_WALL_RATIO, QUICK_SECONDS = 30, 10, 0.05
UNPARSABLE = "("
Round = dict[str, measure.Cost]


@dataclass(frozen=True, slots=True)
class Bench:
    """What all parts share."""

    ours: Ours
    evalplus: EvalPlus | None
    tests: Mapping[str, TaskTests]
    programs: Sequence[Program]
    """Those of the file, the long tasks first."""
    verdicts: Mapping[tuple[str, int], Verdict]
    folder: Path
    copies: int


def prepare(arguments: argparse.Namespace, folder: Path) -> Bench:
    """Keep all references and ground truth, and learn from an unmeasured run where each program fails first."""
    settings = DatasetSettings(name=arguments.dataset, path=arguments.dataset_path)
    dataset_file = folder / "dataset.jsonl"
    dataset_file.write_bytes(fetch(settings).data)
    ours = Ours(arguments.dataset, dataset_file, arguments.workers, folder)
    tests = _tests(settings, arguments.workers)
    ours.judge(arguments.samples)
    verdicts = RowLog(ours.run_folder / "verdicts.jsonl", Verdict).read()
    programs = RowLog(ours.run_folder / "samples.jsonl", Program).read().values()
    order = {each.task.task_id: place for place, each in enumerate(longest_first(list(tests.values())))}
    if arguments.leave_out_timeouts:
        programs = [_left_out(each) if _timed_out(verdicts[each.task_id, each.index]) else each for each in programs]
    ordered = sorted(programs, key=lambda each: order[each.task_id])
    evalplus = None
    if arguments.evalplus_python:
        evalplus = EvalPlus(arguments.evalplus_python, arguments.dataset, dataset_file, arguments.workers)
        evalplus.start()
    return Bench(ours, evalplus, tests, ordered, verdicts, folder, arguments.copies)


def _tests(settings: DatasetSettings, workers: int) -> dict[str, TaskTests]:
    sandbox = SandboxSettings()
    rules = Rules(sandbox.memory << 20, EvaluateSettings(), choose_tier(sandbox))
    with LocalPool(rules, workers=workers) as pool:
        ready = [future.result() for future in pool.prepare(load(settings).tasks)]
    return {each.task.task_id: each for each in ready}


def _left_out(program: Program) -> Program:
    # A row stays: EvalPlus judges no file in which a task is missing.
    return replace(program, solution=UNPARSABLE)


def _timed_out(verdict: Verdict) -> bool:
    return Outcome.TIMEOUT in (verdict.evalplus.base.outcome, verdict.evalplus.plus.outcome)


def job_of(program: Program, verdict: Verdict, tests: TaskTests) -> bare.Job:
    """The calls that bare execution makes for a program: in each suite, up to the first that fails for EvalPlus."""
    if program.solution == UNPARSABLE:
        return bare.Job(program.task_id, tests.task.entry_point, program.solution, [0 for _ in tests.suites], 0.0)
    calls, seconds = [], 0.0
    found = {"base": verdict.evalplus.base, "plus": verdict.evalplus.plus}
    for suite in tests.suites:
        judged = found[suite.name]
        if judged.outcome is Outcome.PASS:
            calls.append(len(suite.inputs))
        else:
            calls.append(0 if judged.test is None else judged.test + 1)
        if judged.outcome is Outcome.TIMEOUT and not seconds:
            seconds = suite.limits.tests[judged.test or 0]
    return bare.Job(program.task_id, tests.task.entry_point, program.solution, calls, seconds)


def bare_side(bench: Bench) -> Callable[[], tuple[measure.Cost, float]]:
    """A measurement of bare execution: its cost without the start, and the CPU seconds of the longest sample."""
    path, result = bench.folder / "jobs", bench.folder / "bare.json"
    jobs = [
        job_of(each, bench.verdicts[each.task_id, each.index], bench.tests[each.task_id]) for each in bench.programs
    ]
    inputs = {task_id: [suite.inputs for suite in tests.suites] for task_id, tests in bench.tests.items()}
    bare.write_jobs(path, jobs, inputs, SandboxSettings().memory << 20)
    command = [sys.executable, bare.__file__, str(path), str(bench.ours.workers), str(result)]

    def measured() -> tuple[measure.Cost, float]:
        whole = measure.run(command, os.environ)
        told = json.loads(result.read_text())
        return measure.Cost(told["cpu"], whole.own_cpu, told["wall"], 0.0, whole.peak), told["longest"]

    return measured


def run_rounds(bench: Bench, repeats: int) -> tuple[list[Round], list[float]]:
    """All sides, one after the other, so many times; and the longest sample of each round."""
    write = _Samples(bench)
    whole, start, quick, again = write.whole(), write.start(), write.quick(), write.again()
    run_bare = bare_side(bench)
    rounds, longest = [], []
    for number in range(repeats):
        print(f"round {number + 1} of {repeats}", file=sys.stderr, flush=True)
        costs: Round = {}
        costs["bare"], seconds = run_bare()
        costs["ours"], costs["ours start"] = bench.ours.judge(whole), bench.ours.judge(start)
        costs["ours again"], costs["ours quick"] = bench.ours.judge(again), bench.ours.judge(quick)
        if bench.evalplus:
            costs["EvalPlus"], costs["EvalPlus start"] = bench.evalplus.judge(whole), bench.evalplus.start()
            costs["EvalPlus quick"] = bench.evalplus.judge(quick)
        rounds.append(costs)
        longest.append(seconds)
    return rounds, longest


class _Samples:
    """Writes the files of samples that the sides are run on."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self._all = [(each.task_id, each.solution) for each in bench.programs]

    def whole(self) -> Path:
        return self._write("whole", self._all)

    def start(self) -> Path:
        return self._write(
            "start", [(task_id, UNPARSABLE) for task_id in list(self._bench.tests)[: self._bench.ours.workers]]
        )

    def quick(self) -> Path:
        tests = self._bench.tests
        return self._write(
            "quick", [(i, text if tests[i].cost < QUICK_SECONDS else UNPARSABLE) for i, text in self._all]
        )

    def again(self) -> Path:
        copies = range(self._bench.copies)
        return self._write("again", [(i, f"{text}\n# {copy}\n") for i, text in self._all for copy in copies])

    def _write(self, name: str, samples: list[tuple[str, str]]) -> Path:
        return write_samples(self._bench.folder / f"{name}.jsonl", samples)


@dataclass(frozen=True, slots=True)
class Figures:
    """Medians over the rounds."""

    rounds: Sequence[Round]
    longest: Sequence[float]

    def of(self, figure: Callable[[Round], float]) -> float:
        return statistics.median(figure(each) for each in self.rounds)

    def cpu(self, side: str) -> float:
        return self.of(lambda costs: costs[side].cpu)

    def wall(self, side: str) -> float:
        return self.of(lambda costs: costs[side].wall)


def against_bare(bench: Bench, figures: Figures) -> list[str]:
    """CPU and wall of our command over bare execution's."""
    number, workers = len(bench.programs), bench.ours.workers
    allowed = CPU_SHARE * figures.cpu("bare") + CPU_SECONDS_A_SAMPLE * number
    beyond = figures.of(lambda c: c["ours"].cpu - c["bare"].cpu)
    growing = figures.of(lambda c: c["ours"].cpu - c["ours start"].cpu - c["bare"].cpu)
    longest = statistics.median(figures.longest)

    def floor(costs: Round) -> float:
        return max(costs["bare"].cpu / workers, longest)

    return [
        f"bare                    CPU {figures.cpu('bare'):.2f} s, {_ms(figures.cpu('bare'), number)} a sample; "
        f"wall {figures.wall('bare'):.2f} s; longest sample {longest:.2f} s of CPU",
        f"(bare's own wall is {figures.of(lambda c: c['bare'].wall / floor(c)):.2f} of the larger of its CPU / workers "
        "and the longest sample: where that is well over 1, the machine was busy with something else)",
        f"ours                    CPU {figures.cpu('ours'):.2f} s, wall {figures.wall('ours'):.2f} s; "
        f"{_ms(figures.of(lambda c: c['ours'].own_cpu - c['ours start'].own_cpu), number)} a sample in the "
        "command's own process, without start",
        f"ours, start             CPU {figures.cpu('ours start'):.2f} s, wall {figures.wall('ours start'):.2f} s",
        _line("first verdict after", figures.of(lambda c: c["ours start"].first), FIRST_SECONDS, "s"),
        _line("CPU beyond bare", 1e3 * beyond / number, 1e3 * allowed / number, "ms a sample"),
        _line("  without start", 1e3 * growing / number, 1e3 * allowed / number, "ms a sample"),
        _line(
            "wall / larger of bare CPU over workers, longest",
            figures.of(lambda c: c["ours"].wall / floor(c)),
            WALL_RATIO,
        ),
        _line(
            "  without start",
            figures.of(lambda c: (c["ours"].wall - c["ours start"].wall) / floor(c)),
            WALL_RATIO,
        ),
    ]


def against_evalplus(bench: Bench, figures: Figures) -> list[str]:
    """CPU beyond bare, and wall on the quick tasks."""
    number = len(bench.programs)

    def beyond(costs: Round, side: str, start: bool) -> float:
        return costs[side].cpu - costs["bare"].cpu - (costs[f"{side} start"].cpu if start else 0.0)

    def wall(costs: Round, start: bool) -> float:
        sides = (costs["EvalPlus quick"].first, costs["ours quick"].wall)
        less = (costs["EvalPlus start"].wall, costs["ours start"].wall) if start else (0.0, 0.0)
        return (sides[0] - less[0]) / (sides[1] - less[1])

    slow = sum(tests.cost >= QUICK_SECONDS for tests in bench.tests.values())
    return [
        f"EvalPlus                CPU {figures.cpu('EvalPlus'):.2f} s, "
        f"{_ms(figures.of(lambda c: beyond(c, 'EvalPlus', True)), number)} a sample beyond bare and start; "
        f"wall until its results are written {figures.of(lambda c: c['EvalPlus'].first):.2f} s",
        f"EvalPlus, start         CPU {figures.cpu('EvalPlus start'):.2f} s, "
        f"wall {figures.wall('EvalPlus start'):.2f} s",
        _line(
            "CPU beyond bare, EvalPlus / ours",
            figures.of(lambda c: _ratio(beyond(c, "EvalPlus", False), beyond(c, "ours", False))),
            EVALPLUS_CPU_RATIO,
            least=True,
        ),
        _line(
            "  without start",
            figures.of(lambda c: _ratio(beyond(c, "EvalPlus", True), beyond(c, "ours", True))),
            EVALPLUS_CPU_RATIO,
            least=True,
        ),
        f"quick ({slow} slow tasks left out): EvalPlus {figures.of(lambda c: c['EvalPlus quick'].first):.2f} s, "
        f"ours {figures.wall('ours quick'):.2f} s",
        _line("wall, EvalPlus / ours", figures.of(lambda c: wall(c, False)), EVALPLUS_WALL_RATIO, least=True),
        _line("  without start", figures.of(lambda c: wall(c, True)), EVALPLUS_WALL_RATIO, least=True),
    ]


def equal_trees(bench: Bench, figures: Figures) -> list[str]:
    """What programs of equal syntax trees cost."""
    texts = {(each.task_id, each.solution) for each in bench.programs}
    trees = {(task_id, shape_of(text)) for task_id, text in texts}
    ratio = figures.of(lambda c: (c["ours again"].cpu - c["ours start"].cpu) / (bench.copies * c["bare"].cpu))
    return [
        f"this file: {len(bench.programs)} samples, {len(texts)} texts, {len(trees)} syntax trees",
        f"every sample {bench.copies} times, {bench.copies * len(texts)} texts, {len(trees)} trees: CPU without start "
        f"{figures.of(lambda c: c['ours again'].cpu - c['ours start'].cpu):.2f} s, {ratio:.2f} of bare execution's",
    ]


def _ms(seconds: float, number: int) -> str:
    return f"{1e3 * seconds / number:.1f} ms"


def _ratio(theirs: float, ours: float) -> float:
    """Without bounds where ours is no more than bare execution: equal programs are run once."""
    return theirs / ours if ours > 0 else inf


def _line(name: str, value: float, target: float, unit: str = "", *, least: bool = False) -> str:
    met = value >= target if least else value <= target
    bound = "at least" if least else "at most"
    return f"{name:<48}{value:8.2f} {unit} ({bound} {target:.2f}: {'met' if met else 'MISSED'})".replace("  (", " (")


def main() -> None:
    """Prepare, run all rounds, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--samples", type=Path, required=True, help="JSONL of whole programs (.gz too)")
    parser.add_argument("--dataset", default="humaneval_plus")
    parser.add_argument("--dataset-path", default="", help="the dataset's file, in place of a download")
    parser.add_argument("--workers", type=int, default=usable_cores())
    parser.add_argument("--repeats", type=int, default=3, help="rounds")
    parser.add_argument("--copies", type=int, default=5, help="of each sample in the part `again`")
    parser.add_argument("--evalplus-python", default="", help="a Python that has EvalPlus 0.3.1")
    parser.add_argument("--leave-out-timeouts", action="store_true", help="programs that run into a limit run twice")
    arguments = parser.parse_args()
    print(measure.machine(), flush=True)
    with tempfile.TemporaryDirectory(prefix="bench") as folder:
        bench = prepare(arguments, Path(folder))
        figures = Figures(*run_rounds(bench, arguments.repeats))
        timeouts = sum(map(_timed_out, bench.verdicts.values()))
        treated = "left out" if arguments.leave_out_timeouts else "run twice here"
        print(f"{arguments.samples.name}: {len(bench.programs)} samples, {timeouts} of them time-outs ({treated})")
        print(f"{arguments.workers} at once, medians of {arguments.repeats} rounds\n")
        print("\n".join(against_bare(bench, figures)), end="\n\n")
        if bench.evalplus:
            print("\n".join(against_evalplus(bench, figures)), end="\n\n")
        print("\n".join(equal_trees(bench, figures)))
    print(f"\nat the end: {measure.machine()}")


if __name__ == "__main__":
    main()
