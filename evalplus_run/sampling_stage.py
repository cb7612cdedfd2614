"""Answers of a model as programs: those of earlier runs first, then what is missing, stored as it comes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import TypeVar

from evalplus_run.config import Config
from evalplus_run.evaluate.shard import Shard
from evalplus_run.models.base import Model
from evalplus_run.models.batch_notes import BatchNotes
from evalplus_run.models.batches import Batching
from evalplus_run.progress import Stage
from evalplus_run.records import Completion, Dataset, Program, Prompt, Rendered, SampleId, Task, UserError
from evalplus_run.runs import RowLog, RunFolder
from evalplus_run.sampling.costs import Forecast, Purse, purse_of
from evalplus_run.sampling.prompts import build_prompt
from evalplus_run.sampling.scheduler import missing, sample
from evalplus_run.sanitize import SanitizerSettings, sanitize

Item = TypeVar("Item")

_WHOLE = Shard()
_TAB = "    "


class SamplingStage:
    """Draws the samples of one run from one model into its folder."""

    def __init__(
        self,
        config: Config,
        dataset: Dataset,
        model: Model,
        folder: RunFolder,
        beside: Sequence[RunFolder] = (),
        shard: Shard = _WHOLE,
    ) -> None:
        """`beside`: folders with answers of the same settings, which were cleaned or judged in another way.

        Only the samples of the `shard` are drawn.
        """
        self.completions: dict[SampleId, Completion] = {}
        """All answers of this run, old and new."""
        self.programs: list[Program] = []
        """What became of them, in the order in which they came."""
        self.drawn: list[Completion] = []
        """The new ones."""
        self.seconds = 0.0
        """From the first request to the last answer, by the wall clock."""
        self.purse = Purse()
        """What all answers in the folder cost; complete after `read`."""
        self.new_tokens = 0
        """Of the new answers, where the engine tells."""
        self._config = config
        self._tasks = {task.task_id: task for task in dataset.tasks}
        self._dataset = dataset
        self._others = frozenset(shard.others([*self._tasks], config.sampling.n))
        """The samples that other processes draw."""
        self._model = model
        self._batches = BatchNotes(folder.batches)
        if isinstance(model, Batching):
            model.notes = self._batches
        self._answers = RowLog(folder.completions, Completion)
        self._beside = [RowLog(other.completions, Completion) for other in beside]
        self._taken: list[Completion] = []
        """Of the answers, those that lie beside only."""
        self._samples = RowLog(folder.samples, Program)
        self._prompts: list[Prompt] = []
        self._chat = True

    def read(self) -> int:
        """Take what earlier runs left; the number of samples that are missing."""
        n = self._config.sampling.n
        wanted = {(task_id, index) for task_id in self._tasks for index in range(n)} - self._others
        own = self._answers.read()
        beside = {key: row for log in self._beside for key, row in log.read().items() if key in wanted}
        rows = {**beside, **own}
        self._taken = [row for key, row in beside.items() if key not in own]
        self.completions = {key: row for key, row in rows.items() if key in wanted}
        if absent := len(wanted) - len(self.completions):
            self.purse = purse_of(self._config.model, rows.values(), self._config.prompt.thinking)
        return absent

    async def start(self) -> tuple[Prompt, Rendered]:
        """With the model loaded: the first prompt and how the engine gets it."""
        self._chat = self._model.chat and self._config.prompt.style != "base"
        settings, prefills = self._config.prompt, self._model.prefills
        self._prompts = [
            build_prompt(task, self._dataset.stop, settings, chat=self._model.chat, prefills=prefills)
            for task in self._dataset.tasks
        ]
        return self._prompts[0], await self._model.render(self._prompts[0])

    def forecast(self) -> Forecast:
        """What the missing answers take; after `start`."""
        requests = missing(self._prompts, self._config.sampling.n, self._others | self.completions.keys())
        return self.purse.forecast(requests, self._config.sampling)

    async def run(self, stage: Stage) -> AsyncGenerator[Program, None]:
        """Every program; a new one is yielded once its answer is in the file. Sampling never waits for who reads."""
        with self._answers, self._samples:
            async with aclosing(_ahead(self._old_and_new(stage))) as programs:
                async for program in programs:
                    yield program

    async def _old_and_new(self, stage: Stage) -> AsyncGenerator[Program, None]:
        if self._taken:
            self._answers.append(self._taken)
        old = []
        for completion in self.completions.values():
            old.append(self._clean(completion))
            await asyncio.sleep(0)  # thousands of answers take a while, and may be interrupted
        self._samples.start_anew(old)
        for program in old:
            yield program
        async with aclosing(self._draw(stage)) as new:
            async for program in new:
                yield program

    async def _draw(self, stage: Stage) -> AsyncGenerator[Program, None]:
        done = self._others | self.completions.keys()
        begun = time.monotonic()
        first = self._batches.under_way()
        drawn = sample(self._model, self._prompts, self._config.sampling, done, self.purse, first)
        async with aclosing(drawn) as completions:
            async for completion in completions:
                row = replace(completion, continues_prompt=not self._chat)
                self._answers.append([row])
                self.completions[row.task_id, row.index] = row
                self.drawn.append(row)
                self.seconds = time.monotonic() - begun
                self.new_tokens += row.completion_tokens or 0
                program = self._clean(row)
                self._samples.append([program])
                stage.advance(note=self._note())
                yield program

    def _note(self) -> str:
        speed = [f"{self.new_tokens / self.seconds:,.0f} tokens/s"] if self.new_tokens and self.seconds > 0 else []
        cost = [] if self.purse.paid is None else [f"{self.purse.paid:.4f} paid"]
        return ", ".join(speed + cost)

    def _clean(self, completion: Completion) -> Program:
        program = clean(completion, self._tasks[completion.task_id], self._config.sanitizer)
        self.programs.append(program)
        return program


def clean(answer: Completion, task: Task, settings: SanitizerSettings) -> Program:
    """The program of a model's answer."""
    if settings.name == "evalplus":
        # EvalPlus turns tabs into spaces before anything else sees the answer.
        answer = replace(answer, text=answer.text.replace("\t", _TAB))
    return sanitize(answer, task, settings, prompt_in_front=answer.continues_prompt)


def refuse_unsent(config: Config, model: Model) -> None:
    """UserError for settings that would never reach the model."""
    if not model.local and (config.sampling.top_k or config.sampling.min_p):
        raise UserError(
            f"sampling.top_k and sampling.min_p are not passed on by model.kind={config.model.kind}: leave them at 0,"
            " or take an engine on this machine."
        )


async def _ahead(items: AsyncGenerator[Item, None]) -> AsyncGenerator[Item, None]:
    """The same items, drawn without waiting for the one who reads them."""
    ready: asyncio.Queue[Item | Exception | None] = asyncio.Queue()

    async def draw() -> None:
        try:
            async with aclosing(items):
                async for item in items:
                    ready.put_nowait(item)
        except Exception as error:
            ready.put_nowait(error)
        finally:
            ready.put_nowait(None)

    drawing = asyncio.create_task(draw())
    try:
        while (item := await ready.get()) is not None:
            if isinstance(item, Exception):
                raise item
            yield item
    finally:
        drawing.cancel()
        await asyncio.gather(drawing, return_exceptions=True)
