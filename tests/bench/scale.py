"""What judging costs at scale: the constants measured here and now, and what follows from them for many nodes.

    python tests/bench/scale.py [--models 1000] [--n 200] [--cores 64] [--passing 0.6] [--datasets humaneval_plus …]

The constants are of the command itself, `model=replay` with nothing compared and nothing cached, on two kinds of
programs: the references, which pass all tests, and programs that fail their first one. All have syntax trees of their
own, so that each is run. What one more sample costs is what many copies cost beyond a few, so the start is not in it:

- own: seconds of the command's own process, on one core, whatever the number of its workers, while programs run;
- programs: seconds of all processes below it: what is forked, what runs, what is ended;
- concluding: seconds after the last verdict, when none runs any more (by the wall clock).

With S samples in R runs (a model on a benchmark) on N nodes of C cores:

    a run to a node     wall = ceil(R / N) · (start + S / R · (max(own, write, programs / C) + concluding) + longest)
    one for all nodes   wall = R · start + S · (max(own, write, programs / (N · C)) + concluding) + longest

Here `write` are the two appends that a sample waits for, its answer's and its program's, each on the disk before it
counts; `longest` is the longest reference, which may be the last to run. The largest inside a max is what binds: beyond
C = programs / own cores a node needs several runs at once, beyond N = R nodes a run needs shards, and one command for
all nodes keeps no more than programs / own cores busy. With another executor `own` is another: measure it by `--more`.
"""

from __future__ import annotations

import argparse
import marshal
import math
import os
import statistics
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path

import measure
from commands import Ours, write_samples
from memory import copies_of, failing

from evalplus_run.benchmarks.fetch import fetch
from evalplus_run.benchmarks.load import load
from evalplus_run.benchmarks.settings import DatasetSettings
from evalplus_run.evaluate.judging import Rules
from evalplus_run.evaluate.local import LocalPool
from evalplus_run.evaluate.settings import EvaluateSettings
from evalplus_run.evaluate.suites import TaskTests
from evalplus_run.machine import usable_cores
from evalplus_run.sandbox.guest import protocol
from evalplus_run.sandbox.settings import SandboxSettings
from evalplus_run.sandbox.tiers import choose_tier

NODES = (1, 10, 100, 1_000)
FILES = ("completions.jsonl", "samples.jsonl", "verdicts.jsonl", "eval_results.json", "report.html")
_APPENDS = 2
_QUICK_COPIES = 10
"""Of a program that fails at once, for each of one that passes."""


@dataclass(frozen=True, slots=True)
class Constants:
    """Of one sample: seconds, and bytes."""

    own: float
    programs: float
    concluding: float
    sent: float
    """To a worker: the program."""
    got: float
    """From it."""
    kept: float
    """In the files of the run's folder."""


@dataclass(frozen=True, slots=True)
class Grid:
    """What is to be judged, and on what."""

    runs: int
    samples: int
    """Of all runs."""
    cores: int
    """Of a node."""
    start: float
    """Seconds of a command before its first sample."""
    append: float
    """Seconds until a row is on the disk."""
    longest: float
    """Seconds of the longest program."""

    def bounds(self, one: Constants, nodes: int) -> dict[str, float]:
        """Seconds of one sample by what may bind, for a command with the cores of so many nodes."""
        return {
            "programs": one.programs / (nodes * self.cores),
            "own process": one.own,
            "disk": _APPENDS * self.append,
        }

    def run_to_a_node(self, one: Constants, nodes: int) -> float:
        """Seconds until all runs are done, each on one node."""
        of_one = self.start + self.samples / self.runs * self._sample(one, 1) + self.longest
        return math.ceil(self.runs / nodes) * of_one

    def one_for_all(self, one: Constants, nodes: int) -> float:
        """Seconds until all runs are done, one after the other, each on all nodes."""
        return self.runs * self.start + self.samples * self._sample(one, nodes) + self.longest

    def _sample(self, one: Constants, nodes: int) -> float:
        return max(self.bounds(one, nodes).values()) + one.concluding


def mixed(parts: Iterable[tuple[float, Constants]], over: float = 0.0) -> Constants:
    """The weighed sum of constants over a number; over that of all weights where none is given: their mean."""
    weighed = [*parts]
    number = over or sum(weight for weight, _ in weighed)
    return Constants(
        *(sum(weight * getattr(one, field.name) for weight, one in weighed) / number for field in fields(Constants))
    )


