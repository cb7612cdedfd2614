"""An engine in a process of its own, from its parent's side: watched, its last words, ended."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import tempfile
from collections.abc import Mapping, Sequence
from typing import IO, Any, ClassVar, Self

from evalplus_run.models.environment import SHORT_SPIN
from evalplus_run.secret import without_secrets

_TAIL = 800
"""Characters of the log that are told when the child dies."""


class EngineChild:
    """A child that logs on stderr, and ends when this process dies or closes its stdin."""

    memory_keys: ClassVar[str]
    """The keys that set how much memory it takes, for people."""

    def __init__(self, process: asyncio.subprocess.Process, log: IO[bytes]) -> None:
        self._process = process
        self._log = log

    @classmethod
    async def spawn(cls, command: Sequence[str], environment: Mapping[str, str], **options: Any) -> Self:
        """Start the command, without the user's keys; `options` are Popen's."""
        log = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the child
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=log,
            env={**SHORT_SPIN, **without_secrets(), **environment},
            **options,
        )
        return cls(process, log)

    async def died(self, seconds: float) -> bool:
        """Whether the process has ended, or ends within so many seconds."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._process.wait(), seconds)
        return self._process.returncode is not None

    def last_words(self) -> str:
        """How it ended, and the end of its log on one line."""
        tail = "; ".join(self.log_lines(_TAIL))
        return f"{self._ending()} {tail or 'Its log is empty.'}"

    def log_lines(self, most: int) -> list[str]:
        """The end of its log, so many bytes at most."""
        size = self._log.seek(0, os.SEEK_END)
        self._log.seek(max(0, size - most))
        return self._log.read().decode(errors="replace").splitlines()

    def _ending(self) -> str:
        returncode = self._process.returncode
        if returncode is None:
            return "It still runs."
        if returncode == -signal.SIGKILL:
            return f"It was killed, most likely for want of memory ({self.memory_keys} set how much it takes)."
        if returncode < 0:
            return f"It ended by {signal.Signals(-returncode).name}."
        return f"It ended with status {returncode}."

    async def close(self) -> None:
        """End it; safe to call twice."""
        self._kill()
        await self._process.wait()
        if self._process.stdin is not None:
            self._process.stdin.close()
        self._log.close()

    def _kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()
