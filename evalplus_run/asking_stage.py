"""Answers of a model to questions for inputs: those that are there already, then what is missing, stored as it comes.

The file is named by all that moves the answers, so that nothing is paid for twice: neither after a command was killed,
nor where another asks for more inputs or has more questions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import aclosing
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from evalplus_run.config import Config
from evalplus_run.engines import Engines
from evalplus_run.models.batch_notes import BatchNotes
from evalplus_run.models.batches import Batching
from evalplus_run.models.settings import ApiSettings
from evalplus_run.progress import Progress, Stage
from evalplus_run.records import Completion, Dataset, Request, SampleId, Task
from evalplus_run.runs import RowLog, short_hash
from evalplus_run.sampling.costs import Purse, purse_of
from evalplus_run.sampling.scheduler import sample
from evalplus_run.sampling_stage import refuse_unsent
from evalplus_run.testgen import questions


class AskingStage:
    """Asks one model `testgen.calls` questions about each task."""

    def __init__(self, config: Config, dataset: Dataset, engines: Engines) -> None:
        """Raises UserError where the model cannot be had."""
        self._config = config
        self._engines = engines
        self._model = engines.model(config.model, config.prompt.thinking)
        refuse_unsent(config, self._model)
        sampling = asdict(config.sampling)
        del sampling["n"]
        self.settings: Mapping[str, Any] = {
            "model": dict(self._model.identity()),
            "style": "base" if config.prompt.style == "base" else "chat",
            "system": config.prompt.system,
            "thinking": config.prompt.thinking,
            "sampling": sampling,
            "questions_sha256": questions.IDENTITY,
        }
        """All that moves the answers, but for the benchmark."""
        self.identity = short_hash({"dataset": [dataset.name, dataset.sha256], **self.settings})
        self.file = f"answers-{self.identity}.jsonl"
        """In the folder of the inputs."""
        self.engine: Mapping[str, str] = {}
        """What has answered; empty where nothing was asked."""

    def answers(
        self, tasks: Sequence[Task], folder: Path, beside: Sequence[Path], progress: Progress
    ) -> Mapping[str, tuple[Completion, ...]]:
        """By task; `beside` are other folders that may hold some of them.

        The tasks have their base inputs and contracts. Raises UserError and RunFailed.
        """
        log = RowLog(folder / self.file, Completion)
        known = {key: row for other in beside for key, row in RowLog(other / self.file, Completion).read().items()}
        own = log.read()
        wanted = {(task.task_id, index): task for index in range(self._config.testgen.calls) for task in tasks}
        missing = len(wanted.keys() - known.keys() - own.keys())
        with log:
            if taken := [row for key, row in known.items() if key in wanted and key not in own]:
                log.append(taken)
            rows = known | own
            if missing:
                stage = progress.stage("asked", len(wanted), len(wanted) - missing)
                self._engines.run(self._ask(tasks, folder, log, rows, progress, stage))
        found: dict[str, list[Completion]] = {task.task_id: [] for task in tasks}
        for key, task in wanted.items():
            found[task.task_id].append(rows[key])
        return {task_id: tuple(each) for task_id, each in found.items()}

    async def _ask(
        self,
        tasks: Sequence[Task],
        folder: Path,
        log: RowLog[Completion],
        rows: dict[SampleId, Completion],
        progress: Progress,
        stage: Stage,
    ) -> None:
        """Add what is missing to `rows`, each once it is in the file."""
        model, config = self._model, self._config
        purse = purse_of(config.model, rows.values(), config.prompt.thinking)
        notes = BatchNotes(folder / "batches.json")
        if isinstance(model, Batching):
            model.notes = notes
        try:
            with progress.waiting(f"model: starting {model.identity()['name']}"):
                await self._engines.start(model, config.model, config.prompt.thinking)
            if isinstance(config.model, ApiSettings):
                progress.say(purse.words(self._forecast(purse, tasks, rows)))
            for index in range(config.testgen.calls):
                # One question for each task at a time: a request is known by its task alone.
                prompts = [request.prompt for request in self._requests(tasks, index)]
                sampling = replace(config.sampling, n=index + 1)
                drawn = sample(model, prompts, sampling, rows.keys(), purse, notes.under_way())
                async with aclosing(drawn) as answers:
                    async for answer in answers:
                        row = replace(answer, continues_prompt=not self._is_chat)
                        log.append([row])
                        rows[row.task_id, row.index] = row
                        stage.advance(note="" if purse.paid is None else f"{purse.paid:.4f} paid")
        finally:
            self.engine = dict(model.versions())
            await self._engines.release(model)

    def _requests(self, tasks: Sequence[Task], index: int) -> list[Request]:
        chat, system = self._is_chat, self._config.prompt.system
        return [Request(questions.question(task, index, chat=chat, system=system), (index,)) for task in tasks]

    @property
    def _is_chat(self) -> bool:
        return self._model.chat and self._config.prompt.style != "base"

    def _forecast(self, purse: Purse, tasks: Sequence[Task], rows: Mapping[SampleId, Completion]) -> Any:
        requests = [
            request
            for index in range(self._config.testgen.calls)
            for request in self._requests(tasks, index)
            if (request.prompt.task_id, index) not in rows
        ]
        return purse.forecast(requests, self._config.sampling)
