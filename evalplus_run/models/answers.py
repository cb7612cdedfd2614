"""What is done alike for every engine: a sample's seed, where its text stops, its reasoning apart."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from itertools import groupby

from evalplus_run.records import FinishReason, Prompt, Request, Sampling

BYTES_PER_TOKEN = 4
"""Of English and code, about: to estimate what a prompt takes before a server has counted."""

THINK_OPEN, THINK_CLOSE = "<think>", "</think>"


def sample_seed(seed: int, task_id: str, index: int) -> int:
    """The seed of one sample: the same for the same run seed, task and index, on any machine.

    31 bits, since some servers read a signed 32-bit number.
    """
    digest = hashlib.sha256(f"{seed}\n{task_id}\n{index}".encode()).digest()
    return int.from_bytes(digest[:4], "big") >> 1


def in_groups(request: Request, size: int) -> Iterator[Request]:
    """The request in parts of `size` answers at most, each with the indices of one span of that length.

    A span begins at a multiple of `size`, whatever is missing in it, so a larger n leaves the groups as they were.
    """
    for _, indices in groupby(request.indices, lambda index: index // size):
        yield Request(request.prompt, tuple(indices))


def shares(total: int | None, sizes: Sequence[int]) -> list[int | None]:
    """A total in whole numbers that add up to it, by the sizes; by equal parts where all are 0."""
    if total is None:
        return [None] * len(sizes)
    weights = sizes if sum(sizes) else [1] * len(sizes)
    ends = [total * sum(weights[: number + 1]) // sum(weights) for number in range(len(weights))]
    return [end - before for before, end in zip([0, *ends], ends, strict=False)]


def stop_strings(prompt: Prompt, sampling: Sampling) -> tuple[str, ...]:
    """All stop strings of a request, each once; in the user's, `\\n` and `\\t` are read as newline and tab."""
    own = (stop.replace("\\n", "\n").replace("\\t", "\t") for stop in sampling.stop)
    return tuple(dict.fromkeys(stop for stop in (*prompt.stop, *own) if stop))


def cut(text: str, stops: tuple[str, ...]) -> str:
    """The text up to the earliest stop string: servers take a few of them, or none."""
    ends = [end for end in map(text.find, stops) if end >= 0]
    return text[: min(ends)] if ends else text


def stopped(text: str, reason: FinishReason, stops: tuple[str, ...]) -> tuple[str, FinishReason]:
    """The text up to the earliest stop string, and why it ends: what is cut there was complete."""
    kept = cut(text, stops)
    return kept, "stop" if kept != text and reason != "refusal" else reason


def split_reasoning(text: str, *, opened: bool = False) -> tuple[str, str]:
    """The reasoning and the answer of a raw text.

    `opened` says that the prompt already ended inside a thinking section; so did one that nobody saw open, where
    a text closes it. A section that never closes leaves an empty answer.
    """
    body = text.lstrip()
    before, close, _ = body.partition(THINK_CLOSE)
    # A tag behind a quote is a string of some code.
    unseen = bool(close) and THINK_OPEN not in before and before[-1:] not in {'"', "'", "`"}
    if not (opened or unseen or body.startswith(THINK_OPEN)):
        return "", text
    reasoning, _, answer = body.removeprefix(THINK_OPEN).partition(THINK_CLOSE)
    return reasoning.strip(), answer.lstrip("\n")
