"""What the judging process itself takes on a very large set of samples: memory at its peak, CPU for each sample.

    python tests/bench/memory.py [--samples FILE] [--dataset-path FILE] [--copies 200] [--repeated] [--ray]

makes a file of so many copies of each sample, each with a constant of its own, so that no two texts or syntax trees
are equal and each is run (with `--repeated`: equal copies). Without `--samples` there is one program for each task,
which fails its first test: minutes in place of hours. With `--ray` they are judged on a cluster of this machine.
Prints the peak of the command's own resident memory against 1 GiB, and its own CPU for each sample.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from pathlib import Path

from commands import Ours, read_samples, write_samples

from evalplus_run.benchmarks.fetch import fetch
from evalplus_run.benchmarks.load import load
from evalplus_run.benchmarks.settings import DatasetSettings
from evalplus_run.machine import usable_cores

ALLOWED = 1 << 30


def copies_of(rows: list[tuple[str, str]], copies: int, *, repeated: bool) -> Iterator[tuple[str, str]]:
    """Each (task id, program) so many times; unless `repeated`, all texts and syntax trees differ."""
    for copy in range(copies):
        for task_id, text in rows:
            yield task_id, text if repeated else f"{text}\n_copy = {copy}\n"


def failing(settings: DatasetSettings) -> list[tuple[str, str]]:
    """For each task a program that is wrong, most likely on its first test."""
    return [(task.task_id, f"def {task.entry_point}(*_):\n    return 'nothing'\n") for task in load(settings).tasks]


def main() -> None:
    """Write the file, judge it, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--samples", type=Path, help="JSONL of whole programs (.gz too)")
    parser.add_argument("--dataset", default="humaneval_plus")
    parser.add_argument("--dataset-path", default="", help="the dataset's file, in place of a download")
    parser.add_argument("--workers", type=int, default=usable_cores())
    parser.add_argument("--copies", type=int, default=200, help="of each sample")
    parser.add_argument("--repeated", action="store_true", help="equal copies")
    parser.add_argument("--ray", action="store_true", help="judge on a Ray cluster of this machine")
    arguments = parser.parse_args()
    more = ("executor=ray", "executor.address=local") if arguments.ray else ()
    settings = DatasetSettings(name=arguments.dataset, path=arguments.dataset_path)
    with tempfile.TemporaryDirectory(prefix="bench") as name:
        folder = Path(name)
        dataset = folder / "dataset.jsonl"
        dataset.write_bytes(fetch(settings).data)
        ours = Ours(arguments.dataset, dataset, arguments.workers, folder)
        rows = read_samples(arguments.samples) if arguments.samples else failing(settings)
        few = write_samples(folder / "few.jsonl", rows)
        samples = write_samples(
            folder / "samples.jsonl", copies_of(rows, arguments.copies, repeated=arguments.repeated)
        )
        once, cost = ours.judge(few, *more), ours.judge(samples, *more)
    number = arguments.copies * len(rows)
    verdict = "met" if cost.peak < ALLOWED else "MISSED"
    print(f"{number} samples: {cost.wall:.0f} s of wall time, {cost.cpu:.0f} s of CPU")
    print(
        f"the command's own peak: {cost.peak >> 20} MiB (under {ALLOWED >> 20}: {verdict}); "
        f"on one copy {once.peak >> 20} MiB"
    )
    grown = (cost.own_cpu - once.own_cpu) / (number - len(rows))
    print(f"its own CPU: {1e3 * grown:.2f} ms for each further sample")


if __name__ == "__main__":
    main()
