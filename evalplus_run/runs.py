"""A run's folder: its paths, its files, what of them can be gone on from.

`completions.jsonl` and the `verdicts*.jsonl` only grow: each row is on the disk before it counts. A last line that
a crash cut off is set aside into `FILE.torn` and made again. All other files can be made again from these, and are
written whole under a temporary name and moved into place.

A finished result is never replaced by a smaller one: what is asked of fewer tasks, or fewer samples of them, is judged
and reported in the folder `part` beside it, from the same answers.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Generic, Self, TypeVar

import msgspec
from filelock import FileLock, Timeout

from evalplus_run import json_text
from evalplus_run.files import open_regular, read_whole, reason, user_path, write_whole
from evalplus_run.records import Completion, Program, RunFailed, SampleId, UserError, Verdict
from evalplus_run.report.summary import read_scores

PART = "part"
"""The folder, in that of a run, of results on a part of its samples."""

_MANIFEST = msgspec.json.Decoder(dict[str, Any])

Row = TypeVar("Row", bound=Completion | Program | Verdict)


class RunFolder:
    """All paths of one run."""

    def __init__(self, path: Path, whole: Path | None = None) -> None:
        """`whole` is the folder of the run that this one is a part of."""
        self.path = path
        self.whole = whole or path
        self.manifest = path / "manifest.json"
        self.completions = self.whole / "completions.jsonl"
        self.batches = self.whole / "batches.json"
        """Which batches are at the provider; what they give comes into the file above."""
        self.samples = path / "samples.jsonl"
        self.verdicts = path / "verdicts.jsonl"
        self.scores = path / "scores.json"
        self.eval_results = path / "eval_results.json"
        self.report = path / "report.html"
        self.seal = path / ".seal"
        self.sent = path / ".sent"
        """Which sinks have taken which results."""
        self._lock = FileLock(self.whole / ".lock", timeout=0)

    def __enter__(self) -> Self:
        """Make the folder and hold it: two runs in one folder at once are refused."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            self._lock.acquire()
        except Timeout as error:
            raise UserError(
                f"Another run is at work in {self.path}: wait for it, or give another run_dir; where its machine is "
                f"gone for good, remove {self._lock.lock_file}."
            ) from error
        except OSError as error:
            raise UserError(f"Cannot write to {self.path} ({error.strerror}): give another run_dir.") from error
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Let the folder go."""
        self._lock.release()

    @contextmanager
    def turn(self, say: Callable[[str], None]) -> Iterator[None]:
        """Wait for others that want a turn in this folder, and say so; the folder itself is held by `with`."""
        turn = FileLock(self.path / ".turn")
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            try:
                turn.acquire(timeout=0)
            except Timeout:
                say(
                    f"another job is at work in {self.path}: waiting until it is through; where its machine is gone "
                    f"for good, remove {turn.lock_file}"
                )
                turn.acquire()
        except OSError as error:
            raise UserError(f"Cannot write to {self.path} ({error.strerror}): give another run_dir.") from error
        try:
            yield
        finally:
            turn.release()

    @property
    def part(self) -> RunFolder:
        """The place of results on a part of its samples."""
        return RunFolder(self.path / PART, self.path)

    @property
    def is_part(self) -> bool:
        """Whether it has its answers from another run's folder."""
        return self.path != self.whole

    def for_result(self, identity: str, tasks: int, samples: int) -> RunFolder:
        """Where a result goes: into `part` where this run has one of more tasks, or of as many and more samples."""
        if not self.is_of(identity):
            return self
        try:
            found = read_scores(self.scores).scores["evalplus"]
        except UserError:
            return self
        return self.part if (found.tasks, found.samples) > (tasks, samples) else self

    @property
    def results(self) -> tuple[Path, ...]:
        """The files that a result stands on, in the order in which they come to be; some may not be there."""
        return self.manifest, self.completions, self.samples, self.verdicts, self.scores, self.eval_results

    def verdicts_with(self, sanitizer: str) -> Path:
        """Those on the same answers, had they been cleaned by another sanitizer than the run's."""
        return self.path / f"verdicts-{sanitizer}.jsonl"

    def read_manifest(self) -> dict[str, Any] | None:
        """What an earlier run wrote down; None in a new folder."""
        try:
            return json_text.decode_as(read_whole(self.manifest), _MANIFEST)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except (OSError, ValueError) as error:
            raise UserError(
                f"{self.manifest} is not readable ({reason(error)}): remove it, or give another run_dir."
            ) from error

    def refuse_other(self, identity: str) -> None:
        """UserError where the folder holds samples of other settings than those of this identity."""
        whole = RunFolder(self.whole)
        if not whole.manifest.exists() and not self.completions.exists():
            return
        if not whole.is_of(identity):
            raise UserError(
                f"{self.path} holds samples of other settings (model, prompt, sampling, dataset or file): "
                "give another run_dir, or leave it out."
            )

    def beside(self, name: str, identity: str) -> list[RunFolder]:
        """Other folders next to this one, whose names begin so, with samples of the same settings."""
        found = [RunFolder(path) for path in sorted(self.path.parent.glob(f"{name}*")) if path != self.path]
        return [other for other in found if other.manifest.exists() and other.is_of(identity)]

    def is_of(self, identity: str) -> bool:
        """Whether it holds samples of these settings."""
        return (self.read_manifest() or {}).get("identity") == identity

    def write_manifest(self, manifest: Mapping[str, Any]) -> None:
        """Whole and atomically."""
        try:
            write_whole(self.manifest, json_text.encode(manifest, indent=2))
        except OSError as error:
            raise RunFailed(f"Cannot write {self.manifest} ({error.strerror}).") from error


