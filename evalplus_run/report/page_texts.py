"""The long texts of a page: prompts, answers, programs and failures, packed into chunks that are opened one by one.

A chunk is a JSON text, deflated and in base64, so that nothing in it can end the element that holds it. It has all
samples of a few tasks, of all runs: they are alike and pack well together, and a look at a sample and at those of
other runs beside it opens one chunk.
"""

from __future__ import annotations

import json
import zlib
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evalplus_run.records import Completion, Task
from evalplus_run.report import wording
from evalplus_run.report.page_data import Group
from evalplus_run.report.sample import Sample, failure_lines, failures, verdict_line
from evalplus_run.report.text import shorten, visible

_SAMPLES = 48
"""In a chunk, about."""
_CHARACTERS = 400_000
"""In a chunk, about."""
_ROOM_OF_A_SAMPLE = 2_500
_LEAST_ROOM = 1_300_000
_MOST_ROOM = 30_000_000
"""Bytes of all chunks: a page of 164 samples stays under 2 MB, one of any size under 40."""


@dataclass(frozen=True, slots=True)
class _Limits:
    """The longest texts, in characters."""

    program: int
    answer: int
    value: int


_LADDER = (_Limits(8_000, 8_000, 2_000), _Limits(8_000, 2_000, 1_000), _Limits(4_000, 400, 400), _Limits(600, 0, 200))
"""The first under which all fits; under the last, chunks that do not fit have no texts."""
_LOOKED_AT = 32
"""Chunks that tell about how large all are, where there are at least twice as many."""
_NEAR = 1.1
"""By how much they may seem too large and yet be tried: what would fit is not to be shortened."""
_LEFT_OUT = "(left out: the page is full; the run's folder has it)"


@dataclass(frozen=True, slots=True)
class Texts:
    """The chunks of a page, and where things are in them."""

    chunks: Sequence[str]
    """In base64."""
    places: Mapping[tuple[int, str], int]
    """By a group's number and a task id: the chunk that has its texts."""


def pack(groups: Sequence[Group]) -> Texts:
    """The texts of all samples of these runs, as long as there is room for them."""
    parts = [part for group in groups for part in _parts(group)]
    samples = sum(len(run.page.samples) for group in groups for run in group.runs)
    room = min(_MOST_ROOM, max(_LEAST_ROOM, samples * _ROOM_OF_A_SAMPLE))
    chunks: list[str] = []
    for limits in _LADDER[_first_step(parts, room) :]:
        chunks = [_packed(_content(part, limits)) for part in parts]
        if sum(map(len, chunks)) <= room:
            break
    else:
        chunks = list(_those_that_fit(parts, chunks, room))
    places = {(part.group, task): number for number, part in enumerate(parts) for task in part.tasks}
    return Texts(chunks, places)


def _first_step(parts: Sequence[_Part], room: int) -> int:
    """The place in the ladder of the first limits under which all may fit, as some chunks tell: packing takes long."""
    if len(parts) < 2 * _LOOKED_AT:
        return 0
    some = parts[:: len(parts) // _LOOKED_AT]
    for step, limits in enumerate(_LADDER):
        size = sum(len(_packed(_content(part, limits))) for part in some)
        if size * len(parts) <= room * _NEAR * len(some):
            return step
    return len(_LADDER) - 1


def plain(value: Any) -> Any:
    """The value with all its texts made visible, as the page shows them."""
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, Mapping):
        return {visible(str(key)): plain(one) for key, one in value.items()}
    return [plain(one) for one in value] if isinstance(value, list | tuple) else value


@dataclass(frozen=True, slots=True)
class _Part:
    """What one chunk is made from."""

    group: int
    tasks: Mapping[str, Task]
    samples: Sequence[tuple[int, Sample]]
    """With the number of the run."""


def _parts(group: Group) -> Iterator[_Part]:
    by_task: dict[str, list[tuple[int, Sample]]] = {task: [] for task in group.tasks}
    for run in group.runs:
        for sample in run.page.samples:
            by_task[sample.program.task_id].append((run.number, sample))
    tasks: dict[str, Task] = {}
    held: list[tuple[int, Sample]] = []
    for task_id, samples in by_task.items():
        if held and not _has_room(held, samples):
            yield _Part(group.number, tasks, held)
            tasks, held = {}, []
        tasks[task_id] = group.tasks[task_id]
        held.extend(samples)
    if tasks:
        yield _Part(group.number, tasks, held)


def _has_room(held: Sequence[tuple[int, Sample]], more: Sequence[tuple[int, Sample]]) -> bool:
    return len(held) + len(more) <= _SAMPLES and _length(held) + _length(more) <= _CHARACTERS


def _length(samples: Sequence[tuple[int, Sample]]) -> int:
    """Characters of the longest texts of the samples."""
    return sum(
        len(sample.program.solution) + (len(sample.completion.text) if sample.completion else 0)
        for _, sample in samples
    )


def _content(part: _Part, limits: _Limits) -> Any:
    return {
        "tasks": {task_id: {"asked": shorten(task.asked, limits.program)} for task_id, task in part.tasks.items()},
        "samples": {
            f"{run}/{sample.program.index}/{sample.program.task_id}": _sample(sample, limits)
            for run, sample in part.samples
        },
    }


def _sample(sample: Sample, limits: _Limits) -> dict[str, Any]:
    told = {
        "verdict": verdict_line(sample),
        "program": shorten(sample.program.solution, limits.program),
        "notes": [[shorten(part, limits.value) for part in note] for note in sample.program.notes.items()],
        "failures": [
            {
                "title": f"{wording.SUITE_TITLES[one.suite]}: {one.verdict.outcome}",
                "lines": [[label, shorten(text, limits.value)] for label, text in failure_lines(one)],
                "line": one.verdict.line,
            }
            for one in failures(sample)
        ],
    }
    return told | (_answer(sample.completion, limits) if sample.completion else {})


def _answer(answer: Completion, limits: _Limits) -> dict[str, Any]:
    def fitted(text: str) -> str:
        return shorten(text, limits.answer) if limits.answer else _LEFT_OUT

    return {
        "answer": fitted(answer.text),
        "reasoning": fitted(answer.reasoning) if answer.reasoning else "",
        "finish": answer.finish_reason,
        "tokens": answer.completion_tokens,
        "seconds": round(answer.seconds, 2),
        "cost": answer.cost,
    }


def _those_that_fit(parts: Sequence[_Part], chunks: Sequence[str], room: int) -> Iterator[str]:
    for part, chunk in zip(parts, chunks, strict=True):
        room -= len(chunk)
        yield chunk if room >= 0 else _packed(_without_texts(part))


def _without_texts(part: _Part) -> Any:
    left_out = {"verdict": "", "program": _LEFT_OUT, "notes": [], "failures": []}
    names = [f"{run}/{sample.program.index}/{sample.program.task_id}" for run, sample in part.samples]
    return {
        "tasks": {task_id: {"asked": _LEFT_OUT} for task_id in part.tasks},
        "samples": dict.fromkeys(names, left_out),
    }


def _packed(content: Any) -> str:
    return b64encode(zlib.compress(json.dumps(plain(content), ensure_ascii=False).encode(), 6)).decode()
