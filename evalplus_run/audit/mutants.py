"""How much the tests of a task see: small changes of its reference that no test tells from it."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from evalplus_run.audit.findings import Finding, Kind
from evalplus_run.audit.running import Runner
from evalplus_run.records import SUITES, Task
from evalplus_run.sandbox.any_worker import AnyWorker
from evalplus_run.testgen.mutants import Mutant, mutants
from evalplus_run.testgen.observer import Observer

_STEPS = 20_000
"""That the reference may take on an input: where it takes more, mutants are not run."""
_ALL = 10_000
"""Above the number of any reference's mutants."""
_FIRST_INPUTS, _GROWTH = 8, 4
"""Most mutants die on the first inputs; those that live go on to ever more of them together."""


@dataclass(frozen=True, slots=True)
class Strength:
    """What the tests of one task see."""

    task_id: str
    mutants: int
    survivors: tuple[Mutant, ...]
    """Some of them may do the same as the reference on every input."""

    @property
    def killed(self) -> int:
        """How many the tests tell from the reference."""
        return self.mutants - len(self.survivors)

    def findings(self) -> list[Finding]:
        """One for each survivor."""
        return [
            Finding(Kind.WEAK, self.task_id, f"line {each.line} of the reference: {each.operator}")
            for each in self.survivors
        ]


def strength(runner: Runner, task: Task, most: int) -> Strength:
    """Of all tests of a task together, by at most so many mutants."""
    every = mutants(task.reference, _ALL, Random(0))  # noqa: S311 - a choice that is the same each time
    lines = _lines_that_count(task)
    made = [each for each in every if each.line in lines][:most]
    left = runner.call(_survivors, task, made, runner.rules.memory) if made else []
    return Strength(task.task_id, len(made), tuple(left))


def _lines_that_count(task: Task) -> set[int]:
    """Those of the entry point and of all that it calls by name: no test can tell a change elsewhere."""
    tree = ast.parse(task.reference)
    definitions = {node.name: node for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    needed, new = set[str](), {task.entry_point} & definitions.keys()
    while new:
        used = {node.id for name in new for node in ast.walk(definitions[name]) if isinstance(node, ast.Name)}
        needed |= new
        new = (used & definitions.keys()) - needed
    nodes = [definitions[name] for name in needed]
    return {line for node in nodes for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)}


def _survivors(worker: AnyWorker, task: Task, made: Sequence[Mutant], memory: int) -> list[Mutant]:
    observer = Observer(worker, task, memory=memory, steps=_STEPS)
    inputs = [arguments for suite in SUITES for arguments in task.inputs(suite)]
    left, begin, count = list(made), 0, _FIRST_INPUTS
    while left and begin < len(inputs):
        seen, blocked = observer.observe(inputs[begin : begin + count], [each.source for each in left])
        dead = blocked.union(*(each.killed for each in seen))
        left = [each for number, each in enumerate(left) if number not in dead]
        begin, count = begin + count, count * _GROWTH
    return left
