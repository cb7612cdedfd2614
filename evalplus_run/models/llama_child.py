"""The llama.cpp server process from its parent's side: started, watched, ended."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Self, cast

from evalplus_run.models.environment import SHORT_SPIN, without_secrets
from evalplus_run.records import UserError

_SCRIPT = Path(__file__).with_name("llama_server.py")
_TIMESTAMP = re.compile(r"^[\d.]+ [A-Z] +")
_TAIL = 800
"""Characters of the log that are told when the child dies."""


@dataclass(frozen=True, slots=True)
class LlamaOptions:
    """What the server is started with."""

    path: Path
    slots: int
    context: int
    """Tokens for each slot."""
    threads: int
    chat_template: str = ""
    """Jinja source in place of the file's own."""


class LlamaChild:
    """A server that is up. It ends when this process dies or closes its stdin."""

    def __init__(self, process: asyncio.subprocess.Process, log: IO[bytes], address: str) -> None:
        self._process = process
        self._log = log
        self.address = address

    @classmethod
    async def launch(cls, options: LlamaOptions) -> Self:
        """Start it and wait until the model is loaded. Raises UserError with the end of its log."""
        log = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the child
        process = await asyncio.create_subprocess_exec(
            *_command(options),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=log,
            env={**SHORT_SPIN, **without_secrets()},
            # Ctrl-C goes to this process alone, which then ends the child in order. Not a session of its own:
            # Linux shares the cores out by session, and niceness counts only within one.
            process_group=0,
        )
        child = cls(process, log, "")
        try:
            child.address = await child._first_line()
        except BaseException:
            await child.close()
            raise
        return child

    async def _first_line(self) -> str:
        line = await cast("asyncio.StreamReader", self._process.stdout).readline()
        if not line:
            await self._process.wait()
            raise UserError(f"llama.cpp could not load the model: {self.last_words()}")
        return line.decode().strip()

    async def died(self, seconds: float) -> bool:
        """Whether the process has ended, or ends within so many seconds."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._process.wait(), seconds)
        return self._process.returncode is not None

    def last_words(self) -> str:
        """How it ended, and the end of its log on one line."""
        size = self._log.seek(0, os.SEEK_END)
        self._log.seek(max(0, size - _TAIL))
        lines = self._log.read().decode(errors="replace").splitlines()
        tail = "; ".join(_TIMESTAMP.sub("", line) for line in lines)
        return f"{_ending(self._process.returncode)} {tail or 'Its log is empty.'}"

    async def close(self) -> None:
        """End it; safe to call twice."""
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()
        await self._process.wait()
        if self._process.stdin is not None:
            self._process.stdin.close()
        self._log.close()


def _command(options: LlamaOptions) -> list[str]:
    # As a script, so that neither the user's folder nor this one lies on its import path.
    command = [sys.executable, "-P", str(_SCRIPT), str(options.path), "--slots", str(options.slots)]
    command += ["--context", str(options.context), "--threads", str(options.threads)]
    return [*command, f"--chat-template={options.chat_template}"] if options.chat_template else command


def _ending(returncode: int | None) -> str:
    if returncode is None:
        return "It still runs."
    if returncode == -signal.SIGKILL:
        return (
            "It was killed, most likely for want of memory (model.concurrency and model.context set how much it takes)."
        )
    return (
        f"It ended by {signal.Signals(-returncode).name}." if returncode < 0 else f"It ended with status {returncode}."
    )
