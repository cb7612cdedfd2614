"""The llama.cpp server process from its parent's side."""

from __future__ import annotations

import asyncio
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Self, cast

from evalplus_run.models.engine_child import EngineChild
from evalplus_run.records import UserError

_SCRIPT = Path(__file__).with_name("llama_server.py")
_TIMESTAMP = re.compile(r"^[\d.]+ [A-Z] +")


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


class LlamaChild(EngineChild):
    """A server that is up."""

    memory_keys = "model.concurrency and model.context"
    address = ""

    @classmethod
    async def launch(cls, options: LlamaOptions) -> Self:
        """Start it and wait until the model is loaded. Raises UserError with the end of its log."""
        # Ctrl-C goes to this process alone, which then ends the child in order. Not a session of its own:
        # Linux shares the cores out by session, and niceness counts only within one.
        child = await cls.spawn(_command(options), {}, process_group=0)
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

    def log_lines(self, most: int) -> list[str]:
        """Without the times in front."""
        return [_TIMESTAMP.sub("", line) for line in super().log_lines(most)]


def _command(options: LlamaOptions) -> list[str]:
    # As a script, so that neither the user's folder nor this one lies on its import path.
    command = [sys.executable, "-P", str(_SCRIPT), str(options.path), "--slots", str(options.slots)]
    command += ["--context", str(options.context), "--threads", str(options.threads)]
    return [*command, f"--chat-template={options.chat_template}"] if options.chat_template else command
