"""Judging on a Ray cluster against the local pool with as many workers: time a sample, CPU of the parent, bytes moved.

    python tests/bench/cluster.py --samples FILE [--dataset mbpp_plus] [--dataset-path FILE] [--nodes 2] [--workers 1]

The nodes are all on this machine, so both sides have the same cores; what differs is what Ray and its processes take.
Each round judges the same quick programs on both sides, by turns this or that side first; each program is another one
in each round, so that no verdict is known. Figures are medians over the rounds, of the rounds' own differences and
ratios. Bytes are those of the arguments and the result of a call, pickled; what a node gets of a task it gets once,
and that is told apart.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import pickle
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from evalplus_run.benchmarks.load import load
from evalplus_run.benchmarks.settings import DatasetSettings
from evalplus_run.evaluate.cluster.executor import RayExecutor
from evalplus_run.evaluate.judging import Attempt, Rules
from evalplus_run.evaluate.local import LocalPool
from evalplus_run.evaluate.pool import Pool
from evalplus_run.evaluate.settings import EvaluateSettings, ExecutorSettings
from evalplus_run.evaluate.suites import TaskTests
from evalplus_run.records import Dataset, Program, Verdict
from evalplus_run.sandbox.settings import SandboxSettings

OVERHEAD_MS = 2.0
QUICK_SECONDS = 0.05
"""Of CPU time, for a program that takes part: what the sides differ by must not drown in the programs' own time."""


@dataclass(frozen=True, slots=True)
class Side:
    """One pool, with the tasks made ready for it."""

    pool: Pool
    tests: dict[str, TaskTests]


@dataclass(frozen=True, slots=True)
class Round:
    """What one side took for all programs, in seconds."""

    wall: float
    parent_cpu: float


def read_programs(file: Path, dataset: Dataset, most: int) -> list[Program]:
    """The first programs of a file of EvalPlus's, as far as they are of the dataset's tasks."""
    known = {task.task_id for task in dataset.tasks}
    with gzip.open(file, "rt") if file.suffix == ".gz" else file.open() as lines:
        rows = [json.loads(line) for line in lines]
    programs = [Program(row["task_id"], 0, row["solution"]) for row in rows if row["task_id"] in known]
    return programs[:most]


def ready(pool: Pool, dataset: Dataset) -> Side:
    """The tasks made ready by the pool itself."""
    tests = {future.result().task.task_id: future.result() for future in pool.prepare(dataset.tasks)}
    return Side(pool, tests)


@contextmanager
def cluster_of(nodes: int, workers: int) -> Iterator[str]:
    """A cluster on this machine; its address."""
    # By default they run with a niceness of 15: on a busy machine that would be measured, and nothing else.
    os.environ["RAY_worker_niceness"] = "0"  # noqa: SIM112 - Ray spells it so
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": workers, "include_dashboard": False})
    for _ in range(nodes - 1):
        cluster.add_node(num_cpus=workers)
    try:
        yield cluster.address
    finally:
        cluster.shutdown()


def judge(side: Side, programs: Sequence[Program], mark: str) -> Round:
    """All of them, each changed so that it equals none of another round."""
    changed = [replace(each, solution=f"{each.solution}\n_{mark} = 0\n") for each in programs]
    wall, cpu = time.monotonic(), time.process_time()
    for future in [side.pool.submit(side.tests[each.task_id], each) for each in changed]:
        future.result()
    return Round(time.monotonic() - wall, time.process_time() - cpu)


def quick(side: Side, programs: Sequence[Program]) -> list[Program]:
    """Those that take little time."""
    verdicts = [future.result() for future in [side.pool.submit(side.tests[each.task_id], each) for each in programs]]
    seconds = [verdict.evalplus.base.cpu_seconds + verdict.evalplus.plus.cpu_seconds for verdict in verdicts]
    return [program for program, each in zip(programs, seconds, strict=True) if each < QUICK_SECONDS]


def bytes_moved(side: Side, programs: Sequence[Program]) -> tuple[list[int], list[int]]:
    """For each sample, and for each task once a node."""
    verdicts: list[Verdict] = [side.pool.submit(side.tests[each.task_id], each).result() for each in programs]
    samples = []
    for program, verdict in zip(programs, verdicts, strict=True):
        name = f"{program.task_id} {side.tests[program.task_id].key}"
        samples.append(len(pickle.dumps((name, [], program, Attempt.FIRST))) + len(pickle.dumps(verdict)))
    return samples, [len(pickle.dumps((each.task, each.key, each.expected))) for each in side.tests.values()]


def main() -> None:
    """Print the figures; exit status 1 where the overhead is over its target."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--samples", type=Path, required=True)
    parser.add_argument("--dataset", default="humaneval_plus")
    parser.add_argument("--dataset-path", default="")
    parser.add_argument("--nodes", type=int, default=2)
    parser.add_argument("--workers", type=int, default=1, help="on each node")
    parser.add_argument("--most", type=int, default=164, help="programs of the file at most")
    parser.add_argument("--rounds", type=int, default=9)
    arguments = parser.parse_args()
    dataset = load(DatasetSettings(name=arguments.dataset, path=arguments.dataset_path))
    programs = read_programs(arguments.samples, dataset, arguments.most)
    with cluster_of(arguments.nodes, arguments.workers) as address:
        settings = ExecutorSettings(name="ray", address=address)
        with RayExecutor(settings, SandboxSettings(), print) as executor:
            rules = Rules(executor.memory, EvaluateSettings(), executor.tier)
            number = arguments.nodes * arguments.workers
            with executor.pool(rules, None) as far, LocalPool(rules, workers=number) as near:
                measure(ready(near, dataset), ready(far, dataset), programs, arguments.rounds)


def measure(near: Side, far: Side, programs: Sequence[Program], rounds: int) -> None:
    """Run all rounds, the first of which is not counted, and print."""
    programs = quick(near, programs)
    told: list[tuple[Round, Round]] = []
    for number in range(rounds + 1):
        sides = (near, far) if number % 2 else (far, near)
        took = {id(side): judge(side, programs, f"n{number}") for side in sides}
        told.append((took[id(near)], took[id(far)]))
        print(f"round {number}: local {told[-1][0].wall:.2f} s, Ray {told[-1][1].wall:.2f} s", flush=True)
    del told[0]
    n = len(programs)
    overhead = statistics.median((there.wall - here.wall) / n * 1e3 for here, there in told)
    ratio = statistics.median(there.wall / here.wall for here, there in told)
    cpu = [statistics.median(side.parent_cpu / n * 1e3 for side in sides) for sides in zip(*told, strict=True)]
    samples, tasks = bytes_moved(far, programs)
    print(f"{n} programs, {far.pool.workers} workers on each side, {rounds} rounds")
    print(f"overhead of Ray: {overhead:.2f} ms a sample (target: under {OVERHEAD_MS:g}), ratio {ratio:.3f}")
    print(f"CPU of the parent: {cpu[0]:.2f} ms a sample local, {cpu[1]:.2f} ms with Ray")
    print(f"bytes a sample: median {statistics.median(samples):,.0f}, at most {max(samples):,}")
    print(f"bytes a task, once a node: median {statistics.median(tasks):,.0f}, all {sum(tasks):,}")
    sys.exit(overhead >= OVERHEAD_MS)


if __name__ == "__main__":
    main()
