"""inspect's logs: `.eval` archives, and the same as one JSON document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct, field

from evalplus_run import json_text
from evalplus_run.interchange.content import Content
from evalplus_run.interchange.failed import failed
from evalplus_run.interchange.form import Given, Recorded, verdicts_of
from evalplus_run.records import FinishReason, Outcome, SuiteVerdict

_HEADS = ("header.json", "_journal/start.json")
"""Of a log that was finished, or of one that was not."""
_SAMPLES = "samples/"
_FINISH: Mapping[str, FinishReason] = {
    "stop": "stop",
    "max_tokens": "length",
    "model_length": "length",
    "content_filter": "refusal",
}
_PASSES = {"C": True, "I": False, "P": False, "N": False}
"""Correct, incorrect, partly correct, no answer."""


class _Part(Struct):
    type: str
    text: str = ""
    reasoning: str = ""


class _Message(Struct):
    content: str | list[_Part] = ""


class _Choice(Struct):
    message: _Message
    stop_reason: str = "unknown"


class _Output(Struct):
    choices: list[_Choice] = []


class _Score(Struct):
    value: Any = None
    explanation: str | None = None


class _Sample(Struct):
    id: str | int
    epoch: int = 1
    input: Any = None
    output: _Output = field(default_factory=_Output)
    scores: dict[str, _Score] | None = None
    metadata: dict[str, Any] | None = None


class _Dataset(Struct):
    name: str | None = None


class _Spec(Struct):
    task: str = ""
    dataset: _Dataset = field(default_factory=_Dataset)
    model: str = ""
    created: str = ""


class _Head(Struct):
    eval: _Spec


class InspectLog:
    """What `inspect eval` writes."""

    name = "a log of inspect"
    judge = "inspect"
    raw = True

    def fits(self, content: Content) -> bool:
        """An archive with a header, or one document with the same members."""
        if content.members:
            return any(name in content.members for name in _HEADS)
        document = content.first
        return content.whole and isinstance(document, dict) and {"eval", "plan", "samples"} <= document.keys()

    def samples(self, content: Content, tasks: Sequence[str]) -> Iterator[Given]:
        """One answer for each sample and epoch, reasoning apart."""
        return map(_answer, _samples(content))

    def recorded(self, content: Content) -> Recorded:
        """On the tests of the task's own scorer, so base; by the first scorer where there are several."""
        samples = list(_samples(content))
        scored = [(sample, next(iter(sample.scores.values()))) for sample in samples if sample.scores]
        head = _head(content)
        return Recorded(
            verdicts=verdicts_of((_task_id(sample), _verdict(score)) for sample, score in scored),
            answers=tuple(_answer(sample) for sample, _ in scored),
            prompts={_task_id(sample): prompt for sample, _ in scored if (prompt := _prompt(sample))},
            benchmark=head.dataset.name or head.task,
            date=head.created,
            model=head.model,
            left_out=len(samples) - len(scored),
        )


def _head(content: Content) -> _Spec:
    name = next((name for name in _HEADS if name in content.members), None)
    return json_text.convert(content.first if name is None else next(content.values([name])), _Head).eval


def _samples(content: Content) -> list[_Sample]:
    """By epoch, in the order of the log."""
    names = [name for name in content.members if name.startswith(_SAMPLES) and name.endswith(".json")]
    if content.members:
        # One after the other: what they hold besides their answers is much.
        samples = [json_text.convert(value, _Sample) for value in content.values(names)]
    else:
        samples = json_text.convert(content.first["samples"] or [], list[_Sample])
    return sorted(samples, key=lambda sample: sample.epoch)


def _answer(sample: _Sample) -> Given:
    choice = sample.output.choices[0] if sample.output.choices else _Choice(_Message())
    text, reasoning = _texts(choice.message.content)
    finish = _FINISH.get(choice.stop_reason, "unknown")
    return Given(_task_id(sample), text, finish_reason=finish, reasoning=reasoning)


def _task_id(sample: _Sample) -> str:
    """inspect numbers samples that have no name of their own: such a number is no task's."""
    if isinstance(sample.id, str) and not sample.id.isdecimal():
        return sample.id
    told = (sample.metadata or {}).get("task_id")
    if isinstance(told, str | int):
        return str(told)
    raise ValueError(f"its sample {sample.id} has neither a task's id nor one in its metadata (`task_id`)")


def _prompt(sample: _Sample) -> str:
    """The task's own text, else what the model was asked."""
    told = (sample.metadata or {}).get("prompt", sample.input)
    return told if isinstance(told, str) else ""


def _texts(content: str | list[_Part]) -> tuple[str, str]:
    """The answer, and the reasoning that stands apart."""
    if isinstance(content, str):
        return content, ""
    text = "\n".join(part.text for part in content if part.type == "text")
    return text, "\n".join(part.reasoning for part in content if part.type == "reasoning")


def _verdict(score: _Score) -> SuiteVerdict:
    value = score.value
    passed = _PASSES.get(value) if isinstance(value, str) else value
    if passed not in (0, 1):
        raise ValueError(f"a score is {value!r:.40}, which is neither right nor wrong")
    # Before the last fence, scorers of code repeat the program with its tests.
    return SuiteVerdict(Outcome.PASS) if passed else failed((score.explanation or "").rpartition("```")[2])
