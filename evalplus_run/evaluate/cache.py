"""Verdicts kept by content: the same program on the same tests under the same rules is run once.

One SQLite file in the user's cache, shared by all runs and processes. What depends on the machine's state
(time-outs, memory, faults of the host) is never kept there.
"""

from __future__ import annotations

import contextlib
import sqlite3
import threading
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec

from evalplus_run.evaluate.judging import outcomes
from evalplus_run.records import Outcome, Program, Verdict

_NOT_KEPT = {Outcome.TIMEOUT, Outcome.MEMORY, Outcome.CRASH, Outcome.HOST_FAULT}


class VerdictCache:
    """Safe to use from several threads and processes; a broken or read-only file is done without."""

    def __init__(self, path: Path) -> None:
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        with contextlib.suppress(OSError, sqlite3.Error):
            path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(path, check_same_thread=False, timeout=10, isolation_level=None)
            self._connection.execute("PRAGMA journal_mode=WAL")
            self._connection.execute("PRAGMA synchronous=OFF")
            self._connection.execute("CREATE TABLE IF NOT EXISTS verdicts (key TEXT PRIMARY KEY, verdict BLOB)")

    def __enter__(self) -> Self:
        """The cache itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close."""
        if self._connection is not None:
            self._connection.close()

    def find(self, key: str, program: Program) -> Verdict | None:
        """The verdict kept under the key, as one on this program's sample."""
        rows = self._execute("SELECT verdict FROM verdicts WHERE key = ?", (key,))
        try:
            verdict = msgspec.msgpack.decode(rows[0][0], type=Verdict) if rows else None
        except msgspec.DecodeError:
            return None
        return verdict and replace(verdict, task_id=program.task_id, index=program.index)

    def keep(self, verdict: Verdict) -> None:
        """Unless another machine, or a quieter one, could say something else."""
        if not outcomes(verdict) & _NOT_KEPT:
            self._execute(
                "INSERT OR REPLACE INTO verdicts VALUES (?, ?)", (verdict.key, msgspec.msgpack.encode(verdict))
            )

    def _execute(self, statement: str, values: tuple[str | bytes, ...]) -> list[tuple[bytes]]:
        with self._lock, contextlib.suppress(sqlite3.Error):
            if self._connection is not None:
                return self._connection.execute(statement, values).fetchall()
        return []
