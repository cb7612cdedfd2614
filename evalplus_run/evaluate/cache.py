"""Verdicts kept by content: the same program on the same tests under the same rules is run once.

One SQLite file in the user's cache, shared by all runs and processes. What depends on the machine's state
(time-outs, memory, faults of the host) is never kept there, but in a file of the run alone, which the system removes.
"""

from __future__ import annotations

import contextlib
import sqlite3
import threading
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec

from evalplus_run.evaluate.judging import outcomes
from evalplus_run.records import Outcome, Verdict

_NOT_KEPT = {Outcome.TIMEOUT, Outcome.MEMORY, Outcome.CRASH, Outcome.HOST_FAULT}


class VerdictCache:
    """Safe to use from several threads and processes; a broken or read-only file is done without."""

    def __init__(self, path: Path | None) -> None:
        """Without a path it is a nameless file, empty now and gone at the end, that keeps every verdict."""
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._not_kept = _NOT_KEPT if path else set()
        with contextlib.suppress(OSError, sqlite3.Error):
            if path:
                path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(path or "", check_same_thread=False, timeout=10, isolation_level=None)
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
        self.close()

    def close(self) -> None:
        """Safe to call twice."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
            self._connection = None

    def find(self, key: str) -> Verdict | None:
        """The verdict kept under the key."""
        rows = self._execute("SELECT verdict FROM verdicts WHERE key = ?", (key,))
        try:
            return msgspec.msgpack.decode(rows[0][0], type=Verdict) if rows else None
        except msgspec.DecodeError:
            return None

    def keep(self, key: str, verdict: Verdict) -> None:
        """Unless another machine, or a quieter one, could say something else."""
        if outcomes(verdict) & self._not_kept:
            return
        with contextlib.suppress(UnicodeEncodeError):  # a task's id with half a character in it
            self._execute("INSERT OR REPLACE INTO verdicts VALUES (?, ?)", (key, msgspec.msgpack.encode(verdict)))

    def _execute(self, statement: str, values: tuple[str | bytes, ...]) -> list[tuple[bytes]]:
        with self._lock, contextlib.suppress(sqlite3.Error):
            if self._connection is not None:
                return self._connection.execute(statement, values).fetchall()
        return []
