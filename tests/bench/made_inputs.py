"""What made inputs catch: wrong programs that another suite's recorded verdicts tell, and right ones that must pass.

    evalplus-run inputs dataset=humaneval_plus run_dir=made
    python tests/bench/made_inputs.py --dataset-path made/humaneval_plus.jsonl --verdicts FILE...

A file of verdicts has rows of `task_id`, `solution`, `base_status` and `plus_status` ("pass" or else); programs that
pass the base tests are judged. Each right program that fails, and each wrong one that passes, is printed: a person has
to say which of both is in error.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections import Counter
from pathlib import Path

from evalplus_run import datasets
from evalplus_run.audit.models import judge_all
from evalplus_run.audit.running import Runner
from evalplus_run.evaluate.errata import Errata
from evalplus_run.evaluate.judging import Rules
from evalplus_run.evaluate.settings import EvaluateSettings
from evalplus_run.machine import usable_cores
from evalplus_run.records import Program
from evalplus_run.sandbox import memory, tiers
from evalplus_run.sandbox.settings import SandboxSettings


def main() -> None:
    """Judge, and print the four counts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dataset-path", required=True, help="the benchmark with made inputs")
    parser.add_argument("--verdicts", nargs="+", type=Path, required=True)
    arguments = parser.parse_args()
    tasks = datasets.named(arguments.dataset_path).tasks
    programs, recorded = read(arguments.verdicts, {task.task_id for task in tasks})
    sandbox = SandboxSettings()
    rules = Rules(memory.at_most(sandbox.memory << 20), EvaluateSettings(), tiers.choose_tier(sandbox))
    counts: Counter[tuple[str, str]] = Counter()
    with Runner(rules, usable_cores()) as runner:
        for task_id, some in judge_all(runner, tasks, programs, Errata({}), lambda: None).items():
            for each in some:
                is_right = recorded[task_id, each.solution]
                counts["right" if is_right else "wrong", "passes" if each.verdict.passed else "fails"] += 1
                if is_right != each.verdict.passed:
                    print(
                        f"{task_id} of {each.model}: recorded as {'right' if is_right else 'wrong'}", each.verdict.plus
                    )
    for (what, how), count in sorted(counts.items()):
        print(f"{what} programs, {how}: {count}")


def read(paths: list[Path], known: set[str]) -> tuple[dict[str, list[Program]], dict[tuple[str, str], bool]]:
    """By file the programs that pass the base tests, and whether each passes the plus tests."""
    programs, recorded = {}, {}
    for path in paths:
        text = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        rows = [row for row in map(json.loads, text.splitlines()) if row["task_id"] in known]
        some = [row for row in rows if row["base_status"] == "pass"]
        programs[path.name] = [Program(row["task_id"], place, row["solution"]) for place, row in enumerate(some)]
        recorded |= {(row["task_id"], row["solution"]): row["plus_status"] == "pass" for row in some}
    return programs, recorded


if __name__ == "__main__":
    main()
