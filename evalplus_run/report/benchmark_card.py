"""What a benchmark is: what it measures, how programs are scored and verified, and one task as an example."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evalplus_run.records import Outcome, SuiteName, Task
from evalplus_run.report.page_data import Group
from evalplus_run.report.sample import Sample, failures
from evalplus_run.report.text import call, shorten

_MEASURES = {
    "humaneval_plus": "Whether a model writes right Python functions from a signature and a docstring: the problems of "
    "HumanEval (Chen et al. 2021, arXiv:2107.03374), written by hand, with the many more tests of EvalPlus "
    "(Liu et al. 2023, arXiv:2305.01210).",
    "mbpp_plus": "Whether a model writes right Python functions from one sentence and an assertion: those problems of "
    "MBPP (Austin et al. 2021, arXiv:2108.07732) that EvalPlus found well posed, with its many more tests "
    "(Liu et al. 2023, arXiv:2305.01210).",
    "humaneval": "Whether a model writes right Python functions from a signature and a docstring: the problems of "
    "HumanEval (Chen et al. 2021, arXiv:2107.03374), written by hand, with their own few tests.",
    "example": "Nothing yet: a few small tasks that show how all this works.",
}
_OTHER = "Whether a model writes right Python functions for the tasks of this file."
_LONGEST_CALL = 400
_LONGEST_PROGRAM = 4_000


@dataclass(frozen=True, slots=True)
class Example:
    """One task, a program that was accepted for it, and a test."""

    task_id: str
    prompt: str
    program: str
    by: str
    """Whose program it is."""
    call: str
    expected: str
    """Empty where no sample failed on it: then nobody has told."""
    suite: SuiteName


@dataclass(frozen=True, slots=True)
class Card:
    """All of it."""

    measures: str
    tasks: int
    tests: dict[SuiteName, int]
    """By suite, over the tasks of these runs; empty where the tasks came without their inputs."""
    sha256: str
    """Of the benchmark's content; empty where no run tells."""
    source: str
    sandboxes: Sequence[str]
    """Those in which the programs of this program's own runs were judged."""
    elsewhere: Sequence[str]
    """The runs that others judged: results without a manifest."""
    example: Example | None


def card(group: Group) -> Card:
    """The card of the benchmark that these runs are of."""
    described = next((one for run in group.runs if isinstance(one := run.page.manifest.get("dataset"), dict)), {})
    tests: dict[SuiteName, int] = {
        suite: count
        for suite in group.suites
        if (count := sum(len(task.inputs(suite)) for task in group.tasks.values()))
    }
    return Card(
        measures=_MEASURES.get(group.runs[0].summary.dataset, _OTHER),
        tasks=len(group.tasks),
        tests=tests,
        sha256=str(described.get("sha256", "")),
        source=str(described.get("source", "")),
        sandboxes=list(dict.fromkeys(run.summary.sandbox for run in group.runs if run.page.manifest)),
        elsewhere=[run.label for run in group.runs if not run.page.manifest],
        example=_example(group),
    )


def _example(group: Group) -> Example | None:
    """Of the tasks that show most, that with the shortest prompt.

    Most is shown by a task with one program that was accepted and another that only the plus tests refused; then
    by one with an accepted program; then by any.
    """
    accepted: dict[str, tuple[str, Sample]] = {}
    refused: dict[str, tuple[bool, Sample]] = {}
    for run in group.runs:
        for sample in run.page.samples:
            task_id = sample.program.task_id
            if sample.verdict and sample.verdict.evalplus.passed:
                accepted.setdefault(task_id, (run.label, sample))
            elif _has_test(sample):
                of_plus = sample.verdict is not None and sample.verdict.evalplus.base.outcome is Outcome.PASS
                if of_plus or task_id not in refused:
                    refused[task_id] = (of_plus, sample)

    def shows(task: Task) -> tuple[bool, bool, bool, int]:
        failed = refused.get(task.task_id)
        # False sorts before True.
        return (
            task.task_id not in accepted,
            failed is None,
            failed is None or not failed[0],
            len(task.prompt) + len(accepted[task.task_id][1].program.solution if task.task_id in accepted else ""),
        )

    task = min(group.tasks.values(), key=shows, default=None)
    if task is None or not task.prompt:
        return None
    by, program = ("the reference", task.reference)
    if task.task_id in accepted:
        by, sample = accepted[task.task_id]
        program = sample.program.solution
    suite, text, expected = _test(task, refused.get(task.task_id, (False, None))[1])
    return Example(task.task_id, task.prompt.strip("\n"), shorten(program, _LONGEST_PROGRAM), by, text, expected, suite)


def _has_test(sample: Sample) -> bool:
    return any(one.call and one.verdict.expected for one in failures(sample))


def _test(task: Task, failed: Sample | None) -> tuple[SuiteName, str, str]:
    """A test that a sample failed, since then what was expected is known; else the first."""
    told = _failed_tests(failed) if failed else iter(())
    if first := next(told, None):
        return first
    inputs = task.inputs("base")
    return "base", shorten(call(task.entry_point, inputs[0]), _LONGEST_CALL) if inputs else "", ""


def _failed_tests(sample: Sample) -> Iterator[tuple[SuiteName, str, str]]:
    for one in failures(sample):
        if one.call and one.verdict.expected:
            yield one.suite, shorten(one.call, _LONGEST_CALL), shorten(one.verdict.expected, _LONGEST_CALL)
