"""What is done alike for every engine: a sample's seed, where its text stops, its reasoning apart."""

from __future__ import annotations

import hashlib

from evalplus_run.records import Prompt, Sampling

BYTES_PER_TOKEN = 4
"""Of English and code, about: to estimate what a prompt takes before a server has counted."""

THINK_OPEN, THINK_CLOSE = "<think>", "</think>"


def sample_seed(seed: int, task_id: str, index: int) -> int:
    """The seed of one sample: the same for the same run seed, task and index, on any machine.

    31 bits, since some servers read a signed 32-bit number.
    """
    digest = hashlib.sha256(f"{seed}\n{task_id}\n{index}".encode()).digest()
    return int.from_bytes(digest[:4], "big") >> 1


def stop_strings(prompt: Prompt, sampling: Sampling) -> tuple[str, ...]:
    """All stop strings of a request, each once; in the user's, `\\n` and `\\t` are read as newline and tab."""
    own = (stop.replace("\\n", "\n").replace("\\t", "\t") for stop in sampling.stop)
    return tuple(dict.fromkeys(stop for stop in (*prompt.stop, *own) if stop))


def cut(text: str, stops: tuple[str, ...]) -> str:
    """The text up to the earliest stop string: servers take a few of them, or none."""
    ends = [end for end in map(text.find, stops) if end >= 0]
    return text[: min(ends)] if ends else text


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
