"""Kills a run again and again at random moments, notes what each of its lives did, and judges that."""

import ctypes
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from evalplus_run.models.flight import AHEAD

FEW = ("dataset=example", "sampling.n=60")
ALL = ("dataset=humaneval", "sampling.n=4")
_SWIFT = ("evaluate.cache=false", "sanitizer.compare=false")

COUNTED = Path(__file__).with_name("counted_run.py")
_PR_SET_CHILD_SUBREAPER = 36
_PATIENCE_SECONDS = 60


@dataclass
class Life:
    """From one start of the command to its end."""

    begun: int
    """Answers that the engine began."""
    made: list[tuple[str, int]]
    """Those that it came to the end of."""
    stored: set[tuple[str, int]]
    """Those that are in the file at its end, and were not at its start."""


class Killing:
    """Runs one command in one folder; all that it leaves in the temporary folder lies in `tmp`."""

    def __init__(self, folder: Path, cache: Path, *command: str) -> None:
        self.folder = folder
        self.tmp = folder / "tmp"
        self.tmp.mkdir()
        self.run = folder / "run"
        self.lives: list[Life] = []
        self._command = (*command, *_SWIFT, f"run_dir={self.run}")
        self._environment = {**os.environ, "EVALPLUS_RUN_CACHE": str(cache), "TMPDIR": str(self.tmp)}

    def live(self, dies_after: int | None = None, and_seconds: float = 0.0) -> None:
        """Run the command: to its end, or until so many answers more are stored, and then so many seconds."""
        log = self.folder / f"log-{len(self.lives)}"
        before = self.stored()
        with _inheriting_orphans() as orphans, (self.folder / "told").open("wb") as told:
            process = subprocess.Popen(
                [sys.executable, str(COUNTED), str(log), *self._command],
                env=self._environment,
                stdout=told,
                stderr=told,
            )
            if dies_after is None:
                assert process.wait() == 0, (self.folder / "told").read_text()
            else:
                while process.poll() is None and self._rows() < len(before) + dies_after:
                    time.sleep(0.005)
                time.sleep(and_seconds)
                # The command alone: whatever it started must end by itself.
                process.kill()
                assert process.wait() in (-signal.SIGKILL, 0), (self.folder / "told").read_text()
            orphans.wait()
        lines = log.read_text().splitlines() if log.exists() else []
        made = [tuple(line.split()[1:]) for line in lines if line.startswith("made")]
        stored = self.stored() - before
        self.lives.append(Life(lines.count("begun"), [(task, int(index)) for task, index in made], stored))

    def kill(self, times: int, answers: int, seed: int) -> None:
        """At random moments of a run of so many answers: most while it samples, some while it starts or ends."""
        moments = random.Random(seed)
        for _ in range(times):
            self.live(int(moments.uniform(0, 2 * answers / times)), moments.uniform(0, 0.5))

    def stored(self) -> set[tuple[str, int]]:
        return set(self.rows("completions.jsonl"))

    def rows(self, name: str, *but: str) -> dict[tuple[str, int], dict[str, object]]:
        """The whole rows of one of the run's files, without these fields; none is there twice."""
        path = self.run / name
        lines = path.read_bytes().splitlines(keepends=True) if path.exists() else []
        rows = [json.loads(line) for line in lines if line.endswith(b"\n")]
        found = {(row["task_id"], row["index"]): _without(row, but) for row in rows}
        assert len(found) == len(rows)
        return found

    def told(self, answers: int) -> str:
        begun = sum(life.begun for life in self.lives)
        return f"{len(self.lives) - 1} kills, {begun} answers begun where {answers} were needed"

    def _rows(self) -> int:
        path = self.run / "completions.jsonl"
        return path.read_bytes().count(b"\n") if path.exists() else 0

    def scores(self) -> dict[str, object]:
        given = json.loads((self.run / "scores.json").read_text())
        return _without(given, ("seconds", "tokens_per_second", "run_dir", "model", "sampling", "temperature"))


def _without(value, names):
    if isinstance(value, dict):
        return {name: _without(each, names) for name, each in value.items() if name not in names}
    return value


class _Orphans:
    """The processes that this one has got, or inherited from a child that died, since it was made."""

    def __init__(self) -> None:
        self._before = _children()

    def wait(self) -> None:
        """Until all have ended; fails where one does not."""
        until = time.monotonic() + _PATIENCE_SECONDS
        while left := _children() - self._before:
            assert time.monotonic() < until, f"left over: {[_called(pid) for pid in left]}"
            for pid in left:
                os.waitpid(pid, os.WNOHANG)
            time.sleep(0.01)


@contextmanager
def _inheriting_orphans() -> Iterator[_Orphans]:
    libc = ctypes.CDLL(None)
    libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    try:
        yield _Orphans()
    finally:
        libc.prctl(_PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)


def _children() -> set[int]:
    return {
        int(each.name) for each in Path("/proc").iterdir() if each.name.isdecimal() and _parent(each) == os.getpid()
    }


def _parent(process: Path) -> int:
    try:
        return int((process / "stat").read_text().rpartition(")")[2].split()[1])
    except (OSError, IndexError):
        return 0


def _called(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")
    except OSError:
        return ""


def assert_nothing_is_lost_or_made_twice(killing: Killing, answers: int, at_once: int) -> None:
    stored: set[tuple[str, int]] = set()
    for life in killing.lives:
        assert not stored & set(life.made)
        assert life.stored <= set(life.made)
        assert life.begun - len(life.stored) <= AHEAD * at_once
        stored |= life.stored
    assert len(stored) == answers
    assert killing.rows("samples.jsonl").keys() == killing.rows("verdicts.jsonl").keys() == stored
    assert list(killing.tmp.iterdir()) == []


def assert_equal(broken: Killing, whole: Killing, *but: str) -> None:
    assert broken.rows("completions.jsonl", *but) == whole.rows("completions.jsonl", *but)
    assert broken.rows("samples.jsonl") == whole.rows("samples.jsonl")
    assert broken.rows("verdicts.jsonl", "cpu_seconds") == whole.rows("verdicts.jsonl", "cpu_seconds")
    assert broken.scores() == whole.scores()


def broken_and_whole(folder: Path, cache: Path, kills: int, answers: int, *command: str) -> tuple[Killing, Killing]:
    """The same run, broken so many times and never."""
    for name in ("broken", "whole"):
        (folder / name).mkdir()
    broken, whole = (Killing(folder / name, cache, *command) for name in ("broken", "whole"))
    broken.kill(kills, answers, seed=5)
    for each in (broken, whole):
        each.live()
    print(broken.told(answers))
    return broken, whole
