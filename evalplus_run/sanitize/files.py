"""Sanitizing files of samples: JSON lines, gzipped or not, or EvalPlus's folders `{TASK_ID with / as _}/{n}.py`.

Whatever cannot be sanitized is told with its place and kept as it is beside the result, so nothing is lost. Results
are written whole to a temporary name and moved into place.
"""

from __future__ import annotations

import gzip
import tempfile
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from evalplus_run.files import read_whole, reason, unpacked, write_whole
from evalplus_run.records import Completion, FinishReason, Outcome, Program, Task, UserError
from evalplus_run.sanitize import sanitize
from evalplus_run.sanitize.rows import BadSampleError, read_row, write_row
from evalplus_run.sanitize.settings import SanitizerSettings
from evalplus_run.words import counted


@dataclass(frozen=True, slots=True)
class BadSample:
    """A sample that was not sanitized."""

    place: str
    """`line 3`, from 1, or a file's path inside the folder."""
    reason: str


@dataclass(frozen=True, slots=True)
class FileReport:
    """What became of a file or a folder of samples."""

    samples: int
    """Samples that were sanitized."""
    changed: int
    """Samples whose text is another one now, white space at its ends aside."""
    outcomes: Mapping[Outcome, int]
    """Samples without a program, by why."""
    bad: tuple[BadSample, ...]
    set_aside: Path | None
    """Where the bad samples are, as they were."""

    def __str__(self) -> str:
        """The report in lines, for people."""
        counts = "".join(f", {count} {outcome.value}" for outcome, count in sorted(self.outcomes.items()))
        lines = [f"{counted(self.samples, 'sample')} sanitized, {self.changed} changed{counts}"]
        lines += [f"{bad.place} left out: {bad.reason}" for bad in self.bad]
        return "\n".join(lines + [f"what was left out is in {self.set_aside}"] * (self.set_aside is not None))


def sanitize_file(source: Path, target: Path, tasks: Mapping[str, Task], settings: SanitizerSettings) -> FileReport:
    """Sanitize a file of JSON lines into another, or a folder into another; `.gz` by the names.

    Rows hold `task_id` and either `solution`, a text that stands alone, or `completion`, a text that goes on from the
    task's prompt. The result's rows hold `solution`, what the sanitizer did, and all other fields as they were.
    Raises UserError if there is no source, or if the target is the source or a folder that is there already.
    """
    if not source.exists():
        raise UserError(f"There is no file or folder {source}: give the samples that are to be sanitized.")
    if target.exists() and (source.is_dir() or target.is_dir() or target.samefile(source)):
        raise UserError(f"{target} is there already: remove it, or give the sanitized samples another name.")
    target.parent.mkdir(parents=True, exist_ok=True)
    tally = _Tally(tasks, settings)
    if source.is_dir():
        return _sanitize_folder(source, target, tally)
    return _sanitize_lines(source, target, tally)


class _Tally:
    """Sanitizes samples one by one and counts."""

    def __init__(self, tasks: Mapping[str, Task], settings: SanitizerSettings) -> None:
        self.tasks = tasks
        self._settings = settings
        self._indices: Counter[str] = Counter()
        self._changed = 0
        self._outcomes: Counter[Outcome] = Counter()
        self.bad: list[BadSample] = []

    def sanitized(
        self, task_id: str, text: str, finish_reason: FinishReason = "unknown", *, prompt_in_front: bool = False
    ) -> Program:
        """The program of a sample. Raises BadSampleError where the task is not known."""
        task = self.tasks.get(task_id)
        if task is None:
            raise BadSampleError(f"the dataset has no task {task_id!r}")
        completion = Completion(task_id, self._indices[task_id], text, finish_reason=finish_reason)
        program = sanitize(completion, task, self._settings, prompt_in_front=prompt_in_front)
        self._indices[task_id] += 1
        self._changed += program.solution.strip() != text.strip()
        if program.outcome is not None:
            self._outcomes[program.outcome] += 1
        return program

    def report(self, aside: Path) -> FileReport:
        """What was counted."""
        left = aside if self.bad else None
        return FileReport(self._indices.total(), self._changed, dict(self._outcomes), tuple(self.bad), left)


def _sanitize_lines(source: Path, target: Path, tally: _Tally) -> FileReport:
    rows: list[bytes] = []
    bad: list[bytes] = []
    for number, line in enumerate(_lines(source, tally.bad), start=1):
        if not line.strip():
            continue
        try:
            row = read_row(line)
            program = tally.sanitized(row.task_id, row.text, row.finish_reason, prompt_in_front=row.prompt_in_front)
            rows.append(write_row(row, program))
        except BadSampleError as error:
            tally.bad.append(BadSample(f"line {number}", str(error)))
            bad.append(line)
    aside = target.with_name(f"{target.name.removesuffix('.gz')}.bad")
    if bad:
        _store(aside, bad)
    _store(target, rows)
    return tally.report(aside)


def _lines(source: Path, bad: list[BadSample]) -> Iterator[bytes]:
    """The lines that can be read; a file that ends in the middle of its compressed data is told as bad."""
    number = 0
    try:
        with unpacked(source) as stream:
            for number, line in enumerate(stream, start=1):  # noqa: B007
                yield line
    except (OSError, EOFError, zlib.error) as error:
        if number == 0:
            raise UserError(f"{source} cannot be read ({reason(error)}): get it again, or name another.") from error
        bad.append(BadSample(f"line {number + 1}", f"the compressed file is broken from here on: {error}"))


def _store(target: Path, lines: Iterable[bytes]) -> None:
    content = b"".join(line.rstrip(b"\r\n") + b"\n" for line in lines)
    write_whole(target, gzip.compress(content, mtime=0) if target.suffix == ".gz" else content)


def _sanitize_folder(source: Path, target: Path, tally: _Tally) -> FileReport:
    names = {task_id.replace("/", "_"): task_id for task_id in tally.tasks}
    aside = target.with_name(f"{target.name}.bad")
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=f".{target.name}.") as outer:
        good = Path(outer) / "good"
        good.mkdir()
        for path in sorted(source.rglob("*.py"), key=by_number):
            inside = path.relative_to(source)
            content = _content(path)
            try:
                task_id = names.get(path.parent.name, path.parent.name)
                _store_sample(
                    good / inside, tally.sanitized(task_id, content.decode(errors="surrogateescape")).solution.encode()
                )
            except BadSampleError as error:
                tally.bad.append(BadSample(str(inside), str(error)))
                _store_sample(aside / inside, content)
        good.rename(target)
    return tally.report(aside)


def _content(path: Path) -> bytes:
    try:
        return read_whole(path)
    except OSError as error:
        raise UserError(f"{path} cannot be read ({reason(error)}): mend or remove it.") from error


def by_number(path: Path) -> tuple[Path, int, str]:
    """Sorts the programs of a folder by task and number: 2.py before 10.py."""
    return path.parent, int(path.stem) if path.stem.isdecimal() else 0, path.stem


def _store_sample(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
