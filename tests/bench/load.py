"""Whether load moves a verdict: the references and real samples, judged quietly and then beside busy loops.

    python tests/bench/load.py --samples FILE… [--dataset mbpp_plus] [--dataset-path FILE] [--factor 8] [--repeats 3]

judges once on the machine as it is, then so many times beside `factor` busy loops for each core, and prints every
verdict whose outcome moved: `MOVED` where it passes on one side only, `moved` where it fails both times but otherwise.
Ends with 1 where one passes on one side only.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from commands import Ours, read_samples, write_samples

from evalplus_run.benchmarks.fetch import fetch
from evalplus_run.benchmarks.load import load
from evalplus_run.benchmarks.settings import DatasetSettings
from evalplus_run.machine import usable_cores
from evalplus_run.records import PROFILES, SUITES, Outcome, SuiteVerdict, Verdict
from evalplus_run.runs import RowLog

Outcomes = Mapping[tuple[str, int], tuple[SuiteVerdict, ...]]
"""By sample: of both suites under both profiles."""

# Ends by itself when the bench is gone: its standard input is then closed.
_BUSY = "import os, threading\nthreading.Thread(target=lambda: (os.read(0, 1), os._exit(0))).start()\nwhile True: pass"


@contextmanager
def busy(loops: int) -> Iterator[None]:
    """So many processes that only compute, gone at the end whatever happens."""
    running = [subprocess.Popen([sys.executable, "-c", _BUSY], stdin=subprocess.PIPE) for _ in range(loops)]
    try:
        yield
    finally:
        for each in running:
            each.kill()
        for each in running:
            each.communicate()


def outcomes(ours: Ours, samples: Path) -> Outcomes:
    """Judge a file of samples."""
    ours.judge(samples)
    verdicts = RowLog(ours.run_folder / "verdicts.jsonl", Verdict).read()
    return {
        sample: tuple(getattr(getattr(verdict, profile), suite) for profile in PROFILES for suite in SUITES)
        for sample, verdict in verdicts.items()
    }


def moved(quiet: Outcomes, loaded: Outcomes) -> list[str]:
    """A line for each sample whose outcomes are not the same."""
    return [
        f"{'MOVED' if _passes(before) != _passes(loaded[sample]) else 'moved'} {sample[0]} #{sample[1]}: "
        f"{_words(before)} became {_words(loaded[sample])}"
        for sample, before in quiet.items()
        if [each.outcome for each in before] != [each.outcome for each in loaded[sample]]
    ]


def _passes(found: tuple[SuiteVerdict, ...]) -> tuple[bool, ...]:
    return tuple(each.outcome is Outcome.PASS for each in found)


def _words(found: tuple[SuiteVerdict, ...]) -> str:
    return ", ".join(
        f"{each.outcome} ({each.error}, test {each.test})" if each.error else each.outcome for each in found
    )


def _gather(samples: list[Path], settings: DatasetSettings, target: Path) -> int:
    rows = [(task.task_id, task.reference) for task in load(settings).tasks]
    for path in samples:
        rows += read_samples(path)
    write_samples(target, rows)
    return len(rows)


def main() -> None:
    """Judge quietly, judge under load, print what moved."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--samples", type=Path, nargs="*", default=[], help="JSONL of whole programs (.gz too)")
    parser.add_argument("--dataset", default="humaneval_plus")
    parser.add_argument("--dataset-path", default="", help="the dataset's file, in place of a download")
    parser.add_argument("--workers", type=int, default=usable_cores())
    parser.add_argument("--factor", type=int, default=8, help="busy loops for each core")
    parser.add_argument("--repeats", type=int, default=3, help="times under load")
    arguments = parser.parse_args()
    settings = DatasetSettings(name=arguments.dataset, path=arguments.dataset_path)
    lines = []
    with tempfile.TemporaryDirectory(prefix="bench") as name:
        folder = Path(name)
        (folder / "dataset.jsonl").write_bytes(fetch(settings).data)
        samples = folder / "samples.jsonl"
        number = _gather(arguments.samples, settings, samples)
        ours = Ours(arguments.dataset, folder / "dataset.jsonl", arguments.workers, folder)
        quiet = outcomes(ours, samples)
        for repeat in range(arguments.repeats):
            with busy(arguments.factor * usable_cores()):
                found = moved(quiet, outcomes(ours, samples))
            print(
                f"time {repeat + 1} under load: {len(found)} of {number} verdicts moved", *found, sep="\n", flush=True
            )
            lines += found
    passing = sum(line.startswith("MOVED") for line in lines)
    print(f"in all: {arguments.repeats * number} verdicts, {len(lines)} moved, {passing} between pass and not")
    sys.exit(bool(passing))


if __name__ == "__main__":
    main()
