"""Answers by a provider's batches: which rows go into one, and what their results come to."""

from __future__ import annotations

import logging
import secrets
from collections.abc import AsyncGenerator, Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, runtime_checkable

from evalplus_run.models.answers import in_groups
from evalplus_run.models.asking import Answer, Asking, Refused
from evalplus_run.models.batch_desk import BatchDesk, Pauses
from evalplus_run.models.batch_notes import BatchNotes, Note
from evalplus_run.models.batch_office import Look, Office, Result
from evalplus_run.models.dialect import Dialect
from evalplus_run.models.flight import AnswerFailed, report
from evalplus_run.models.retry import Transient
from evalplus_run.records import Completion, Prompt, Request, RunFailed, SampleId, Sampling, UserError

logger = logging.getLogger(__name__)

ROUNDS = 3
"""Batches that one answer may be asked for in, by one command."""


@runtime_checkable
class Batching(Protocol):
    """A model that can be asked by batches."""

    notes: BatchNotes | None
    """Where it writes them down; set before it is asked."""


@dataclass(frozen=True, slots=True)
class Questions:
    """How a model's questions are put and its answers read, whichever way they travel."""

    asking: Asking
    size: Callable[[], int]
    """Answers that may be asked for in one question, as far as is known by now."""
    parameters: Callable[[Request, Sampling], Mapping[str, Any]]
    body: Callable[[Prompt, Mapping[str, Any]], Mapping[str, Any]]
    """Of a request, with the parameters as they are sent."""
    read: Callable[[bytes], Sequence[Answer]]
    """Raises Transient for what cannot be read."""
    completion: Callable[[Prompt, int, Answer, Sampling], Completion]


