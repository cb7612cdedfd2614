"""Samples that exist already: whole programs from elsewhere, to be judged."""

from __future__ import annotations

import hashlib
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from evalplus_run.config import Config
from evalplus_run.files import read_whole, reason, unpacked, user_path
from evalplus_run.records import Completion, Dataset, Program, Task, UserError
from evalplus_run.runs import as_folder_name
from evalplus_run.sanitize import SanitizerSettings, sanitize
from evalplus_run.sanitize.files import by_number
from evalplus_run.sanitize.rows import BadSampleError, Row, read_row


@dataclass(frozen=True, slots=True)
class GivenSamples:
    """What a file or folder of samples holds for the tasks of this run."""

    texts: tuple[Completion, ...]
    """As they were given."""
    programs: tuple[Program, ...]
    """What became of them, one by one."""
    sha256: str
    """Of the content."""
    warnings: tuple[str, ...]


def read(config: Config, dataset: Dataset) -> GivenSamples:
    """The samples that `config.samples` names; UserError where there are none, or a line is none."""
    path = user_path(config.samples)
    if not path.is_file() and not path.is_dir():
        raise UserError(f"samples={config.samples} does not exist: name a JSONL file, or a folder TASK_ID/N.py.")
    tasks = {task.task_id: task for task in dataset.tasks}
    content = hashlib.sha256()
    texts: list[Completion] = []
    seen: Counter[str] = Counter()
    left_out = 0
    for row in _rows(path, tasks):
        content.update(f"{row.task_id}\0{row.prompt_in_front}\0{row.text}\0".encode("utf-8", "surrogatepass"))
        if row.task_id not in tasks:
            left_out += 1
            continue
        texts.append(_completion(row, seen[row.task_id]))
        seen[row.task_id] += 1
    if not texts:
        raise UserError(
            f"{config.samples} has no sample of a task of {dataset.name}"
            f"{f' ({left_out} of other tasks)' if left_out else ''}: is it the right dataset?"
        )
    warnings = (f"{left_out} samples are of tasks that this run does not look at, and were left out",)
    programs = tuple(clean(text, tasks[text.task_id], config.sanitizer) for text in texts)
    return GivenSamples(tuple(texts), programs, content.hexdigest(), warnings if left_out else ())


def clean(text: Completion, task: Task, settings: SanitizerSettings) -> Program:
    """The program of a sample that was given."""
    return sanitize(text, task, settings, prompt_in_front=text.continues_prompt)


def name_of(path: str) -> str:
    """What the folder of a run on these samples is called."""
    return as_folder_name(Path(path).name.removesuffix(".gz").removesuffix(".jsonl"))


def _rows(path: Path, tasks: Mapping[str, Task]) -> Iterator[Row]:
    """All samples: of a JSONL file (`.gz` too), EvalPlus's folder TASK_ID/N.py, or a run's folder of ours."""
    if not path.is_dir():
        yield from _rows_of_file(path)
    elif (path / "samples.jsonl").exists():
        yield from _rows_of_file(path / "samples.jsonl")
    else:
        yield from _rows_of_folder(path, {task_id.replace("/", "_"): task_id for task_id in tasks})


def _rows_of_file(path: Path) -> Iterator[Row]:
    try:
        with unpacked(path) as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    yield _row(line, f"{path}:{number}")
    except (OSError, EOFError, zlib.error) as error:
        raise UserError(f"{path} cannot be read ({reason(error)}): get it again, or name other samples.") from error


def _row(line: bytes, place: str) -> Row:
    try:
        return read_row(line)
    except BadSampleError as error:
        raise UserError(f"{place} is no sample ({error}): mend or remove that line.") from error


def _rows_of_folder(path: Path, names: Mapping[str, str]) -> Iterator[Row]:
    for file in sorted(path.rglob("*.py"), key=by_number):
        name = file.parent.name
        try:
            text = read_whole(file).decode(errors="surrogateescape")
        except OSError as error:
            raise UserError(f"{file} cannot be read ({reason(error)}): mend or remove it.") from error
        yield Row(names.get(name, name), text, prompt_in_front=False, finish_reason="unknown", others={})


def _completion(row: Row, index: int) -> Completion:
    return Completion(
        row.task_id, index, row.text, finish_reason=row.finish_reason, continues_prompt=row.prompt_in_front
    )
