"""One sample in full: what was asked, what came, what was run and where it failed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from evalplus_run.records import (
    Arguments,
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
from evalplus_run.words import counted

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

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
    arguments: Arguments | None
    """Of the failing call; None where no test was reached, or it is not known."""
    call: str
    """The failing call as source text; empty where there is none."""


@dataclass(frozen=True, slots=True)
class SmallerInput:
    """A simpler input on which a sample fails as it did on a test's."""

    failure: Failure
    before: int
    """Characters of the test's own arguments."""
    after: int
    tests: int
    """Inputs that were run to find it."""
    notes: tuple[str, ...] = ()
    """What is not as it should be."""


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
            yield failure_on(sample, suite, verdict, _failing_arguments(sample, suite, verdict))


def failure_on(sample: Sample, suite: SuiteName, verdict: SuiteVerdict, arguments: Arguments | None) -> Failure:
    """That of a sample on an input."""
    text = "" if arguments is None else shorten(call(sample.task.entry_point, arguments), _LONGEST_CALL)
    return Failure(suite, verdict, arguments, text)


def _failing_arguments(sample: Sample, suite: SuiteName, verdict: SuiteVerdict) -> Arguments | None:
    inputs, recorded = sample.task.inputs(suite), sample.failing_inputs.get(suite)
    if verdict.test is not None and verdict.test < len(inputs):
        return inputs[verdict.test]
    return tuple(recorded[0]) if recorded else None


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
        _print_part(console, title, body)

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
        part(f"{failure.suite}: {failure.verdict.outcome}", Text(_labelled(failure)))


def render_smaller(smaller: SmallerInput, console: Console) -> None:
    """Print the smaller input, with expected and got, and how it was found."""
    from rich.text import Text

    size = f"{smaller.before:,} characters → {smaller.after:,}"
    lines = (_labelled(smaller.failure), f"{size}, by {counted(smaller.tests, 'test')}", *smaller.notes)
    _print_part(console, f"{smaller.failure.suite}, on a smaller input", Text("\n".join(lines)))


def _labelled(failure: Failure) -> str:
    return visible("\n".join(f"{label}: {text}" for label, text in failure_lines(failure)))


def _print_part(console: Console, title: str, body: Text) -> None:
    from rich.text import Text

    body.rstrip()
    console.print(Text(f"== {title} ==", style="bold"))
    console.print(body, soft_wrap=True)