class Batches:
    """Has these requests answered by as few batches as the provider's limits allow."""

    def __init__(
        self,
        office: Office,
        questions: Questions,
        notes: BatchNotes,
        requests: Sequence[Request],
        sampling: Sampling,
        pauses: Pauses | None = None,
    ) -> None:
        self._office, self._questions, self._notes = office, questions, notes
        self._desk = BatchDesk(office, questions.asking, notes, pauses or Pauses())
        self._requests, self._sampling = requests, sampling
        self._prompts = {request.prompt.task_id: request.prompt for request in requests}
        self._asked = frozenset(sample_id for request in requests for sample_id in _samples(request))
        self._left = set(self._asked)
        """Neither answered nor given up."""
        self._out: list[Note] = []
        """The batches that are waited for."""
        self._failures: list[AnswerFailed] = []
        self._why = "the provider gave no result for it"
        """What was last heard of an answer that is asked for again."""

    async def answers(self) -> AsyncGenerator[Completion, None]:
        """As `Model.complete` says. Batches of earlier commands come first; nothing of theirs is asked for again."""
        try:
            await self._pick_up()
            for _ in range(ROUNDS):
                await self._submit()
                while self._out:
                    note, look = await self._desk.ended(self._out)
                    async for completion in self._collected(note, look):
                        yield completion
                if not self._left:
                    break
        finally:
            if self._out:
                names = ", ".join(note.batch_id for note in self._out)
                logger.warning("still at the provider: batch %s; the same command again fetches the answers", names)
        self._failures += [AnswerFailed(self._why) for _ in self._left]
        if self._failures:
            raise RunFailed(report(self._failures))

    async def _pick_up(self) -> None:
        """The batches of earlier commands that hold some of the answers."""
        for note in self._notes.read():
            if note.under_way & self._left and (named := await self._desk.picked_up(note)):
                for name, words in note.refused.items():
                    self._questions.asking.dialect.note(name, words)
                self._out.append(named)

    async def _submit(self) -> None:
        """Batches of all that is left and in none yet."""
        under_way = {sample_id for note in self._out for sample_id in note.under_way}
        for rows in self._portions(self._groups(self._left - under_way)):
            # At once: should the next not be submitted, this one is told of.
            self._out.append(await self._submitted(rows))

    def _groups(self, wanted: Collection[SampleId]) -> Iterator[Request]:
        for request in self._requests:
            indices = tuple(index for task_id, index in _samples(request) if (task_id, index) in wanted)
            yield from in_groups(replace(request, indices=indices), self._questions.size())

    def _portions(self, groups: Iterable[Request]) -> Iterator[list[Request]]:
        """As many as one batch may hold."""
        portion: list[Request] = []
        size = 0
        for group in groups:
            more = len(self._line(group, "0" * 32)) + 1
            if portion and (len(portion) >= self._office.most_rows or size + more > self._office.most_bytes):
                yield portion
                portion, size = [], 0
            portion.append(group)
            size += more
        if portion:
            yield portion

    def _line(self, group: Request, name: str) -> bytes:
        sent = self._questions.asking.translated(self._questions.parameters(group, self._sampling))
        return self._office.line(name, self._questions.body(group.prompt, sent))

    async def _submitted(self, rows: Sequence[Request]) -> Note:
        while True:
            refused = self._questions.asking.dialect.refused
            note = Note(secrets.token_hex(8), tuple((row.prompt.task_id, row.indices) for row in rows), refused)
            lines = [self._line(row, note.name_of(number)) for number, row in enumerate(rows)]
            try:
                return await self._desk.submitted(note, lines)
            except Refused as refusal:
                self._learn(note, rows[0], refusal)

    def _learn(self, note: Note, group: Request, refusal: Refused) -> None:
        """Of a batch's refusal as a whole: raises what it comes to, unless it may be asked for in other words."""
        if self._settled(note, group, refusal) is not None:
            raise self._questions.asking.verdict(refusal)

    async def _collected(self, note: Note, look: Look) -> AsyncGenerator[Completion, None]:
        """What a batch that has ended gave; what it did not give is left."""
        refusals: list[tuple[Request, Refused]] = []
        for group, result in self._matched(note, await self._desk.results(look)):
            if result.refusal:
                refusals.append((group, result.refusal))
            for completion in self._answered(group, self._read(note, group, result)):
                yield completion
        # Once all answers are read: what is refused beside them is no fault of all requests.
        wrong: UserError | AnswerFailed | None = None
        for group, refusal in refusals:
            try:
                answers = self._settled(note, group, refusal) or ()
            except Transient as error:
                self._why = str(error)
            except AnswerFailed as failure:
                self._give_up(group, failure)
            except UserError as error:
                wrong = error
            else:
                for completion in self._answered(group, answers):
                    yield completion
        if look.refusal:
            wrong = self._verdict_on_all(note, look.refusal)
        self._notes.put_away(note, self._asked)
        self._out.remove(note)
        if wrong:
            raise wrong

    def _matched(self, note: Note, results: Iterable[Result]) -> Iterator[tuple[Request, Result]]:
        """Each of its rows that is asked for, once, with its result."""
        seen = set()
        for result in results:
            row = note.row_of(result.name)
            if row and result.name not in seen and row[0] in self._prompts:
                seen.add(result.name)
                yield Request(self._prompts[row[0]], row[1]), result

    def _read(self, note: Note, group: Request, result: Result) -> Sequence[Answer]:
        if result.response is None:
            if result.ending:
                self._why = f"batch {note.batch_id}: {self._questions.asking.clean(result.ending)}"
            if result.cancelled:
                self._give_up(group, AnswerFailed(self._why))
            return ()
        try:
            return self._questions.asking.answers_in(result.response, self._questions.read)
        except Transient as error:
            self._why = str(error)
            return ()

    def _answered(self, group: Request, answers: Iterable[Answer]) -> Iterator[Completion]:
        # There may be fewer of them.
        for (task_id, index), answer in zip(_samples(group), answers, strict=False):
            if (task_id, index) in self._left:
                self._left.discard((task_id, index))
                yield self._questions.completion(group.prompt, index, answer, self._sampling)

    def _settled(self, note: Note, group: Request, refusal: Refused) -> Sequence[Answer] | None:
        """As `Asking.settle`, of what was sent when the batch was submitted."""
        parameters = self._questions.parameters(group, self._sampling)
        sent = Dialect(note.refused).translate(parameters)
        return self._questions.asking.settle(refusal, sent, parameters)

    def _verdict_on_all(self, note: Note, refusal: Refused) -> UserError | AnswerFailed | None:
        """None where it may be asked for again."""
        try:
            self._learn(note, Request(next(iter(self._prompts.values())), note.rows[0][1]), refusal)
        except Transient as error:
            self._why = str(error)
        except (UserError, AnswerFailed) as error:
            return error
        return None

    def _give_up(self, group: Request, failure: AnswerFailed) -> None:
        given_up = self._left & set(_samples(group))
        self._left -= given_up
        self._failures += [failure] * len(given_up)


def _samples(group: Request) -> list[SampleId]:
    return [(group.prompt.task_id, index) for index in group.indices]
