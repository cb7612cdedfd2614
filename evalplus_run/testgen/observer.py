"""What a reference and its mutants do on inputs, told by one child of the sandbox that runs them all."""

from __future__ import annotations

import ast
import functools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from evalplus_run.judge import Malformed, decode, holds_opaque
from evalplus_run.records import Arguments, RunFailed, Task
from evalplus_run.sandbox import Ending, Job, SuiteLimits
from evalplus_run.sandbox.any_worker import AnyWorker
from evalplus_run.sandbox.guest import protocol
from evalplus_run.testgen.branches import instrumented
from evalplus_run.testgen.signatures import entry_function

_OBSERVE = "observe"
_LARGEST_VALUE = 256 << 10
"""Bytes of an encoded value."""
_SECONDS = 1.0
"""CPU time of one input: far more than the steps take, for what blocks within one step."""
_STALL_STEPS = 300_000
"""That a stall counts for: what a program does in that time, nearly."""
_LOAD_SECONDS = 60.0
_LONG = 3600.0


@dataclass(frozen=True, slots=True)
class Observation:
    """What one input did."""

    ending: str
    """`returned`, or why it is none: `contract`, `exhausted`, `unsteady`, `stalled`, `too large`, `opaque`, or an
    exception's name."""
    value: Any = None
    outcomes: tuple[int, ...] = ()
    """Of the reference's branches, those that ran."""
    steps: int = 0
    """The reference's."""
    cost: int = 0
    """Steps of all programs."""
    killed: frozenset[int] = frozenset()
    """Of the mutants, those that do something else."""

    @property
    def is_input(self) -> bool:
        """Whether it can be a test's."""
        return self.ending == "returned"


class Observer:
    """Runs one task's reference, and mutants of it, in a worker of the sandbox."""

    def __init__(self, worker: AnyWorker, task: Task, *, memory: int, steps: int) -> None:
        """`memory` in bytes; `steps` that the reference may take on one input."""
        self._worker = worker
        self._task = task
        self._memory = memory
        self._steps = steps
        tree = ast.parse(task.reference)
        self._reference, self.outcomes = instrumented(tree, covering=True)
        self._contract = contract_program(task, tree)
        self._runs = 0

    def observe(self, inputs: Sequence[Arguments], mutants: Sequence[str]) -> tuple[list[Observation], set[int]]:
        """One for each input, and those of the mutants (programs) that blocked: they should not be run again.

        A mutant that blocked is killed by the input on which it did, and is not run on those after it.

        The reference goes first, alone: an input on which it stalls costs one child and no more.
        """
        seen: list[Observation] = []
        while len(seen) < len(inputs):
            seen += self._run(inputs[len(seen) :], [])
            if len(seen) < len(inputs):
                seen.append(Observation("stalled", cost=_STALL_STEPS))
        places = [place for place, each in enumerate(seen) if each.is_input]
        blocked: dict[int, int] = {}
        """By mutant, the input."""
        while places and mutants:
            left = [number for number in range(len(mutants)) if number not in blocked]
            done = self._run([inputs[place] for place in places], [mutants[number] for number in left])
            for place, each in zip(places, done, strict=False):
                seen[place] = replace(each, killed=frozenset(left[number] for number in each.killed))
            places = places[len(done) :]
            if places:
                blocked[self._blocking(inputs[places[0]], mutants, left)] = places[0]
        for number, place in blocked.items():
            seen[place] = replace(seen[place], killed=seen[place].killed | {number})
        return seen, set(blocked)

    def _blocking(self, arguments: Arguments, mutants: Sequence[str], suspects: list[int]) -> int:
        """A mutant that ends the child on an input."""
        while len(suspects) > 1:
            half = suspects[: len(suspects) // 2]
            is_there = not self._run([arguments], [mutants[number] for number in half])
            suspects = half if is_there else suspects[len(half) :]
        return suspects[0]

    def _run(self, inputs: Sequence[Arguments], mutants: Sequence[str]) -> list[Observation]:
        """Of the inputs up to the first on which the child ended."""
        found: list[Observation] = []
        failure = ""

        def on_frame(_: int, test: int, kind: int, payload: bytes) -> bool:
            nonlocal failure
            if test >= 0:
                found.append(_observation(kind, payload))
            elif kind != protocol.STARTED:
                failure = " ".join(map(str, protocol.parse_error(payload)[:2]))
            return True

        self._runs += 1
        key = f"observe/{self._task.task_id}/{id(self)}/{self._runs}"
        self._worker.load(key, [inputs])
        job = Job(
            program=self._program(mutants),
            entry_point=_OBSERVE,
            key=key,
            limits={0: SuiteLimits([_SECONDS * (1 + len(mutants) / 4)] * len(inputs), _LONG)},
            load_limit=_LOAD_SECONDS,
            memory=self._memory,
            max_bytes=_LARGEST_VALUE,
            digest_over=2 * _LARGEST_VALUE,
        )
        execution = self._worker.run(job, on_frame)
        if failure or (execution.ending is not Ending.FINISHED and execution.test is None):
            raise RunFailed(
                f"The reference of {self._task.task_id} cannot be loaded in the sandbox "
                f"({failure or execution.detail or execution.ending}): no inputs can be made for it."
            )
        return found

    def _program(self, mutants: Sequence[str]) -> str:
        sources = [self._reference, *(instrumented(ast.parse(each), covering=False)[0] for each in mutants)]
        names = f"{sources!r}, {self._task.entry_point!r}, {self._contract!r}, {self._steps}"
        return f"{guest()}\n{_OBSERVE} = observer({names})\n"


def contract_program(task: Task, tree: ast.Module) -> str:
    """A function `__contract__` that raises where the task's contract does; empty where it has none."""
    function = entry_function(tree, task.entry_point)
    if not task.contract.strip() or function is None:
        return ""
    checker = ast.parse(f"def __contract__():\n{task.contract}\n").body[0]
    assert isinstance(checker, ast.FunctionDef)  # noqa: S101 - it was parsed when the task was read
    checker.args = function.args
    for each in (*checker.args.posonlyargs, *checker.args.args, *checker.args.kwonlyargs):
        each.annotation = None
    return ast.unparse(ast.fix_missing_locations(checker))


@functools.cache
def guest() -> str:
    """What is put in front of the programs that run in the sandbox."""
    return Path(__file__).with_name("guest.py").read_text("utf-8")


def _observation(kind: int, payload: bytes) -> Observation:
    if kind == protocol.TOO_LARGE:
        return Observation("too large")
    if kind != protocol.VALUE:
        return Observation(protocol.parse_error(payload)[0] or "stalled")
    try:
        ending, value, outcomes, steps, cost, killed = decode(payload)
    except Malformed:
        return Observation("opaque")
    if holds_opaque(value):
        return Observation("opaque", cost=cost)
    return Observation(ending, value, outcomes, steps, cost, frozenset(killed))