@dataclass(frozen=True, slots=True)
class Measured:
    """What one benchmark came to."""

    passing: Constants
    failing: Constants
    tasks: int
    inputs: float
    """Bytes of a task's inputs: to a worker, once for all programs that follow each other."""
    start: float
    longest: float


def measured(name: str, folder: Path, copies: int, more: Sequence[str]) -> Measured:
    """Run the command, with `more` keys, on few and on many copies of both kinds of programs."""
    settings = DatasetSettings(name=name)
    dataset = folder / "dataset.jsonl"
    dataset.write_bytes(fetch(settings).data)
    ours = Ours(name, dataset, usable_cores(), folder)
    tests = _tests(settings)
    right = [(each.task.task_id, each.task.reference) for each in tests]
    passing, start = _grown(ours, right, copies, more)
    failed, _ = _grown(ours, failing(settings), _QUICK_COPIES * copies, more)
    return Measured(
        passing=replace(passing, got=statistics.mean(map(_answers_of, tests))),
        failing=replace(failed, got=_answers_until_one_fails(tests)),
        tasks=len(tests),
        inputs=statistics.mean(len(marshal.dumps([suite.inputs for suite in each.suites])) for each in tests),
        start=start,
        longest=max(each.cost for each in tests),
    )


def _tests(settings: DatasetSettings) -> list[TaskTests]:
    """All tasks ready; where this machine has not run their references yet, it does so now."""
    sandbox = SandboxSettings()
    rules = Rules(sandbox.memory << 20, EvaluateSettings(), choose_tier(sandbox))
    with LocalPool(rules) as pool:
        return [future.result() for future in pool.prepare(load(settings).tasks)]


def _grown(ours: Ours, rows: list[tuple[str, str]], further: int, more: Sequence[str]) -> tuple[Constants, float]:
    """What one more sample costs, by one copy of each program and by so many further ones; the seconds of the start."""
    seen, starts = [], []
    for copies in (1, 1 + further):
        answers = write_samples(ours.folder / "answers.jsonl", copies_of(rows, copies, repeated=False))
        cost = ours.sample(answers, copies, *more)
        files = {name: (ours.run_folder / name).stat() for name in FILES}
        concluding = files["report.html"].st_mtime - files["verdicts.jsonl"].st_mtime
        seen.append(
            Constants(
                own=cost.own_cpu - concluding,
                programs=cost.cpu - cost.own_cpu,
                concluding=concluding,
                sent=float(sum(len(marshal.dumps(text)) for _, text in copies_of(rows, copies, repeated=False))),
                got=0.0,
                kept=float(sum(file.st_size for file in files.values())),
            )
        )
        starts.append(cost.first)
    few, many = seen
    return mixed([(-1.0, few), (1.0, many)], over=further * len(rows)), starts[0]


def _answers_of(tests: TaskTests) -> float:
    """Bytes that a program sends which passes."""
    return float(sum(protocol.FRAME.size + len(value) for suite in tests.suites for value in suite.expected))


def _answers_until_one_fails(tests: Sequence[TaskTests]) -> float:
    return statistics.mean(sum(protocol.FRAME.size + len(suite.expected[0]) for suite in each.suites) for each in tests)


def append_seconds(folder: Path) -> float:
    """Until a row of a kilobyte is on the disk, the median of many."""
    seconds = []
    with (folder / "rows").open("ab", buffering=0) as file:
        for _ in range(200):
            begun = time.monotonic()
            file.write(b"x" * 1024)
            os.fsync(file.fileno())
            seconds.append(time.monotonic() - begun)
    return statistics.median(seconds)


def constants_told(name: str, found: Measured) -> list[str]:
    """What was measured of a benchmark."""
    return [
        f"{name}: {found.tasks} tasks, {found.inputs / 1024:.0f} KiB of inputs each, to a worker once; "
        f"first verdict after {found.start:.1f} s; the longest reference {found.longest:.1f} s of CPU",
        *(
            f"  a sample that {what}: own {1e3 * one.own:.2f} ms, concluding {1e3 * one.concluding:.2f} ms, "
            f"programs {1e3 * one.programs:.1f} ms; to a worker {one.sent:,.0f} bytes, from it {one.got:,.0f}; "
            f"kept {one.kept:,.0f}"
            for what, one in (("passes", found.passing), ("fails at once", found.failing))
        ),
    ]


