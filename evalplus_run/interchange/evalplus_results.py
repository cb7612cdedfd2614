"""EvalPlus's result files, new form and old, and rows of them as lines: programs that are judged already."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evalplus_run.interchange.content import Content
from evalplus_run.interchange.form import Given, Recorded
from evalplus_run.interchange.sample_lines import SampleLines
from evalplus_run.records import Outcome, ProfileVerdict, Program, SuiteName, SuiteVerdict, UserError, Verdict

_OUTCOME = {
    "pass": Outcome.PASS,
    "fail": Outcome.FAILED,
    "timeout": Outcome.TIMEOUT,
    # Before EvalPlus 0.2:
    "success": Outcome.PASS,
    "failed": Outcome.FAILED,
    "timed out": Outcome.TIMEOUT,
}


class EvalPlusResults:
    """`eval_results.json`, as EvalPlus and this program write it."""

    name = "a result file in EvalPlus's form"
    judge = "evalplus"
    raw = False

    def fits(self, content: Content) -> bool:
        """One document with the member `eval`, which inspect's logs have too, beside others."""
        return content.whole and isinstance(content.first, dict) and "eval" in content.first

    def samples(self, content: Content, tasks: Sequence[str]) -> Iterator[Given]:
        """The programs; ValueError for the old form, which has none."""
        programs = self.recorded(content).programs
        if programs and not any(program.solution for program in programs):
            raise ValueError("it holds verdicts without their programs, as EvalPlus's old form does")
        return (Given(program.task_id, program.solution) for program in programs)

    def recorded(self, content: Content) -> Recorded:
        """Base and plus, with what failed."""
        return _recorded(content.first)


class EvalPlusLines(SampleLines):
    """The rows of such a file, one on each line."""

    name = "lines of EvalPlus's results"
    judge = "evalplus"

    def fits(self, content: Content) -> bool:
        """As lines of samples, and judged."""
        return super().fits(content) and "base_status" in content.first

    def recorded(self, content: Content) -> Recorded:
        """Base and plus, with what failed."""
        tasks: dict[str, list[Any]] = {}
        for place, row in content.rows():
            if not isinstance(row, dict) or not isinstance(row.get("task_id"), str):
                raise UserError(f"{place} is no result of EvalPlus (it has no `task_id`): mend or remove that line.")
            tasks.setdefault(row["task_id"], []).append(row)
        return _recorded({"eval": tasks})


@dataclass(frozen=True, slots=True)
class _Suite:
    """What a file says of one program on one suite."""

    status: str | None
    """None where it was not judged there."""
    tests: tuple[int, ...] = ()
    """The failing tests by their number: the old form's."""
    inputs: tuple[list[Any], ...] = ()
    """Their inputs: the new form's."""


@dataclass(frozen=True, slots=True)
class _Row:
    program: Program
    base: _Suite
    plus: _Suite


def _recorded(content: Any) -> Recorded:
    """What the decoded content of such a file says. Raises ValueError where it is none."""
    try:
        rows = [
            _Row(Program(task_id, index, solution), base, plus)
            for task_id, entry in content["eval"].items()
            for index, (solution, base, plus) in enumerate(_new(entry) if isinstance(entry, list) else _old(entry))
        ]
        return Recorded(
            verdicts=tuple(map(_verdict, rows)),
            programs=tuple(row.program for row in rows),
            failing_inputs=tuple({"base": row.base.inputs, "plus": row.plus.inputs} for row in rows),
            suites=_suites(row.plus.status for row in rows),
            dataset_md5=_text(content.get("hash")),
            date=_text(content.get("date")),
            pass_at_k=_pass_at_k(content.get("pass_at_k")),
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"{type(error).__name__}: {error}") from error


def _new(entry: Sequence[Any]) -> Iterator[tuple[str, _Suite, _Suite]]:
    """The rows of one task since EvalPlus 0.2."""
    for row in entry:
        base = _Suite(row["base_status"], inputs=_arguments(row.get("base_fail_tests")))
        plus = _Suite(row.get("plus_status"), inputs=_arguments(row.get("plus_fail_tests")))
        yield _text(row.get("solution")), base, plus


def _arguments(tests: Sequence[Any] | None) -> tuple[list[Any], ...]:
    """The arguments of failing tests; what is no list of arguments tells nothing."""
    return tuple(test for test in tests or () if isinstance(test, list))


def _old(entry: Any) -> Iterator[tuple[str, _Suite, _Suite]]:
    """Two lists of [status, details], without programs."""
    base = [_of_pair(pair) for pair in entry["base"]]
    plus = [_of_pair(pair) for pair in entry.get("plus") or ()] or [_Suite(None)] * len(base)
    yield from (("", one, other) for one, other in zip(base, plus, strict=True))


def _of_pair(pair: Sequence[Any]) -> _Suite:
    status, *details = pair
    return _Suite(status, tests=_failed_tests(status, details[0] if details else None))


def _failed_tests(status: str, passed: Sequence[Any] | None) -> tuple[int, ...]:
    """From what became of each test that was run to its end: a run that stopped at its first failure lacks that one."""
    if _OUTCOME[status] is Outcome.PASS or not passed:
        return ()
    return tuple(test for test, one in enumerate(passed) if not one) or (len(passed),)


def _text(value: Any) -> str:
    if value is not None and not isinstance(value, str):
        raise TypeError("a solution, hash or date that is no text")
    return value or ""


def _pass_at_k(value: Any) -> Mapping[SuiteName, Mapping[int, float]]:
    """By suite and k; a file that was written before EvalPlus kept its scores has none."""
    found = value if isinstance(value, dict) else {}
    suites: tuple[SuiteName, ...] = ("base", "plus")
    return {
        suite: {
            int(name.removeprefix("pass@")): score
            for name, score in found[suite].items()
            if name.removeprefix("pass@").isdecimal() and isinstance(score, int | float) and 0 <= score <= 1
        }
        for suite in suites
        if isinstance(found.get(suite), dict)
    }


def _suites(plus: Iterable[str | None]) -> tuple[SuiteName, ...]:
    """Either every sample was judged on the plus tests, or none."""
    absent = {status is None for status in plus}
    if len(absent) > 1:
        raise ValueError("some samples have a plus status and some have none")
    return ("base",) if True in absent else ("base", "plus")


def _verdict(row: _Row) -> Verdict:
    """Without plus tests there is nothing to fail in them: plus is a pass."""
    plus = _Suite("pass") if row.plus.status is None else row.plus
    judged = ProfileVerdict(_suite_verdict(row.base), _suite_verdict(plus))
    return Verdict(row.program.task_id, row.program.index, "", judged, judged)


def _suite_verdict(suite: _Suite) -> SuiteVerdict:
    failed = suite.tests
    return SuiteVerdict(
        _OUTCOME[suite.status or ""], failed[0] if failed else None, failed_tests=failed if len(failed) > 1 else None
    )
