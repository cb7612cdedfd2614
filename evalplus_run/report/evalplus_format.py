"""EvalPlus's result files: `eval_results.json`, written as EvalPlus writes it and read in its new and old form."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from math import isnan
from pathlib import Path
from typing import Any

from evalplus_run import json_text
from evalplus_run.files import read_whole, reason, replacing
from evalplus_run.json_text import long_integers
from evalplus_run.records import (
    Arguments,
    Dataset,
    Outcome,
    ProfileVerdict,
    Program,
    Score,
    SuiteName,
    SuiteVerdict,
    UserError,
    Verdict,
)
from evalplus_run.report.sample import Sample

_STATUS = {Outcome.PASS: "pass", Outcome.TIMEOUT: "timeout"}
"""All other outcomes are `fail`."""

_OUTCOME = {
    "pass": Outcome.PASS,
    "fail": Outcome.WRONG,
    "timeout": Outcome.TIMEOUT,
    # Before EvalPlus 0.2:
    "success": Outcome.PASS,
    "failed": Outcome.WRONG,
    "timed out": Outcome.TIMEOUT,
}


_NO_RESULTS = "is not a result file of EvalPlus ({}): give a run's folder, or what `evalplus.evaluate` wrote."


@dataclass(frozen=True, slots=True)
class Results:
    """A result file of EvalPlus, ready to be scored.

    The file knows one judge, EvalPlus's, so each verdict's strict part repeats its evalplus part: only the
    score under `evalplus` means anything.
    """

    hash: str
    """The md5 of the dataset's unpacked content."""
    date: str
    suites: tuple[SuiteName, ...]
    """`("base",)` where the file was made without the plus tests."""
    programs: tuple[Program, ...]
    """Empty texts in the old form, which has none."""
    verdicts: tuple[Verdict, ...]
    pass_at_k: Mapping[str, Mapping[str, float]]
    """As recorded in the file, `{"base": {"pass@1": …}, "plus": …}`; empty where it has none."""


def write_results(path: Path, dataset: Dataset, samples: Iterable[Sample], score: Score, when: datetime) -> None:
    """Write `eval_results.json` from the verdicts and the score of the evalplus profile.

    Tasks stand in the dataset's order, samples in that of their index. Samples that are not judged, or with a
    host fault, are left out: the form could only call them failures. The failing tests are all of them where
    details were asked for, else the first, as EvalPlus has it.
    """
    has_plus = any(task.plus_inputs for task in dataset.tasks)
    place = {task.task_id: number for number, task in enumerate(dataset.tasks)}
    judged = [(one, one.verdict.evalplus) for one in samples if one.verdict and not _host_fault(one.verdict.evalplus)]
    judged.sort(key=lambda row: (place[row[0].program.task_id], row[0].program.index))
    with long_integers(), replacing(path) as stream:
        head = {"date": when.strftime("%Y-%m-%d %H:%M"), "hash": dataset.md5}
        stream.write(f'{json.dumps(head)[:-1]}, "eval": {{')
        stream.writelines(_rows(judged, has_plus))
        stream.write(f'}}, "pass_at_k": {json.dumps(_pass_at_k(score, has_plus))}}}')


def _host_fault(judged: ProfileVerdict) -> bool:
    return Outcome.HOST_FAULT in (judged.base.outcome, judged.plus.outcome)


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
        return json.dumps(row, default=_plain)
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


def _plain(value: Any) -> Any:
    """What JSON lacks, as EvalPlus writes it back: sets become lists, complex numbers text."""
    return list(value) if isinstance(value, set | frozenset) else str(value)


def _pass_at_k(score: Score, has_plus: bool) -> dict[str, dict[str, float]]:
    suites = {"base": score.base, "plus": score.plus} if has_plus else {"base": score.base}
    return {
        suite: {f"pass@{k}": one.value for k, one in by_k.items() if not isnan(one.value)}
        for suite, by_k in suites.items()
    }


def read_results(path: Path) -> Results:
    """Read a result file of EvalPlus, new form or old. Raises UserError for anything else."""
    try:
        with long_integers():
            return results_in(json_text.decode(read_whole(path)))
    except FileNotFoundError:
        raise UserError(f"{path} does not exist: name a result file of EvalPlus.") from None
    except (OSError, ValueError) as error:
        raise UserError(f"{path} {_NO_RESULTS.format(reason(error))}") from error


def results_in(content: Any) -> Results:
    """What the decoded content of such a file says. Raises ValueError where it is none."""
    try:
        rows = [
            (Program(task_id, index, solution), base, plus)
            for task_id, entry in content["eval"].items()
            for index, (solution, base, plus) in enumerate(_statuses(entry))
        ]
        return Results(
            hash=_text(content.get("hash")),
            date=_text(content.get("date")),
            suites=_suites(plus for _, _, plus in rows),
            programs=tuple(program for program, _, _ in rows),
            verdicts=tuple(_verdict(program, base, plus) for program, base, plus in rows),
            pass_at_k=content.get("pass_at_k") or {},
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"{type(error).__name__}: {error}") from error


def _statuses(entry: Any) -> Iterator[tuple[str, str, str | None]]:
    """Solution and statuses of one task's samples; the old form has two lists of [status, details]."""
    if isinstance(entry, list):
        yield from ((_text(row.get("solution")), row["base_status"], row["plus_status"]) for row in entry)
        return
    plus = [status for status, *_ in entry.get("plus") or ()] or [None] * len(entry["base"])
    yield from (("", status, other) for (status, *_), other in zip(entry["base"], plus, strict=True))


def _text(value: Any) -> str:
    if value is not None and not isinstance(value, str):
        raise TypeError("a solution, hash or date that is no text")
    return value or ""


def _suites(plus: Iterable[str | None]) -> tuple[SuiteName, ...]:
    """Either every sample was judged on the plus tests, or none."""
    absent = {status is None for status in plus}
    if len(absent) > 1:
        raise ValueError("some samples have a plus status and some have none")
    return ("base",) if True in absent else ("base", "plus")


def _verdict(program: Program, base: str, plus: str | None) -> Verdict:
    """Without plus tests there is nothing to fail in them: plus is a pass."""
    judged = ProfileVerdict(SuiteVerdict(_OUTCOME[base]), SuiteVerdict(_OUTCOME[plus or "pass"]))
    return Verdict(program.task_id, program.index, "", judged, judged)