def run_folder(given: str, above: str, *names: str) -> RunFolder:
    """The folder that the user gave, or the one that these names make in the folder of all runs."""
    return RunFolder(user_path(given) if given else user_path(above).joinpath(*names))


class RowLog(Generic[Row]):
    """An append-only JSONL file of one kind of row, identified by (task_id, index); a context manager."""

    def __init__(self, path: Path, kind: type[Row]) -> None:
        self._path = path
        self._decoder: msgspec.json.Decoder[Row] = msgspec.json.Decoder(kind)
        self._file: BinaryIO | None = None

    def __enter__(self) -> Self:
        """The log itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def read(self) -> dict[SampleId, Row]:
        """All whole rows by (task_id, index), a later one in place of an earlier; changes nothing.

        UserError for a line that is none of this file's rows; a torn last line is left out.
        """
        rows: dict[SampleId, Row] = {}
        try:
            for number, line in enumerate(self._whole_lines(), 1):
                row = self._parse(line, number)
                rows[row.task_id, row.index] = row
        except OSError as error:
            raise UserError(
                f"{self._path} cannot be read ({reason(error)}): mend that, or give another run_dir."
            ) from error
        return rows

    def append(self, rows: Iterable[Row]) -> None:
        """On the disk when this returns; RunFailed where the disk is full or gone."""
        with self._told():
            if self._file is None:
                self._set_torn_line_aside()
                self._file = self._path.open("ab", buffering=0)
            self._file.write(_lines(rows))
            os.fsync(self._file.fileno())

    def start_anew(self, rows: Iterable[Row]) -> None:
        """Put these rows in place of all that is there."""
        with self._told():
            write_whole(self._path, _lines(rows))

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise RunFailed(
                f"Cannot write {self._path} ({error.strerror}): all rows before are kept; "
                "mend that and run the same command again."
            ) from error

    def _whole_lines(self) -> Iterator[bytes]:
        try:
            with open_regular(self._path) as file:
                yield from (line for line in file if line.endswith(b"\n"))
        except FileNotFoundError:
            return

    def _parse(self, line: bytes, number: int) -> Row:
        try:
            return json_text.decode_as(line, self._decoder)
        except ValueError as error:
            raise UserError(
                f"{self._path}:{number} is not a row of this file ({error}): mend or remove that line."
            ) from error

    def _set_torn_line_aside(self) -> None:
        whole = sum(len(line) for line in self._whole_lines())
        if not self._path.exists() or self._path.stat().st_size == whole:
            return
        with self._path.open("rb+") as file, self._path.with_name(f"{self._path.name}.torn").open("ab") as aside:
            file.seek(whole)
            aside.write(file.read() + b"\n")
            file.truncate(whole)


def _lines(rows: Iterable[Completion | Program | Verdict]) -> bytes:
    return b"".join(json_text.encode(row) + b"\n" for row in rows)


def short_hash(value: Mapping[str, Any]) -> str:
    """Eight characters that name a set of settings, whatever the order of its keys."""
    return hashlib.sha256(json_text.encode(value, is_sorted=True)).hexdigest()[:8]


def as_folder_name(text: str) -> str:
    """Text as one harmless folder name: EvalPlus's `--` for a slash, everything unusual as `_`."""
    return re.sub(r"[^\w.+=@-]+", "_", text.strip("/").replace("/", "--"))[-80:].lstrip(".") or "_"