def predictions(grid: Grid, one: Constants) -> list[str]:
    """A line for each number of nodes, and where it ends."""
    lines = [f"{'nodes':>6}  {'a run to a node':>26}  {'one for all nodes':>26}  a run to a node, to the disk"]
    for nodes in NODES:
        apart, together = grid.run_to_a_node(one, nodes), grid.one_for_all(one, nodes)
        rate = grid.samples / apart
        lines.append(
            f"{nodes:>6,}  {_bound(apart, grid.bounds(one, 1)):>26}  {_bound(together, grid.bounds(one, nodes)):>26}  "
            f"{rate * one.kept / 1e6:,.1f} MB/s, {rate * _APPENDS:,.0f} appends/s"
        )
    busy = one.programs / max(one.own, _APPENDS * grid.append)
    return [
        *lines,
        f"A command judges {1 / (one.own + one.concluding):,.0f} samples a second at most, and the disk takes the rows "
        f"of {1 / (_APPENDS * grid.append):,.0f}: it keeps {busy:.0f} cores busy.",
        "A node of more cores needs several runs at once; one command for all nodes is no faster on more than "
        f"{max(1, math.ceil(busy / grid.cores))} of {grid.cores} cores; on more than {grid.runs:,} nodes runs need "
        "shards.",
        f"In all {grid.samples:,} samples, {grid.samples * one.kept / 1e9:,.0f} GB kept, "
        f"{grid.samples * one.programs / 86400:,.0f} days of one core.",
    ]


def _bound(seconds: float, bounds: Mapping[str, float]) -> str:
    return f"{_duration(seconds)} ({max(bounds, key=bounds.__getitem__)})"


def _duration(seconds: float) -> str:
    for unit, of_it in (("days", 86400), ("h", 3600)):
        if seconds > 2 * of_it:
            return f"{seconds / of_it:,.1f} {unit}"
    return f"{seconds / 60:,.1f} min"


def main() -> None:
    """Measure, predict, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--datasets", nargs="+", default=["humaneval_plus", "mbpp_plus"])
    parser.add_argument("--models", type=int, default=1_000)
    parser.add_argument("--n", type=int, default=200, help="samples of each model for each task")
    parser.add_argument("--cores", type=int, default=64, help="of a node")
    parser.add_argument("--passing", type=float, default=0.6, help="share of the samples that pass")
    parser.add_argument("--copies", type=int, default=3, help="of each reference, beyond the first")
    parser.add_argument("--more", nargs="*", default=[], metavar="KEY=VALUE", help="for the command, as executor=ray")
    arguments = parser.parse_args()
    print(measure.machine(), flush=True)
    found: dict[str, Measured] = {}
    with tempfile.TemporaryDirectory(prefix="bench") as name:
        append = append_seconds(Path(name))
        print(f"a row is on the disk after {1e3 * append:.2f} ms", flush=True)
        for dataset in arguments.datasets:
            found[dataset] = measured(dataset, Path(name), arguments.copies, arguments.more)
            print(*constants_told(dataset, found[dataset]), sep="\n", flush=True)
    one = mixed(
        (share * each.tasks, part)
        for each in found.values()
        for share, part in ((arguments.passing, each.passing), (1 - arguments.passing, each.failing))
    )
    tasks = sum(each.tasks for each in found.values())
    grid = Grid(
        runs=arguments.models * len(found),
        samples=arguments.models * arguments.n * tasks,
        cores=arguments.cores,
        start=statistics.mean(each.start for each in found.values()),
        append=append,
        longest=max(each.longest for each in found.values()),
    )
    print(
        f"\n{arguments.models:,} models, {arguments.n} samples of {tasks} tasks, {arguments.passing:.0%} passing, "
        f"nodes of {arguments.cores} cores like these; in brackets what binds"
    )
    print(*predictions(grid, one), sep="\n")
    print(f"at the end: {measure.machine()}")


if __name__ == "__main__":
    main()
