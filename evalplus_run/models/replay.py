"""Answers read from a file: for tests, for judging what others generated, and for rehearsing a run."""

from __future__ import annotations

import asyncio
import hashlib
import zlib
from collections import Counter
from collections.abc import AsyncGenerator, Collection, Iterator, Mapping, Sequence
from contextlib import aclosing
from functools import partial
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from evalplus_run import json_text
from evalplus_run.files import read_whole, reason, unpacked, user_path
from evalplus_run.models.base import Thinking
from evalplus_run.models.flight import fly
from evalplus_run.models.settings import ReplaySettings
from evalplus_run.records import Completion, FinishReason, Prompt, Rendered, Request, SampleId, Sampling, UserError


class Row(msgspec.Struct):
    """One line of the file; of our own `completions.jsonl`, every field that travels."""

    task_id: str
    text: str | None = None
    completion: str | None = None
    solution: str | None = None
    index: int | None = None
    reasoning: str = ""
    finish_reason: FinishReason = "unknown"
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    seconds: Annotated[float, Meta(ge=0)] = 0.0
    cost: float | None = None


_ROW = msgspec.json.Decoder(Row)


class Replay:
    """Gives the answers of a file. Stop strings are not applied: what was recorded is final."""

    local = False

    def __init__(self, settings: ReplaySettings) -> None:
        self.settings = settings
        self.chat = self.prefills = settings.chat
        self._answers: Mapping[SampleId, Completion] = {}

    async def start(self, thinking: Thinking = "auto") -> None:
        """Read the file."""
        self._answers = read_answers(_path(self.settings))

    def identity(self) -> Mapping[str, str]:
        """The name, the file's content, and how its answers are to be taken."""
        path = _path(self.settings)
        return {
            "kind": "replay",
            "name": self.settings.name or path.name.removesuffix(".gz").removesuffix(".jsonl"),
            "revision": self.settings.revision,
            "sha256": hashlib.sha256(read_whole(path)).hexdigest(),
            **({} if self.settings.chat else {"chat": "false"}),
        }

    def versions(self) -> Mapping[str, str]:
        """The file that was read."""
        return {"engine": "replay", "path": self.settings.path, "answers": str(len(self._answers))}

    async def render(self, prompt: Prompt) -> Rendered:
        """The turns one after the other: nobody is asked."""
        return Rendered(prompt.text or "\n".join([*(turn.content for turn in prompt.messages), prompt.prefill]))

    async def complete(self, requests: Sequence[Request], sampling: Sampling) -> AsyncGenerator[Completion, None]:
        """Raises UserError before anything else when answers are missing."""
        wanted = [(request.prompt.task_id, index) for request in requests for index in request.indices]
        missing = [key for key in wanted if key not in self._answers]
        if missing:
            raise UserError(_lacking(self.settings.path, missing, wanted, self._answers))
        async with aclosing(fly((partial(self._play, key) for key in wanted), self.settings.concurrency)) as answers:
            async for answer in answers:
                yield answer

    async def _play(self, key: SampleId) -> Completion:
        answer = self._answers[key]
        await asyncio.sleep(answer.seconds * self.settings.pace)
        return answer

    async def close(self) -> None:
        """Nothing to close."""


def _lacking(path: str, missing: Sequence[SampleId], wanted: Sequence[SampleId], answers: Collection[SampleId]) -> str:
    """What is wrong with a file that lacks these answers, and what to do."""
    (task, index), known = missing[0], {task_id for task_id, _ in answers}
    if not known:
        return f"{path} holds no answer at all: get it again, or change model.path."
    if known.isdisjoint(task_id for task_id, _ in wanted):
        return (
            f"{path} has answers to {_some(known)}, and none to {task} or any other task that is asked: "
            "choose their dataset, or change model.path."
        )
    lacking = f"{path} has no answer {index} for {task} ({len(missing)} of {len(wanted)} missing)"
    if task not in known:
        return f"{lacking}, and none to that task at all: name the tasks that it has in dataset.tasks."
    return f"{lacking}: lower sampling.n."


def _some(tasks: Collection[str]) -> str:
    first = min(tasks)
    return first if len(tasks) == 1 else f"{first} and {len(tasks) - 1} more"


def _path(settings: ReplaySettings) -> Path:
    if not settings.path:
        raise UserError("model.path is empty: name the JSONL file with the answers.")
    path = user_path(settings.path)
    if not path.is_file():
        raise UserError(f"There is no file {settings.path}: model.path names the JSONL file with the answers.")
    return path


def read_answers(path: Path) -> Mapping[SampleId, Completion]:
    """All answers of a file. A row without index is the next one of its task. Raises UserError with file and line."""
    answers: dict[SampleId, Completion] = {}
    seen: Counter[str] = Counter()
    for place, row in _rows(path):
        index = seen[row.task_id] if row.index is None else row.index
        seen[row.task_id] += 1
        if (row.task_id, index) in answers:
            raise UserError(f"{place} repeats answer {index} of {row.task_id}: drop one of the two.")
        answers[row.task_id, index] = _completion(row, index, place)
    return answers


def _rows(path: Path) -> Iterator[tuple[str, Row]]:
    try:
        with unpacked(path) as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield f"{path}, line {number},", _row(line, f"{path}, line {number}")
    except (OSError, EOFError, zlib.error) as error:
        raise UserError(f"{path} cannot be read ({reason(error)}): get it again, or change model.path.") from error


def _row(line: bytes, place: str) -> Row:
    try:
        return json_text.decode_as(line, _ROW)
    except ValueError as error:
        raise UserError(f"{place} is not a row with an answer ({error}): mend or remove that line.") from error


def _completion(row: Row, index: int, place: str) -> Completion:
    texts = [text for text in (row.text, row.completion, row.solution) if text is not None]
    if not texts:
        raise UserError(f"{place} holds no answer: it needs `text`, `completion` or `solution`.")
    return Completion(
        row.task_id,
        index,
        texts[0],
        reasoning=row.reasoning,
        finish_reason=row.finish_reason,
        prompt_tokens=row.prompt_tokens,
        completion_tokens=row.completion_tokens,
        seconds=row.seconds,
        cost=row.cost,
    )
