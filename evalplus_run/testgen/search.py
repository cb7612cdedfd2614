"""The search for a task's inputs: mutate what was found so far, keep what shows something new, prefer it as a parent.

Rounds of candidates go to the sandbox together. What an input shows is told by the outcomes of the reference's branches
and by the mutants that it kills; where there are programs under test, by those that it tells apart too.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from evalplus_run.records import Arguments, Task
from evalplus_run.sandbox.any_worker import AnyWorker
from evalplus_run.testgen import guides
from evalplus_run.testgen.form import Form
from evalplus_run.testgen.guides import Guides
from evalplus_run.testgen.ingredients import examples, gather, numbers, without_duplicates
from evalplus_run.testgen.mutants import mutants
from evalplus_run.testgen.mutation import Mutator
from evalplus_run.testgen.observer import Observation, Observer
from evalplus_run.testgen.programs import Panel, Told
from evalplus_run.testgen.questions import answered
from evalplus_run.testgen.relations import relations, repaired
from evalplus_run.testgen.settings import TestgenSettings
from evalplus_run.testgen.signatures import argument_kinds
from evalplus_run.testgen.values import is_finite, key, size

_ROUND = 400
"""Candidates that are run together."""
_DRY = 3
"""Rounds without a new input after which the space counts as used up."""
_ENOUGH_KILLS = 3
"""Inputs that kill a mutant; then it is not run any more."""
_CANDIDATES = 12
"""Most candidates for each input that is wanted."""
_STEPS = 6_000_000
"""That the reference and its mutants take together: some seconds, whatever the machine."""
_MORE_STEPS = 4
"""Times those that the benchmark's own inputs take."""
_CLOSED_FORM = 3
"""Steps of a reference that has no loop."""
_STUBBORN = 1500
"""Inputs after which a mutant that none of them kills is not run any more: it is likely to be no other program."""
_FRESH_SHARE = 0.05
"""Of the candidates, those that have no parent."""
_NOTABLE_SHARE = 0.6
"""How often a parent is one that showed something new."""


@dataclass(frozen=True, slots=True)
class Found:
    """An input with what it did."""

    arguments: Arguments
    operators: tuple[str, ...]
    """That made it, or the answer that it stood in; empty for the benchmark's own."""
    observation: Observation
    news: tuple[str, ...] = ()
    """What it was the first to show."""


@dataclass
class Summary:
    """Of the search for one task."""

    candidates: int = 0
    rejected: Counter[str] = field(default_factory=Counter)
    mutants: int = 0
    killed: int = 0
    outcomes: int = 0
    outcomes_seen: int = 0
    used_up: bool = False
    programs: Told | None = None


def search(
    worker: AnyWorker,
    task: Task,
    settings: TestgenSettings,
    form: Form,
    *,
    memory: int,
    beside: Guides = guides.NONE,
) -> tuple[list[Found], Summary]:
    """New inputs in the order in which they were found, the benchmark's own not among them; `memory` in bytes."""
    return _Search(worker, task, settings, form, memory, beside).run()


