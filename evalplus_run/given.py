"""Samples that exist already: whole programs from elsewhere, to be judged."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from evalplus_run.config import Config
from evalplus_run.evaluate.shard import Shard
from evalplus_run.files import read_whole, reason, user_path
from evalplus_run.interchange.form import Given, names_of
from evalplus_run.interchange.registry import read_samples
from evalplus_run.records import Completion, Dataset, Program, Task, UserError
from evalplus_run.sanitize import SanitizerSettings, sanitize
from evalplus_run.sanitize.files import by_number

_ENDINGS = (".gz", ".jsonl", ".json", ".eval")
_FOLDER = "a folder of programs"


@dataclass(frozen=True, slots=True)
class GivenSamples:
    """What a file or folder of samples holds for the tasks of this run."""

    form: str
    """What it was read as."""
    texts: tuple[Completion, ...]
    """As they were given."""
    sanitizer: SanitizerSettings
    """How they were cleaned: what the user chose, or what fits the form."""
    programs: tuple[Program, ...]
    """What became of them, one by one."""
    sha256: str
    """Of the content."""
    warnings: tuple[str, ...]

    def part(self, shard: Shard, dataset: Dataset) -> GivenSamples:
        """Those of one part of the run. Raises UserError where that has none."""
        place = {task.task_id: number for number, task in enumerate(dataset.tasks)}
        pairs = zip(self.texts, self.programs, strict=True)
        ours = [(text, program) for text, program in pairs if shard.has(place[text.task_id], text.index)]
        if not ours:
            raise UserError(f"evaluate.shard={shard} has no sample: there are only {len(self.texts)}.")
        texts, programs = zip(*ours, strict=True)
        return replace(self, texts=texts, programs=programs)


def read(config: Config, dataset: Dataset) -> GivenSamples:
    """The samples that `config.samples` names; UserError where there are none, or a line is none."""
    path = user_path(config.samples)
    if not path.is_file() and not path.is_dir():
        raise UserError(f"samples={config.samples} does not exist: name a file of samples, or a folder TASK_ID/N.py.")
    tasks = {task.task_id: task for task in dataset.tasks}
    source = _source(path, dataset)
    names = names_of(tasks)
    content = hashlib.sha256()
    texts: list[Completion] = []
    seen: Counter[str] = Counter()
    left_out = 0
    for sample in source.samples:
        content.update(f"{sample.task_id}\0{sample.continues_prompt}\0{sample.text}\0".encode("utf-8", "surrogatepass"))
        task_id = names.get(sample.task_id)
        if task_id is None:
            left_out += 1
            continue
        texts.append(sample.as_answer(task_id, seen[task_id]))
        seen[task_id] += 1
    if not texts:
        raise UserError(
            f"{config.samples} has no sample of a task of {dataset.name}"
            f"{f' ({left_out} of other tasks)' if left_out else ''}: is it the right dataset?"
        )
    settings = _settings(config.sanitizer, raw=source.raw)
    return GivenSamples(
        form=source.form,
        texts=tuple(texts),
        sanitizer=settings,
        programs=tuple(clean(text, tasks[text.task_id], settings) for text in texts),
        sha256=content.hexdigest(),
        warnings=(f"{left_out} samples are of tasks that this run does not look at, and were left out",)
        if left_out
        else (),
    )


def _settings(chosen: SanitizerSettings, *, raw: bool) -> SanitizerSettings:
    """`auto` becomes a real one: what a model wrote is cleaned, programs are judged as they are."""
    return replace(chosen, name="default" if raw else "none") if chosen.name == "auto" else chosen


def clean(text: Completion, task: Task, settings: SanitizerSettings) -> Program:
    """The program of a sample that was given."""
    return sanitize(text, task, settings, prompt_in_front=text.continues_prompt)


def name_of(path: str) -> str:
    """What a run on these samples is called: after their file or folder."""
    name = user_path(path).resolve().name
    for ending in _ENDINGS:
        name = name.removesuffix(ending)
    return name or path


@dataclass(frozen=True, slots=True)
class _Source:
    """Samples that are still to be read."""

    form: str
    raw: bool
    samples: Iterator[Given]


def _source(path: Path, dataset: Dataset) -> _Source:
    """A file of any form that is known, EvalPlus's folder TASK_ID/N.py, or a run's folder of ours."""
    order: Sequence[str] = [task.task_id for task in dataset.tasks]
    if path.is_dir() and not (path / "samples.jsonl").exists():
        return _Source(_FOLDER, raw=False, samples=_programs_below(path, order))
    form, samples = read_samples(path / "samples.jsonl" if path.is_dir() else path, order)
    return _Source(form.name, form.raw, samples)


def _programs_below(path: Path, task_ids: Sequence[str]) -> Iterator[Given]:
    names = {task_id.replace("/", "_"): task_id for task_id in task_ids}
    for file in sorted(path.rglob("*.py"), key=by_number):
        name = file.parent.name
        try:
            text = read_whole(file).decode(errors="surrogateescape")
        except OSError as error:
            raise UserError(f"{file} cannot be read ({reason(error)}): mend or remove it.") from error
        yield Given(names.get(name, name), text)
