"""EvalPlus's result files: `eval_results.json`, written as EvalPlus writes it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import datetime
from math import isnan
from pathlib import Path
from typing import Any

from evalplus_run.files import replacing
from evalplus_run.json_text import long_integers
from evalplus_run.records import Arguments, Dataset, Outcome, ProfileVerdict, Score, SuiteVerdict
from evalplus_run.report.sample import Sample

_STATUS = {Outcome.PASS: "pass", Outcome.TIMEOUT: "timeout"}
"""All other outcomes are `fail`."""


def write_results(path: Path, dataset: Dataset, samples: Iterable[Sample], score: Score, when: datetime) -> None:
    """Write `eval_results.json` from the verdicts and the score of the evalplus profile.

    Tasks stand in the dataset's order, samples in that of their index. Samples that are not judged, or with a
    host fault, are left out: the form could only call them failures. The failing tests are all of them where
    details were asked for, else the first, as EvalPlus has it.
    """
    has_plus = any(task.plus_inputs for task in dataset.tasks)
    place = {task.task_id: number for number, task in enumerate(dataset.tasks)}
    judged = [(one, one.verdict.evalplus) for one in samples if one.verdict and not one.verdict.evalplus.is_host_fault]
    judged.sort(key=lambda row: (place[row[0].program.task_id], row[0].program.index))
    with long_integers(), replacing(path) as stream:
        head = {"date": when.strftime("%Y-%m-%d %H:%M"), "hash": dataset.md5}
        stream.write(f'{json.dumps(head)[:-1]}, "eval": {{')
        stream.writelines(_rows(judged, has_plus))
        stream.write(f'}}, "pass_at_k": {json.dumps(_pass_at_k(score, has_plus))}}}')


def _rows(samples: Iterable[tuple[Sample, ProfileVerdict]], has_plus: bool) -> Iterator[str]:
    """The pieces of the member `eval`, whose values are the lists of each task's samples."""
    task_id, closing = None, ""
    for sample, judged in samples:
        if sample.program.task_id == task_id:
            yield ", "
        else:
            task_id = sample.program.task_id
            yield f"{closing}{json.dumps(task_id)}: ["
            closing = "], "
        yield _written(_row(sample, judged, has_plus))
    yield closing.removesuffix(", ")


def _written(row: dict[str, Any]) -> str:
    try:
        return json.dumps(row, default=plain)
    except (ValueError, RecursionError):
        # Failing inputs that are too long or too deep for any text: without them.
        return json.dumps({**row, "base_fail_tests": [], "plus_fail_tests": []})


def _row(sample: Sample, judged: ProfileVerdict, has_plus: bool) -> dict[str, Any]:
    return {
        "task_id": sample.program.task_id,
        "solution": sample.program.solution,
        "base_status": _STATUS.get(judged.base.outcome, "fail"),
        "plus_status": _STATUS.get(judged.plus.outcome, "fail") if has_plus else None,
        "base_fail_tests": _failing_inputs(judged.base, sample.task.base_inputs),
        "plus_fail_tests": _failing_inputs(judged.plus, sample.task.plus_inputs),
    }


def _failing_inputs(verdict: SuiteVerdict, inputs: tuple[Arguments, ...]) -> list[Arguments]:
    first = () if verdict.test is None else (verdict.test,)
    failed = first if verdict.failed_tests is None else verdict.failed_tests
    return [inputs[test] for test in failed if test < len(inputs)]


def plain(value: Any) -> Any:
    """What JSON lacks, as EvalPlus writes it back: sets become lists, complex numbers text."""
    return list(value) if isinstance(value, set | frozenset) else str(value)


def _pass_at_k(score: Score, has_plus: bool) -> dict[str, dict[str, float]]:
    suites = {"base": score.base, "plus": score.plus} if has_plus else {"base": score.base}
    return {
        suite: {f"pass@{k}": one.value for k, one in by_k.items() if not isnan(one.value)}
        for suite, by_k in suites.items()
    }
