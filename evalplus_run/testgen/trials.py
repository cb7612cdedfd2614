"""What programs that nobody vouches for do on inputs: each in children of its own, so that it speaks for itself alone.

Neither the reference nor another program is there. Steps are counted in place of time; a program that a limit stops
has said nothing of what it would have returned.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from evalplus_run.parsing import syntax_tree
from evalplus_run.records import Arguments
from evalplus_run.sandbox import Ending, Job, SuiteLimits
from evalplus_run.sandbox.any_worker import AnyWorker
from evalplus_run.sandbox.guest import protocol
from evalplus_run.testgen.branches import instrumented
from evalplus_run.testgen.observer import guest

Sent = tuple[int, bytes]
"""What a program did with one input: the kind of a frame, and its payload; of an exception the name alone."""
ENDED: Sent = (-1, b"")
"""Its child ended: an exit, a crash, more memory or output than it may have."""
SLOW: Sent = (protocol.RAISED, b"_Exhausted")
"""It took too many steps, or too long in one of them."""

_ENTRY = "tried"
_TIMES_SLOWER = 5
"""It is not wrong to take so many times the steps that a reference may take."""
_LARGEST_VALUE = 64 << 10
"""Bytes of an encoded value; no reference returns as much on an input that is a test."""
_TIMES_AS_LONG, _LONGER = 4, 4096
"""A value of so many times the bytes of the reference's, and so many more, is kept by its hash alone."""
_SECONDS = 1.0
"""CPU time of one input: far more than the steps take, for what blocks within one step."""
_ALL_SECONDS = 30.0
"""Of all inputs in one child."""
_LOAD_SECONDS = 10.0


class Trials:
    """Runs programs, one after the other, on the same inputs."""

    def __init__(self, worker: AnyWorker, entry_point: str, key: str, *, memory: int, steps: int) -> None:
        """`key` names the task in the worker; `memory` in bytes; `steps` that a reference may take on one input."""
        self._worker = worker
        self._entry_point = entry_point
        self._key = f"{key}/{id(self)}"
        self._memory = memory
        self._steps = _TIMES_SLOWER * steps
        self._inputs: Sequence[Arguments] = ()
        self._batches = 0

    def begin(self, inputs: Sequence[Arguments]) -> None:
        """The programs that follow are run on these inputs."""
        self._inputs = inputs
        self._batches += 1

    def run(self, text: str, *, failures: int, steps: int) -> tuple[list[Sent], bool]:
        """What a program did with the inputs, up to so many failures; whether it could be loaded.

        `text` is what `prepared` gives; `steps` are what it may take in one child in all.
        """
        program = f"{guest()}\n{_ENTRY} = bounded({text!r}, {self._entry_point!r}, {self._steps}, {steps})\n"
        sent: list[Sent] = []
        while len(sent) < len(self._inputs) and failures_in(sent) < failures:
            ending = self._go_on(program, sent, failures)
            if ending is None:
                return sent, False
            if len(sent) < len(self._inputs) and failures_in(sent) < failures:
                sent.append(SLOW if ending in (Ending.TIMEOUT, Ending.SHORT) else ENDED)
        return sent, True

    def _go_on(self, program: str, sent: list[Sent], failures: int) -> Ending | None:
        """Add what one child does, until it ends or has failed so often; how it ended, None before it was loaded."""
        loaded = False

        def on_frame(_: int, test: int, kind: int, payload: bytes) -> bool:
            nonlocal loaded
            if test < 0:
                loaded = kind == protocol.STARTED
                return loaded
            # The text of an exception may hold an address.
            sent.append((kind, protocol.parse_error(payload)[0].encode() if kind == protocol.RAISED else payload))
            return sent[-1] != SLOW or failures_in(sent) < failures

        inputs = self._inputs[len(sent) :]
        key = f"{self._key}/{self._batches}/{len(sent)}"
        self._worker.load(key, [inputs])
        job = Job(
            program=program,
            entry_point=_ENTRY,
            key=key,
            limits={0: SuiteLimits([_SECONDS] * len(inputs), _ALL_SECONDS)},
            load_limit=_LOAD_SECONDS,
            memory=self._memory,
            max_bytes=_LARGEST_VALUE,
            digest_over=2 * _LARGEST_VALUE,
        )
        execution = self._worker.run(job, on_frame)
        return execution.ending if loaded else None


def prepared(source: str) -> str:
    """The program with its steps counted; empty where that cannot be done."""
    try:
        return instrumented(syntax_tree(source), covering=False)[0]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""


def failures_in(sent: Sequence[Sent]) -> int:
    """On how many inputs a program ended its child or was too slow."""
    return sum(each in (ENDED, SLOW) for each in sent)


def in_short(sent: Sent, expected: Sent) -> Sent:
    """The same, in little memory: a value that is far longer than the reference's is another than that."""
    if len(sent[1]) <= _TIMES_AS_LONG * len(expected[1]) + _LONGER:
        return sent
    return protocol.DIGEST, hashlib.sha256(sent[1]).digest()
