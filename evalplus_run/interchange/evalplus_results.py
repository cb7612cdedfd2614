"""EvalPlus's result files, new form and old: programs that are judged already."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from evalplus_run.interchange.content import Content
from evalplus_run.interchange.form import Given, Recorded
from evalplus_run.interchange.sample_lines import SampleLines
from evalplus_run.records import UserError
from evalplus_run.report.evalplus_format import Results, results_in


class EvalPlusResults:
    """`eval_results.json`, as EvalPlus and this program write it."""

    name = "a result file in EvalPlus's form"
    raw = False

    def fits(self, content: Content) -> bool:
        """One document with the member `eval`, which inspect's logs have too, beside others."""
        return content.whole and isinstance(content.first, dict) and "eval" in content.first

    def samples(self, content: Content, tasks: Sequence[str]) -> Iterator[Given]:
        """The programs; ValueError for the old form, which has none."""
        programs = results_in(content.first).programs
        if programs and not any(program.solution for program in programs):
            raise ValueError("it holds verdicts without their programs, as EvalPlus's old form does")
        return (Given(program.task_id, program.solution) for program in programs)

    def recorded(self, content: Content) -> Recorded:
        """Base and plus."""
        return _recorded(results_in(content.first))


class EvalPlusLines(SampleLines):
    """The rows of such a file, one on each line."""

    name = "lines of EvalPlus's results"

    def fits(self, content: Content) -> bool:
        """As lines of samples, and judged."""
        return super().fits(content) and "base_status" in content.first

    def recorded(self, content: Content) -> Recorded:
        """Base and plus."""
        tasks: dict[str, list[Any]] = {}
        for place, row in content.rows():
            if not isinstance(row, dict) or not isinstance(row.get("task_id"), str):
                raise UserError(f"{place} is no result of EvalPlus (it has no `task_id`): mend or remove that line.")
            tasks.setdefault(row["task_id"], []).append(row)
        return _recorded(results_in({"eval": tasks}))


def _recorded(results: Results) -> Recorded:
    return Recorded(
        verdicts=results.verdicts,
        programs=results.programs,
        suites=results.suites,
        dataset_md5=results.hash,
        date=results.date,
    )
