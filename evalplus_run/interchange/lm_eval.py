"""lm-evaluation-harness: the samples that it logs for a task that is made of a benchmark's own documents."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import isclose
from typing import Any

from msgspec import Struct, field

from evalplus_run import json_text
from evalplus_run.interchange.content import Content
from evalplus_run.interchange.form import Given, Recorded, texts_in, verdicts_of
from evalplus_run.records import Outcome, SuiteVerdict, UserError


class _Doc(Struct):
    task_id: str | int
    prompt: str = ""


class _Row(Struct):
    """One document with all its answers, passed through one filter."""

    doc: _Doc
    resps: list[Any]
    arguments: Any = None
    target: Any = None
    """The tests as they were run."""
    filter: str = ""
    pass_at_1: float | None = field(default=None, name="pass@1")
    pass_at_1_of_mbpp: float | None = field(default=None, name="pass_at_1")


class LmEvalSamples:
    """`samples_TASK_DATE.jsonl`, as `--log_samples` writes it."""

    name = "samples logged by lm-evaluation-harness"
    judge = "lm-evaluation-harness"
    raw = True

    def fits(self, content: Content) -> bool:
        """The first line has a document and its responses."""
        return isinstance(content.first, dict) and {"doc", "resps"} <= content.first.keys()

    def samples(self, content: Content, tasks: Sequence[str]) -> Iterator[Given]:
        """The raw responses; the harness's own filters cut them for its own tests."""
        for row in self._rows(content):
            yield from _answers(row)

    def recorded(self, content: Content) -> Recorded:
        """On the tests of the documents: base, but for HumanEval+'s, which are base and plus in one.

        A document's pass@1 over n responses tells how many of them pass, though not which: the first ones stand
        for them, which moves no score.
        """
        outcomes: list[tuple[str, SuiteVerdict]] = []
        answers: list[Given] = []
        is_whole = False
        prompts: dict[str, str] = {}
        for row in self._rows(content):
            own = list(_outcomes(row))
            outcomes += own
            # Where some pass and some do not, nobody knows which.
            answers += _answers(row) if len({verdict.outcome for _, verdict in own}) < 2 else ()
            prompts[str(row.doc.task_id)] = row.doc.prompt
            is_whole = is_whole or _has_plus_tests(row)
        told = tuple(answers) if len(answers) == len(outcomes) else ()
        return Recorded(
            verdicts=verdicts_of(outcomes),
            answers=told,
            prompts=prompts,
            benchmark=_task_of(content.path.name),
            is_whole=is_whole,
        )

    def _rows(self, content: Content) -> Iterator[_Row]:
        """Those of the first filter: with several, each document comes once for each."""
        first = None
        for place, value in content.rows():
            try:
                row = json_text.convert(value, _Row)
            except ValueError as error:
                raise UserError(
                    f"{place} is no sample that lm-evaluation-harness logged of HumanEval or MBPP ({error}):"
                    " mend or remove that line."
                ) from None
            first = row.filter if first is None else first
            if row.filter == first:
                yield row


def _task_of(name: str) -> str:
    """The harness's task, of which the file's name alone tells."""
    found = re.match(r"samples_(.+)_\d{4}-\d\d-\d\dT", name)
    return found[1] if found else ""


def _answers(row: _Row) -> Iterator[Given]:
    continues = _continues_prompt(row)
    return (Given(str(row.doc.task_id), text, continues) for text in texts_in(row.resps))


def _has_plus_tests(row: _Row) -> bool:
    """Whether its tests are EvalPlus's tables of inputs and results, which HumanEval's own tests are not."""
    return isinstance(row.target, str) and all(f"\n    {table} = [" in row.target for table in ("inputs", "results"))


def _continues_prompt(row: _Row) -> bool:
    """Whether the model was shown the document's prompt last, bare or as the beginning of its own answer."""
    shown = _last_shown(row.arguments).rstrip()
    return bool(row.doc.prompt.strip()) and shown.endswith(row.doc.prompt.rstrip())


def _last_shown(arguments: Any) -> str:
    """What the model was shown, or of a chat the last turn; the arguments are by name, and were a list."""
    while isinstance(arguments, dict | list) and arguments:
        arguments = next(iter(arguments.values())) if isinstance(arguments, dict) else arguments[0]
    if not isinstance(arguments, str):
        return ""
    try:
        chat = json_text.decode(arguments.encode()) if arguments.startswith("[{") else None
    except (ValueError, UnicodeEncodeError):
        return arguments
    last = chat[-1] if chat else None
    return str(last.get("content")) if isinstance(last, dict) else arguments


def _outcomes(row: _Row) -> Iterator[tuple[str, SuiteVerdict]]:
    share = row.pass_at_1 if row.pass_at_1 is not None else row.pass_at_1_of_mbpp
    n = sum(1 for _ in texts_in(row.resps))
    if share is None:
        raise ValueError("its lines have no pass@1; judge its answers with samples=FILE")
    passing = share * n
    if not 0 <= share <= 1 or not isclose(passing, round(passing), abs_tol=1e-6):
        raise ValueError(f"pass@1 is {share} of {n} answers, which is no number of answers")
    for place in range(n):
        yield str(row.doc.task_id), SuiteVerdict(Outcome.PASS if place < round(passing) else Outcome.FAILED)