class _Search:
    def __init__(
        self, worker: AnyWorker, task: Task, settings: TestgenSettings, form: Form, memory: int, beside: Guides
    ) -> None:
        self._task_id = task.task_id
        self._form = form
        self._settings = settings
        self._rng = Random(f"{settings.seed}/{task.task_id}")  # noqa: S311 - repeatable is what it must be
        seeds = without_duplicates(task.base_inputs)
        kinds = argument_kinds(task, seeds)
        pantry = gather(task, kinds, seeds)
        self._mutator = Mutator(kinds, pantry, self._rng)
        self._observer = Observer(worker, task, memory=memory, steps=settings.steps)
        self._relations = relations(seeds, has_contract=bool(task.contract.strip()))
        self._most = pantry.most
        self._largest = pantry.largest
        self._mutants = [each.source for each in mutants(task.reference, settings.mutants, self._rng)]
        self._live = list(range(len(self._mutants)))
        self._kills: Counter[int] = Counter()
        self._outcomes: set[int] = set()
        self._known: set[str] = set()
        self._steps = 0
        self._seed_steps = 0
        """The most that the reference takes on one of the benchmark's own inputs."""
        self._summary = Summary(mutants=len(self._mutants), outcomes=self._observer.outcomes)
        self._parents: list[Found] = []
        self._notable: list[Found] = []
        self._seeds = [*seeds, *without_duplicates(examples(task, kinds))]
        self._own = len(seeds)
        self._answered, unread = answered(beside.answers, task, kinds)
        self._summary.rejected += unread
        self._summary.candidates += unread.total()
        self._panel = Panel(
            *(worker, task, beside.programs, seeds),
            most=settings.programs,
            rng=Random(f"{settings.seed}/{task.task_id}/programs"),  # noqa: S311
            memory=memory,
            steps=settings.steps,
        )

    def run(self) -> tuple[list[Found], Summary]:
        wanted, dry = self._settings.n * 2, 0
        found = self._take([(seed, ()) for seed in self._seeds])
        found = [each for each in found if each.operators or not self._is_own(each.arguments)]
        found += self._take(self._answered)
        while len(found) < wanted and dry < _DRY and not self._is_spent(wanted):
            new = self._take(self._candidates())
            found += new
            dry = 0 if new else dry + 1
        self._summary.used_up = dry == _DRY
        self._summary.killed = len(self._kills)
        self._summary.outcomes_seen = len(self._outcomes)
        self._summary.programs = self._panel.told
        return found, self._summary

    def _is_spent(self, wanted: int) -> bool:
        most = max(wanted * _CANDIDATES, (_DRY + 2) * _ROUND)
        return self._summary.candidates >= most or self._steps >= _STEPS

    def _is_own(self, arguments: Arguments) -> bool:
        return any(key(arguments) == key(seed) for seed in self._seeds[: self._own])

    def _candidates(self) -> list[tuple[Arguments, tuple[str, ...]]]:
        made: list[tuple[Arguments, tuple[str, ...]]] = []
        for _ in range(_ROUND):
            if not self._parents or self._rng.random() < _FRESH_SHARE:
                arity = len(self._rng.choice(self._seeds)) if self._seeds else 0
                made.append((self._mutator.fresh_input(arity), ("fresh",)))
                continue
            pool = self._notable if self._notable and self._rng.random() < _NOTABLE_SHARE else self._parents
            parent = self._rng.choice(pool)
            others = [self._rng.choice(self._parents).arguments]
            made.append(self._mutator.mutated(parent.arguments, others))
        return made

    def _take(self, candidates: Sequence[tuple[Arguments, tuple[str, ...]]]) -> list[Found]:
        """Those of the candidates that are new inputs."""
        fresh: dict[str, tuple[Arguments, tuple[str, ...]]] = {}
        for made, operators in candidates:
            arguments = repaired(made, self._relations) if operators else made
            self._summary.candidates += 1
            name = key(arguments)
            reason = self._why_not(arguments, name in self._known or name in fresh)
            if reason:
                self._reject(reason, operators)
            else:
                fresh[name] = (arguments, operators)
        self._known |= set(fresh)
        inputs = [arguments for arguments, _ in fresh.values()]
        live = list(self._live)
        seen, blocked = self._observer.observe(inputs, [self._mutants[number] for number in live])
        taken = []
        for (arguments, operators), observation in zip(fresh.values(), seen, strict=True):
            if not observation.is_input:
                self._reject(observation.ending, operators)
                continue
            if operators and self._asks_for_speed(arguments, observation.steps):
                self._reject("asks for speed", operators)
                continue
            if not operators:
                self._seed_steps = max(self._seed_steps, observation.steps)
            self._mutator.credits.note(operators, taken=True)
            taken.append((arguments, operators, observation))
        told = self._panel.news([arguments for arguments, _, _ in taken])
        found = [self._noted(*each, live, apart) for each, apart in zip(taken, told, strict=True)]
        self._steps += sum(each.cost for each in seen)
        self._kills.update({live[number]: _ENOUGH_KILLS for number in blocked})
        if any(each.ending == "stalled" for each in seen):
            self._mutator.lower_bound()
        self._live = [number for number in live if self._kills[number] < _ENOUGH_KILLS and self._is_worth(number)]
        self._parents += found
        self._notable += [each for each in found if each.news]
        return found

    def _noted(
        self,
        arguments: Arguments,
        operators: tuple[str, ...],
        observation: Observation,
        live: Sequence[int],
        told_apart: tuple[str, ...],
    ) -> Found:
        killed = [live[number] for number in sorted(observation.killed)]
        new_kills = [number for number in killed if not self._kills[number]]
        new_outcomes = [each for each in observation.outcomes if each not in self._outcomes]
        self._kills.update(killed)
        self._outcomes.update(new_outcomes)
        news = [*(f"branch {each}" for each in new_outcomes), *(f"mutant {each}" for each in new_kills), *told_apart]
        return Found(arguments, operators, observation, tuple(news))

    def _asks_for_speed(self, arguments: Arguments, steps: int) -> bool:
        """Whether a right program of a slower kind than the reference might not end in time.

        The reference may take some times the steps of the benchmark's own inputs, or what is little for a number or a
        container of this size. Where it takes hardly any, it may stand for a loop over all numbers up to a large one.
        """
        largest = max((abs(n) for n in numbers(arguments)), default=0)
        if steps <= _CLOSED_FORM and largest > self._largest:
            return True
        return steps > max(_MORE_STEPS * self._seed_steps, 200 + 4 * math.sqrt(largest) + 30 * size(arguments))

    def _is_worth(self, number: int) -> bool:
        return bool(self._kills[number]) or len(self._parents) < _STUBBORN

    def _why_not(self, arguments: Arguments, known: bool) -> str:
        if known:
            return "known"
        if any(size(each) > self._most for each in arguments):
            return "too long"
        if not all(relation.holds(arguments) for relation in self._relations):
            return "unlike all inputs"
        return "" if self._form.holds(self._task_id, arguments) and is_finite(arguments) else "not to be written"

    def _reject(self, reason: str, operators: tuple[str, ...]) -> None:
        self._summary.rejected[reason] += 1
        self._mutator.credits.note(operators, taken=False)
