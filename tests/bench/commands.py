"""The commands that are compared."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import measure

from evalplus_run.files import unpacked

_EVALPLUS_NAMES = {"humaneval_plus": ("humaneval", "HUMANEVAL"), "mbpp_plus": ("mbpp", "MBPP")}


@dataclass(frozen=True, slots=True)
class Ours:
    """`evalplus-run samples=…`."""

    dataset: str
    dataset_file: Path
    workers: int
    folder: Path
    """Scratch, for the run's folder."""

    @property
    def run_folder(self) -> Path:
        """Of the last run."""
        return self.folder / "run"

    def judge(self, samples: Path, *more: str) -> measure.Cost:
        """One run from nothing but kept references."""
        return self._run(f"samples={samples}", *more)

    def sample(self, answers: Path, n: int, *more: str) -> measure.Cost:
        """The same of a model that gives these answers, so many for each task, judged as they are."""
        return self._run("model=replay", f"model.path={answers}", f"sampling.n={n}", "sanitizer=none", *more)

    def _run(self, *more: str) -> measure.Cost:
        shutil.rmtree(self.run_folder, ignore_errors=True)
        command = [
            *(sys.executable, "-m", "evalplus_run", f"dataset={self.dataset}", f"dataset.path={self.dataset_file}"),
            *("evaluate.cache=false", f"executor.workers={self.workers}", f"run_dir={self.run_folder}", *more),
        ]
        return measure.run(command, os.environ, self.run_folder / "verdicts.jsonl")


@dataclass(frozen=True, slots=True)
class EvalPlus:
    """`evalplus.evaluate`, as the package index has it."""

    python: str
    dataset: str
    dataset_file: Path
    workers: int

    def judge(self, samples: Path) -> measure.Cost:
        """One run with kept ground truth; its `first` is when the results were written.

        (The command then goes on for up to 20 seconds, in which a thread of its own sleeps.)
        """
        result = samples.with_name(samples.name.replace(".jsonl", "_eval_results.json"))
        result.unlink(missing_ok=True)
        name, _ = _EVALPLUS_NAMES[self.dataset]
        arguments = ["--dataset", name, "--samples", str(samples), "--parallel", str(self.workers)]
        return self._run(["-m", "evalplus.evaluate", *arguments], result)

    def start(self) -> measure.Cost:
        """What comes before the first sample: imports, tasks, ground truth (computed where it is not kept yet)."""
        name, _ = _EVALPLUS_NAMES[self.dataset]
        get = {"humaneval": "get_human_eval_plus", "mbpp": "get_mbpp_plus"}[name]
        not_none = {"humaneval": "[]", "mbpp": "MBPP_OUTPUT_NOT_NONE_TASKS"}[name]
        return self._run(
            ["-c", f"from evalplus.evaluate import *; get_groundtruth({get}(), {get}_hash(), {not_none})"], None
        )

    def _run(self, arguments: list[str], watched: Path | None) -> measure.Cost:
        _, variable = _EVALPLUS_NAMES[self.dataset]
        environment = {**os.environ, f"{variable}_OVERRIDE_PATH": str(self.dataset_file)}
        environment.pop("PYTHONPATH", None)
        return measure.run([self.python, *arguments], environment, watched)


def read_samples(path: Path) -> list[tuple[str, str]]:
    """(task id, program) of each row of a file of whole programs."""
    with unpacked(path) as lines:
        return [(row["task_id"], row["solution"]) for row in map(json.loads, lines)]


def write_samples(path: Path, samples: Iterable[tuple[str, str]]) -> Path:
    """(task id, program) to a file of samples."""
    with path.open("w") as file:
        for task_id, solution in samples:
            file.write(json.dumps({"task_id": task_id, "solution": solution}) + "\n")
    return path
