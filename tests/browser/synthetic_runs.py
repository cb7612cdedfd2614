"""Runs of made-up models on made-up tasks, as large as asked for, the same each time."""

from __future__ import annotations

import random
from typing import Any

from evalplus_run.metrics.score import score
from evalplus_run.records import Completion, Outcome, ProfileVerdict, Program, SuiteVerdict, Task, Verdict
from evalplus_run.report.page_data import RunPage
from evalplus_run.report.provenance import FileDigest
from evalplus_run.report.sample import Sample
from evalplus_run.report.summary import RunSummary, moved_samples

_WORDS = [
    f"{first}_{second}"
    for first in ("left", "best", "seen", "next", "inner", "first", "total", "known")
    for second in ("value", "items", "index", "count", "words", "node", "edge", "limit")
]
_FAULTS = (Outcome.WRONG, Outcome.WRONG, Outcome.WRONG, Outcome.EXCEPTION, Outcome.TIMEOUT, Outcome.SYNTAX_ERROR)


def make_tasks(number: int) -> list[Task]:
    """Tasks with five base tests and 20 plus tests each."""
    chance = random.Random(1)
    return [_task(place, chance) for place in range(number)]


def _task(place: int, chance: random.Random) -> Task:
    words = " ".join(chance.choices(_WORDS, k=50))
    name, words = f"task_{place}", " ".join(chance.choices(_WORDS, k=30))
    prompt = (
        f'def {name}({chance.choice(_WORDS)}, limit):\n    """ Return {words}.\n    >>> {name}(1, 2)\n    3\n    """\n'
    )
    base, plus = (tuple(([chance.randrange(1000) for _ in range(8)], n) for n in range(size)) for size in (5, 20))
    return Task(f"HumanEval/{place}", prompt, f"task_{place}", prompt + "    return 3\n", base, plus)


def make_run(name: str, tasks: list[Task], n: int = 1, skill: float = 0.5, **changes) -> RunPage:
    """A run of n samples a task, of which about `skill` pass; a task is as hard for one model as for another."""
    chance = random.Random(name)
    samples = [_sample(task, index, chance, skill) for task in tasks for index in range(n)]
    verdicts = [sample.verdict for sample in samples]
    summary = RunSummary(
        dataset="humaneval_plus",
        version="v0.1.10",
        variant="full",
        suites=("base", "plus"),
        model=name,
        sampling="greedy" if n == 1 else f"n={n}, temperature 0.8, top_p 0.95",
        sanitizer="default",
        comparable=False,
        run_dir=f"outputs/humaneval_plus/{name}/greedy-0a1b2c3d",
        sandbox="namespaces",
        scores=score(verdicts, tasks_in_dataset=len(tasks)),
        moved=moved_samples(verdicts),
        prompt_tokens=200 * len(samples),
        completion_tokens=180 * len(samples),
        tokens_per_second=512.5,
        seconds={"sampling": 120.0, "judging": 31.5},
        **changes,
    )
    digests = [FileDigest(file, 100_000, "0123456789abcdef" * 4) for file in ("manifest.json", "samples.jsonl")]
    manifest = {"identity": "0a1b2c3d", "model": {"name": name}, "first_prompt": _first_prompt(tasks[0])}
    return RunPage(summary, samples, manifest, digests)


def _first_prompt(task: Task) -> dict[str, Any]:
    before = "<|im_start|>user\nSolve the programmer's problem:\n"
    after = "\n<|im_end|>\n<|im_start|>assistant\n"
    place = [len(before), len(before) + len(task.asked)]
    return {"task_id": task.task_id, "text": before + task.asked + after, "task_at": place}


def _sample(task: Task, index: int, chance: random.Random, skill: float) -> Sample:
    hardness = random.Random(task.task_id).random()
    draw = chance.random() * 0.5 + hardness * 0.5
    base = Outcome.PASS if draw < skill + 0.1 else chance.choice(_FAULTS)
    plus = Outcome.PASS if draw < skill else Outcome.WRONG if base is Outcome.PASS else base
    judged = ProfileVerdict(_suite(base, chance), _suite(plus, chance))
    program = _program(task, chance)
    answer = (
        f"Here is a function that does it:\n\n```python\n{program}```\nIt {' '.join(chance.choices(_WORDS, k=30))}."
    )
    told = {"finish_reason": "stop", "prompt_tokens": 200, "completion_tokens": 180, "seconds": 1.5}
    return Sample(
        task,
        Program(task.task_id, index, program, sanitizer="default", notes={"block": "the only one"}),
        Verdict(task.task_id, index, "", judged, judged),
        Completion(task.task_id, index, answer, **told),
    )


def _suite(outcome: Outcome, chance: random.Random) -> SuiteVerdict:
    seconds = chance.random() / 10
    if outcome is Outcome.PASS:
        return SuiteVerdict(outcome, cpu_seconds=seconds)
    error = "ValueError: no such value" if outcome is Outcome.EXCEPTION else ""
    expected = f"{[chance.randrange(99) for _ in range(9)]}"
    return SuiteVerdict(outcome, 1, expected, "None", error, 3 if error else None, seconds)


def _program(task: Task, chance: random.Random) -> str:
    lines = [_line(chance) for _ in range(chance.randrange(6, 30))]
    return "\n".join([task.prompt.rstrip(), *lines, f"    return {chance.choice(_WORDS)}", ""])


def _line(chance: random.Random) -> str:
    target, function, argument, *rest = chance.choices(_WORDS, k=7)
    return f"    {target} = {function}({argument}, {chance.randrange(100)})  # {' '.join(rest)}"
