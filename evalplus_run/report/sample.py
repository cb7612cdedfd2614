"""One sample in full: what was asked, what came, what was run and where it failed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from evalplus_run.records import (
    Completion,
    Outcome,
    ProfileVerdict,
    Program,
    SampleId,
    SuiteName,
    SuiteVerdict,
    Task,
    Verdict,
)
from evalplus_run.report.prompt import PromptForm
from evalplus_run.report.text import call, shorten, visible

if TYPE_CHECKING:
    from rich.console import Console

_LONGEST_CALL = 2_000
"""Characters of a failing call that are shown."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One sample with everything that a report may tell of it."""

    task: Task
    program: Program
    verdict: Verdict | None = None
    """None where it has not been judged yet."""
    completion: Completion | None = None
    """None where the program was given as it is."""
    suites: tuple[SuiteName, ...] = ()
    """Those that another tool judged; empty for those that the task has."""
    failing_inputs: Mapping[SuiteName, tuple[list[Any], ...]] = field(default_factory=dict)
    """By suite, the arguments of the tests that failed as another tool recorded them."""


def samples_in_order(
    tasks: Mapping[str, Task],
    programs: Iterable[Program],
    verdicts: Mapping[SampleId, Verdict],
    completions: Mapping[SampleId, Completion],
) -> list[Sample]:
    """The samples of these tasks with what is known of each: in the tasks' order, those of a task by their indices."""
    place = {task_id: number for number, task_id in enumerate(tasks)}
    known = sorted(
        (program for program in programs if program.task_id in place),
        key=lambda program: (place[program.task_id], program.index),
    )
    return [
        Sample(tasks[key[0]], program, verdicts.get(key), completions.get(key))
        for program in known
        for key in [(program.task_id, program.index)]
    ]


@dataclass(frozen=True, slots=True)
class Failure:
    """Where a sample failed on a suite."""

    suite: SuiteName
    verdict: SuiteVerdict
    call: str
    """The failing call as source text; empty where no test was reached."""


def suite_verdicts(sample: Sample, judged: ProfileVerdict) -> dict[SuiteName, SuiteVerdict]:
    """The verdicts of the suites that the sample was judged on, base before plus."""
    has_plus = "plus" in sample.suites if sample.suites else sample.task.plus_inputs
    return {"base": judged.base, "plus": judged.plus} if has_plus else {"base": judged.base}


def failures(sample: Sample) -> Iterator[Failure]:
    """What failed under the evalplus profile, base before plus."""
    if sample.verdict is None:
        return
    for suite, verdict in suite_verdicts(sample, sample.verdict.evalplus).items():
        if verdict.outcome is not Outcome.PASS:
            yield Failure(suite, verdict, _failing_call(sample, suite, verdict))


def _failing_call(sample: Sample, suite: SuiteName, verdict: SuiteVerdict) -> str:
    inputs, recorded = sample.task.inputs(suite), sample.failing_inputs.get(suite)
    if verdict.test is not None and verdict.test < len(inputs):
        arguments = inputs[verdict.test]
    elif recorded:
        arguments = tuple(recorded[0])
    else:
        return ""
    return shorten(call(sample.task.entry_point, arguments), _LONGEST_CALL)


def verdict_line(sample: Sample) -> str:
    """The outcomes in one line: `base pass, plus wrong`, with the strict profile's where they differ."""
    if sample.verdict is None:
        return "not judged yet"
    evalplus, strict = (
        ", ".join(f"{suite} {one.outcome}" for suite, one in suite_verdicts(sample, judged).items())
        for judged in (sample.verdict.evalplus, sample.verdict.strict)
    )
    return evalplus if evalplus == strict else f"{evalplus} (strict: {strict})"


def one_line_of(sample: Sample) -> str:
    """Which sample it is, and its outcomes."""
    return f"{sample.program.task_id} #{sample.program.index}: {verdict_line(sample)}"


def failure_lines(failure: Failure) -> Iterator[tuple[str, str]]:
    """Label and text of all that is known of a failure."""
    verdict = failure.verdict
    number = "" if verdict.test is None else str(verdict.test)
    error = verdict.error if verdict.line is None else f"{verdict.error} (line {verdict.line})"
    labelled = {"test": number, "call": failure.call, "expected": verdict.expected, "got": verdict.got, "error": error}
    yield from ((label, text) for label, text in labelled.items() if text)


def render_sample(sample: Sample, console: Console, form: PromptForm | None = None) -> None:
    """Print prompt, raw answer, program, outcome, and the failing tests with expected and got.

    Without the form of the run's prompts, the task's text stands in the prompt's place, and is called so.
    Long lines stay whole, so that a program can be copied, and control characters are shown, not sent.
    """
    from rich.syntax import Syntax
    from rich.text import Text

    def part(title: str, body: Text) -> None:
        body.rstrip()
        console.print(Text(f"== {title} ==", style="bold"))
        console.print(body, soft_wrap=True)

    python = Syntax("", "python", background_color="default")
    console.print(Text(visible(one_line_of(sample)), "bold"))
    if form is None:
        part("task", Text(visible(sample.task.prompt)))
    else:
        part("prompt as sent", Text(visible(form.of(sample.task))))
    if sample.completion is not None:
        part("raw answer", Text(visible(sample.completion.text)))
    if sample.program.solution:
        part("program", python.highlight(visible(sample.program.solution)))
    for name, note in sample.program.notes.items():
        console.print(Text(visible(f"sanitizer, {name}: {note}")), soft_wrap=True)
    for failure in failures(sample):
        lines = "\n".join(f"{label}: {text}" for label, text in failure_lines(failure))
        part(f"{failure.suite}: {failure.verdict.outcome}", Text(visible(lines)))
