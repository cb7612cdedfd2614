"""Where the guides of made inputs come from: a model that is asked for inputs, samples whose programs run beside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from evalplus_run import given_programs, json_text
from evalplus_run.asking_stage import AskingStage
from evalplus_run.config import Config
from evalplus_run.engines import Engines
from evalplus_run.evaluate.judging import Rules
from evalplus_run.evaluate.references import prepare
from evalplus_run.files import write_whole
from evalplus_run.progress import Progress
from evalplus_run.records import Completion, Dataset, Task
from evalplus_run.sandbox.starting import start_worker
from evalplus_run.testgen.guides import Guides
from evalplus_run.testgen.specifications import specified

_NOTES = "guides.json"


class Guidance:
    """The guides that a configuration names; it may name none."""

    def __init__(self, config: Config, dataset: Dataset, engines: Engines) -> None:
        """Reads the samples, and loads no model yet. Raises UserError."""
        self._asking = AskingStage(config, dataset, engines) if config.model is not None else None
        self._programs = given_programs.read(config, dataset) if config.samples else None

    @property
    def identity(self) -> tuple[str, ...]:
        """What tells it from others; empty where there are no guides."""
        asked = (self._asking.identity,) if self._asking else ()
        return (*asked, *(self._programs.identity if self._programs else ()))

    def of(
        self, tasks: Sequence[Task], folder: Path, beside: Sequence[Path], rules: Rules, progress: Progress
    ) -> Mapping[str, Guides]:
        """By task. Asks the model what is in neither the folder nor those beside it. Raises UserError and RunFailed."""
        programs = self._programs.by_task if self._programs else {}
        answers: Mapping[str, tuple[Completion, ...]] = {}
        if self._asking and tasks:
            try:
                answers = self._asking.answers(_as_shown(tasks, rules), folder, beside, progress)
            finally:
                self._note(folder)
        elif self._programs:
            self._note(folder)
        return {task.task_id: Guides(answers.get(task.task_id, ()), programs.get(task.task_id, ())) for task in tasks}

    def _note(self, folder: Path) -> None:
        """Write down what the guides were; what has answered stays there where nothing is asked any more."""
        file = folder / _NOTES
        if file.exists() and not (self._asking and self._asking.engine):
            return
        noted: dict[str, Any] = {}
        if self._asking:
            noted |= {**self._asking.settings, "answers": self._asking.file, "engine": self._asking.engine}
        if self._programs:
            noted["samples"] = [
                {"path": path, "form": each.form, "sha256": each.sha256, "sanitizer": each.sanitizer.name}
                for path, each in self._programs.sources.items()
            ]
        write_whole(file, json_text.encode(noted, indent=2))


def _as_shown(tasks: Sequence[Task], rules: Rules) -> list[Task]:
    """With base inputs, which a task that came with a check has in its recording alone, and contracts."""
    if not any(task.check for task in tasks):
        return list(map(specified, tasks))
    with start_worker(rules.tier, rules.wrapper, rules.image, memory=rules.memory) as worker:
        ready = [prepare(worker, replace(task, plus_inputs=()), rules).task if task.check else task for task in tasks]
    return list(map(specified, ready))
