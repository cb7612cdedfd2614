"""What a form of another tool is: how it is recognised, the samples and the verdicts that a file of it holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from evalplus_run.interchange.content import Content
from evalplus_run.records import (
    Completion,
    FinishReason,
    Outcome,
    ProfileVerdict,
    Program,
    SuiteName,
    SuiteVerdict,
    Verdict,
)


@dataclass(frozen=True, slots=True)
class Given:
    """One sample as another tool stored it."""

    task_id: str
    """A benchmark's id, or, where a tool stores numbers, the number at the end of one."""
    text: str
    continues_prompt: bool = False
    """The text goes on from the task's prompt."""
    finish_reason: FinishReason = "unknown"
    reasoning: str = ""

    def as_answer(self, task_id: str, index: int) -> Completion:
        """As the answer of a model to a task, by the benchmark's id."""
        return Completion(
            task_id,
            index,
            self.text,
            reasoning=self.reasoning,
            finish_reason=self.finish_reason,
            continues_prompt=self.continues_prompt,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """The verdicts that another tool came to.

    It knows one judge, so each verdict's strict part repeats its evalplus part, and means nothing.
    """

    verdicts: tuple[Verdict, ...]
    programs: tuple[Program, ...] = ()
    """Those that were judged, one for each verdict, where the file has them; a text is empty where it is not known."""
    answers: tuple[Given, ...] = ()
    """What the model answered, one for each verdict, where the file has it and tells which verdict is whose."""
    failing_inputs: tuple[Mapping[SuiteName, tuple[list[Any], ...]], ...] = ()
    """For each verdict the arguments of the tests that failed, as JSON has them, where the file tells them."""
    suites: tuple[SuiteName, ...] = ("base",)
    is_whole: bool = False
    """Each verdict is on base and plus tests as one suite, which stands as base."""
    prompts: Mapping[str, str] = field(default_factory=dict)
    """By task id, the tasks' texts, where the file has them."""
    benchmark: str = ""
    """What the tool calls it, where the file tells."""
    dataset_md5: str = ""
    """Of the dataset's unpacked content, where the file tells."""
    date: str = ""
    model: str = ""
    left_out: int = 0
    """Samples without a verdict."""
    pass_at_k: Mapping[SuiteName, Mapping[int, float]] = field(default_factory=dict)
    """The scores that the file itself tells, by suite and k; between 0 and 1."""


class Form(Protocol):
    """One way of storing samples, verdicts or both."""

    name: str
    """For people, as in `read as …`."""
    judge: str
    """Whose verdicts are in it; empty where it has none."""
    raw: bool
    """Its texts are what a model wrote, not programs."""

    def fits(self, content: Content) -> bool:
        """Whether a file is of this form, as far as its first value tells."""

    def samples(self, content: Content, tasks: Sequence[str]) -> Iterator[Given]:
        """All samples; `tasks` are the benchmark's ids in order. Raises ValueError in words, UserError."""

    def recorded(self, content: Content) -> Recorded:
        """All verdicts; raises as `samples`."""


def names_of(task_ids: Iterable[str]) -> Mapping[str, str]:
    """Task ids by what tools call them: themselves, or the number at their end where it is of one task only."""
    ends = [(task_id.rpartition("/")[2], task_id) for task_id in task_ids]
    often = Counter(end for end, _ in ends)
    return {end: task_id for end, task_id in ends if often[end] == 1} | {task_id: task_id for _, task_id in ends}


def verdicts_of(judged_base: Iterable[tuple[str, SuiteVerdict]]) -> tuple[Verdict, ...]:
    """Verdicts on the base tests alone, from (task_id, verdict); samples are numbered as they come."""
    seen: dict[str, int] = {}
    found = []
    for task_id, base in judged_base:
        index = seen[task_id] = seen.get(task_id, -1) + 1
        judged = ProfileVerdict(base, SuiteVerdict(Outcome.PASS))
        found.append(Verdict(task_id, index, "", judged, judged))
    return tuple(found)


def texts_in(answers: list[Any]) -> Iterator[str]:
    """All texts of a list of texts or of lists of texts, a null as an empty one. Raises ValueError."""
    for each in answers:
        for text in each if isinstance(each, list) else [each]:
            if text is not None and type(text) is not str:
                raise ValueError(f"an answer is {type(text).__name__} where text is due")
            yield text or ""
