"""The processes of vLLM's engine from their parent's side: one child, and those that it starts."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import re
import shutil
import signal
import sys
import tempfile
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Self, cast

import msgspec

from evalplus_run.models.engine_child import EngineChild
from evalplus_run.records import RunFailed, UserError

_SCRIPT = Path(__file__).with_name("vllm_server.py")
_LONGEST_LINE = 1 << 28
_LOG = 1 << 20
_CAUSE = re.compile(r"\bERROR\b.*?\] *(\w*(?:Error|Exception): .+)")
_VAGUE = "Engine core initialization failed"
ENVIRONMENT = {
    "VLLM_NO_USAGE_STATS": "1",
    "VLLM_DO_NOT_TRACK": "1",
    "VLLM_LOGGING_COLOR": "0",
    "TQDM_DISABLE": "1",
    # All files are there before it starts.
    "HF_HUB_OFFLINE": "1",
}
"""What its processes are told besides."""


def rays_own(arguments: Mapping[str, Any]) -> dict[str, str]:
    """Ray's variables, RAY_AUTH_TOKEN among them, for an engine that spreads over a cluster, which may ask for them.

    No other child gets those that are secrets: the programs that are judged have no variable of the user's at all.
    """
    if "ray" not in (arguments.get("distributed_executor_backend"), arguments.get("data_parallel_backend")):
        return {}
    return {name: value for name, value in os.environ.items() if name.startswith("RAY_")}


class VllmChild(EngineChild):
    """An engine that has loaded its model."""

    memory_keys = "model.max_model_len, model.concurrency and model.gpu_memory_utilization"

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.loaded: Mapping[str, Any] = {}
        """What the engine tells of itself and the model."""
        self._folder = ""
        self._calls = itertools.count()
        # The processes that it started must not outlive it, whatever ended it.
        self._reaping = asyncio.create_task(self._reap())

    @classmethod
    async def launch(cls, arguments: Mapping[str, Any], adapter: str) -> Self:
        """Start it and wait until the model is loaded. Raises UserError with vLLM's own words."""
        # For sockets and whatever else it leaves; the names of sockets may not be long.
        folder = tempfile.mkdtemp(prefix="vllm")
        environment = {**ENVIRONMENT, **rays_own(arguments), "TMPDIR": folder}
        child = await cls.spawn([sys.executable, "-P", str(_SCRIPT)], environment, limit=_LONGEST_LINE)
        child._folder = folder
        try:
            await child._load({"arguments": arguments, "adapter": adapter, "folder": folder})
        except BaseException:
            await child.close()
            raise
        return child

    async def _load(self, order: Mapping[str, Any]) -> None:
        await self._write(order)
        try:
            row = await self._row()
        except RunFailed as error:
            raise UserError(f"vLLM cannot load the model: {error}") from error
        if "error" in row:
            raise UserError(f"vLLM cannot load the model: {self._cause(row['error'])}")
        self.loaded = row["loaded"]

    async def answers(
        self, prompts: Sequence[Mapping[str, Any]], parameters: Mapping[str, Any]
    ) -> AsyncGenerator[Mapping[str, Any], None]:
        """Every sample of every prompt, as it is ready. Raises RunFailed where the engine fails.

        Closing the generator ends what is in flight.
        """
        call, left = next(self._calls), sum(len(prompt["samples"]) for prompt in prompts)
        await self._write({"call": call, "prompts": prompts, "parameters": parameters})
        try:
            while left:
                row = await self._row()
                if row["call"] != call:
                    continue
                if "error" in row:
                    raise RunFailed(f"vLLM broke off its answers: {self._cause(row['error'])}")
                left -= 1
                yield row
        finally:
            if left:
                await self._write({"call": next(self._calls), "prompts": [], "parameters": {}})

    async def _write(self, row: Mapping[str, Any]) -> None:
        stdin = cast("asyncio.StreamWriter", self._process.stdin)
        with contextlib.suppress(ConnectionError):  # that it died is told where it is read from
            stdin.write(msgspec.json.encode(row) + b"\n")
            await stdin.drain()

    async def _row(self) -> Mapping[str, Any]:
        line = await cast("asyncio.StreamReader", self._process.stdout).readline()
        if not line:
            await self._process.wait()
            raise RunFailed(f"vLLM ended. {self.last_words()}")
        row: Mapping[str, Any] = msgspec.json.decode(line)
        return row

    def _cause(self, error: str) -> str:
        """What the engine's own processes say where the child only knows that they failed."""
        return next(self._errors(), error) if _VAGUE in error or "EngineDeadError" in error else error

    def _errors(self) -> Iterator[str]:
        return (found[1] for line in self.log_lines(_LOG) if (found := _CAUSE.search(line)))

    async def _reap(self) -> None:
        await self._process.wait()
        self._kill()

    async def close(self) -> None:
        """End it and all processes of the engine; safe to call twice."""
        await super().close()
        await self._reaping
        shutil.rmtree(self._folder, ignore_errors=True)

    def _kill(self) -> None:
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except ProcessLookupError:
            super()._kill()
