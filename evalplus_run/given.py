"""Samples that exist already: whole programs from elsewhere, to be judged."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evalplus_run.config import Config
from evalplus_run.records import Completion, Dataset, Program, Task, UserError
from evalplus_run.runs import as_folder_name
from evalplus_run.sanitize import sanitize


@dataclass(frozen=True, slots=True)
class GivenSamples:
    """What a file or folder of samples holds for the tasks of this run."""

    programs: tuple[Program, ...]
    sha256: str
    """Of the content."""
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """One sample as it stands in a file."""

    task_id: str
    text: str
    is_continuation: bool
    """Whether the text goes on from the task's prompt (`completion`) rather than being whole (`solution`)."""
    place: str
    """Where it stands, for people."""


def read(config: Config, dataset: Dataset) -> GivenSamples:
    """The samples that `config.samples` names; UserError where there are none, or a line is none."""
    path = Path(config.samples).expanduser()
    if not path.exists():
        raise UserError(f"samples={config.samples} does not exist.")
    tasks = {task.task_id: task for task in dataset.tasks}
    content = hashlib.sha256()
    programs: list[Program] = []
    seen: Counter[str] = Counter()
    left_out = 0
    for row in read_rows(path):
        content.update(f"{row.task_id}\0{row.is_continuation}\0{row.text}\0".encode("utf-8", "surrogatepass"))
        if row.task_id not in tasks:
            left_out += 1
            continue
        programs.append(_program(config, row, tasks[row.task_id], seen[row.task_id]))
        seen[row.task_id] += 1
    if not programs:
        raise UserError(
            f"{config.samples} has no sample of a task of {dataset.name}"
            f"{f' ({left_out} of other tasks)' if left_out else ''}: is it the right dataset?"
        )
    warnings = (f"{left_out} samples are of tasks that this run does not look at, and were left out",)
    return GivenSamples(tuple(programs), content.hexdigest(), warnings if left_out else ())


def name_of(path: str) -> str:
    """What the folder of a run on these samples is called."""
    return as_folder_name(Path(path).name.removesuffix(".gz").removesuffix(".jsonl"))


def read_rows(path: Path) -> Iterator[Row]:
    """All samples: of a JSONL file (`.gz` too), EvalPlus's folder TASK_ID/N.py, or a run's folder of ours."""
    if path.is_dir():
        own = path / "samples.jsonl"
        yield from _rows_of_file(own) if own.exists() else _rows_of_folder(path)
    else:
        yield from _rows_of_file(path)


def _rows_of_file(path: Path) -> Iterator[Row]:
    try:
        with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    yield _row(line, f"{path}:{number}")
    except (gzip.BadGzipFile, EOFError) as error:
        raise UserError(f"{path} is not a whole gzip file: {error}.") from error
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}.") from error


def _row(line: bytes, place: str) -> Row:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise UserError(f"{place} is not JSON ({error}): mend or remove that line.") from error
    if not isinstance(row, Mapping) or not isinstance(row.get("task_id"), str):
        raise UserError(f"{place} has no task_id: a sample is {{'task_id': …, 'solution': …}}.")
    for key in ("solution", "completion"):
        if key in row:
            # A null, as some APIs answer, is an empty answer.
            return Row(row["task_id"], _text(row[key], key, place), key == "completion", place)
    raise UserError(f"{place} has neither solution nor completion: a sample is {{'task_id': …, 'solution': …}}.")


def _text(value: Any, key: str, place: str) -> str:
    if value is not None and not isinstance(value, str):
        raise UserError(f"{place} has a {key} that is not text.")
    return value or ""


def _rows_of_folder(path: Path) -> Iterator[Row]:
    for folder in sorted(path.iterdir()):
        programs = sorted(folder.glob("*.py"), key=lambda file: (len(file.stem), file.stem))
        for program in programs:
            text = program.read_text(encoding="utf-8", errors="surrogateescape")
            yield Row(folder.name.replace("_", "/", 1), text, False, str(program))


def _program(config: Config, row: Row, task: Task, index: int) -> Program:
    completion = Completion(row.task_id, index, row.text)
    return sanitize(completion, task, config.sanitizer, prompt_in_front=row.is_continuation)
