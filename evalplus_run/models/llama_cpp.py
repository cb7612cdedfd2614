"""A GGUF file on this machine's cores, by llama.cpp in a child process."""

from __future__ import annotations

import asyncio
import importlib.metadata
import logging
import os
import sys
import threading
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from evalplus_run.models.answers import sample_seed, split_reasoning, stop_strings
from evalplus_run.models.asking import Answer
from evalplus_run.models.base import Thinking
from evalplus_run.models.chat_template import own_template, template_hash, template_identity
from evalplus_run.models.compatible import CompatibleServer
from evalplus_run.models.flight import fly
from evalplus_run.models.gguf import ensure_gguf, sha256_of
from evalplus_run.models.gguf_metadata import Scalar, quantization_of, read_metadata
from evalplus_run.models.llama_child import LlamaChild, LlamaOptions
from evalplus_run.models.llama_memory import slots_that_fit
from evalplus_run.models.llama_stream import stream_answers
from evalplus_run.models.presets import PRESETS
from evalplus_run.models.retry import Patience
from evalplus_run.models.settings import LlamaCppSettings
from evalplus_run.models.thinking import Habit, ThinkingRoom, habit, has_section, obeyed, template_options
from evalplus_run.records import Completion, Message, Prompt, Rendered, Request, RunFailed, Sampling, UserError

logger = logging.getLogger(__name__)

CONTEXT = 2048
"""Tokens for prompt and answer where nothing else is asked for: EvalPlus's model length."""
_STEP = 256
_ONCE = Patience(attempts=1, attempts_unreached=1)
_ANSWER_SECONDS = 24 * 3600.0
"""No answer is given up on: that the child died is noticed by itself."""


@dataclass(frozen=True, slots=True)
class _Job:
    """One sample to draw."""

    prompt: Prompt
    ids: tuple[int, ...]
    index: int
    stops: tuple[str, ...]
    limit: int
    """New tokens at most."""
    thinks: bool

    @property
    def engine_stops(self) -> list[str]:
        """Those that the engine gets: it would end the thinking with them too."""
        return [] if self.thinks else list(self.stops)


class LlamaCpp:
    """Renders prompts with the model's own template, and has token ids completed by a child on loopback."""

    local = True

    def __init__(self, settings: LlamaCppSettings) -> None:
        self.settings = settings
        self.chat = self.prefills = True
        self._metadata: Mapping[str, Scalar] = {}
        self._habit = Habit("none")
        self._room = ThinkingRoom(self._habit, settings.thinking_tokens)
        self._template_options: Mapping[str, Any] = {}
        self._context = settings.context or CONTEXT
        self._slots = settings.concurrency
        self._path = Path()
        self._child: LlamaChild | None = None
        self._server: CompatibleServer | None = None

    async def start(self, thinking: Thinking = "auto") -> None:
        """Fetch the file where needed, load it, and learn what its template makes of thinking."""
        self._path = await self._fetch()
        self._metadata = read_metadata(self._path)
        self.chat = bool(self._template)
        self.prefills = self.chat
        await self._launch()
        if has_section(self._template):
            await self._learn_habit(thinking)

    async def _fetch(self) -> Path:
        stop = threading.Event()
        try:
            return await asyncio.to_thread(ensure_gguf, self._source, sha256=self.settings.sha256, stop=stop)
        finally:
            stop.set()

    async def _launch(self) -> None:
        own = self._template if self.settings.chat_template else ""
        wanted, weights = self.settings.concurrency, self._path.stat().st_size
        self._slots = slots_that_fit(self._metadata, self._context, wanted, weights)
        if self._slots < wanted:
            logger.warning(
                "answers at once: %d in place of %d, each with %d tokens of context: this machine's memory holds no"
                " more; model.thinking_tokens, sampling.max_tokens and model.context set how many they are",
                *(self._slots, wanted, self._context),
            )
        options = LlamaOptions(self._path, self._slots, self._context, self._threads, own)
        self._child = await LlamaChild.launch(options)
        url = f"{self._child.address}/v1"
        self._server = CompatibleServer(url, "", timeout_s=_ANSWER_SECONDS, key_remedy="", patience=_ONCE)

    async def _learn_habit(self, thinking: Thinking) -> None:
        # llama.cpp gives every template this name, and by itself says no for those that it does not know.
        options = {"enable_thinking": True, **template_options(thinking)}
        self._template_options = {"chat_template_kwargs": options}
        header = await self._apply_template((Message("user", "Hello"),))
        self._habit = obeyed(habit(self._template, header, thinking), thinking, self._name)
        self._room = ThinkingRoom(self._habit, self.settings.thinking_tokens)
        self.prefills = self._habit.prefills

    @property
    def _source(self) -> str:
        source = self.settings.path or self.settings.name
        if not source:
            raise UserError(f"model.path is empty: name a GGUF file, or set model.name to one of {', '.join(PRESETS)}.")
        return source

    @property
    def _name(self) -> str:
        return self.settings.name or Path(self._source).stem

    @property
    def _threads(self) -> int:
        return self.settings.threads or len(os.sched_getaffinity(0))

    @cached_property
    def _sha256(self) -> str:
        preset = PRESETS.get(self._source)
        return preset.sha256 if preset else sha256_of(ensure_gguf(self._source))

    @property
    def _template(self) -> str:
        """Jinja source; empty for a base model."""
        return self._template_in(self._metadata)

    @cached_property
    def _known_template(self) -> str:
        """The same without loading. A preset's file need not be there yet, and no preset thinks."""
        return self._template_in({} if self._source in PRESETS else read_metadata(ensure_gguf(self._source)))

    def _template_in(self, metadata: Mapping[str, Scalar]) -> str:
        path = self.settings.chat_template
        return own_template(path) if path else str(metadata.get("tokenizer.chat_template", ""))

    def identity(self) -> Mapping[str, str]:
        """The name, the file's hash, and what else moves the prompt or the answers' length."""
        identity = {"kind": "llama_cpp", "name": self._name, "revision": self.settings.revision, "sha256": self._sha256}
        return {**identity, **template_identity(self._known_template, self.settings)}

    def versions(self) -> Mapping[str, str]:
        """The engine, the model as its file describes itself, and what became of thinking and the prefill."""
        described = {"model": "general.name", "architecture": "general.architecture", "tokenizer": "tokenizer.ggml.pre"}
        return {
            "engine": f"xllamacpp {importlib.metadata.version('xllamacpp')}",
            "file": str(self._path),
            **{name: str(self._metadata.get(key, "")) for name, key in described.items()},
            "quantization": quantization_of(self._metadata),
            "chat_template_sha256": template_hash(self._template) if self._template else "none",
            "thinking": self._habit.thinking,
            "prefill": "possible" if self.prefills else "not possible: no chat template, or one that thinks",
            **self._room.notes(),
            "slots": str(self._slots),
            "threads": str(self._threads),
            "context": str(self._context),
        }

    async def render(self, prompt: Prompt) -> Rendered:
        """The chat by the model's template and the prefill behind it; token ids with one BOS at most."""
        if prompt.messages and not self.chat:
            raise UserError(f"{self._name} has no chat template: set prompt=base.")
        if prompt.prefill and not self.prefills:
            raise ValueError("this model's answers cannot be begun: build the prompt after `start`")
        text = await self._apply_template(prompt.messages) + prompt.prefill if prompt.messages else prompt.text
        given = await self._call("/tokenize", {"content": text, "add_special": True, "parse_special": True})
        return Rendered(text, self._with_one_bos(given["tokens"]))

    def _with_one_bos(self, ids: Sequence[int]) -> tuple[int, ...]:
        """Without the second BOS, where the template writes one and the tokenizer adds one."""
        doubled = len(ids) > 1 and ids[0] == ids[1] == self._metadata.get("tokenizer.ggml.bos_token_id")
        return tuple(ids[1:] if doubled else ids)

    async def _apply_template(self, messages: Sequence[Message]) -> str:
        turns = [{"role": turn.role, "content": turn.content} for turn in messages]
        rendered = await self._call("/apply-template", {"messages": turns, **self._template_options})
        return str(rendered["prompt"])

    async def _call(self, path: str, body: Mapping[str, Any]) -> Any:
        child, server = self._running()
        return await server.call(f"{child.address}{path}", body)

    def _running(self) -> tuple[LlamaChild, CompatibleServer]:
        if self._child is None or self._server is None:
            raise RuntimeError("start first")
        return self._child, self._server

    async def complete(self, requests: Sequence[Request], sampling: Sampling) -> AsyncGenerator[Completion, None]:
        """Raises RunFailed when the child dies; what it answered before has been yielded.

        Greedy answers of the same requests are the same each time on one machine. Drawn ones are asked one by one, each
        with its own seed; with `concurrency` 1 each depends on that and its prompt alone, whatever came before it.
        """
        try:
            jobs = [job for request in requests for job in await self._jobs(request, sampling)]
            await self._make_room(max(len(job.ids) + job.limit for job in jobs))
            self._room.tell()
            way = self._all_at_once if sampling.temperature == 0 else self._one_by_one
            async with aclosing(way(jobs, sampling)) as answers:
                async for completion in answers:
                    yield completion
        except UserError:
            raise
        except Exception as error:
            raise RunFailed(await self._obituary(error)) from error

    async def _jobs(self, request: Request, sampling: Sampling) -> list[_Job]:
        ids = (await self.render(request.prompt)).token_ids or ()
        stops = stop_strings(request.prompt, sampling)
        room = self._room.beside(request.prompt, len(ids) + sampling.max_tokens, self._longest)
        limit = sampling.max_tokens + room
        thinks = self._habit.thinking == "on" and bool(request.prompt.messages)
        return [_Job(request.prompt, ids, index, stops, limit, thinks) for index in request.indices]

    @property
    def _longest(self) -> int:
        """The most tokens of context that an answer may have with its prompt."""
        return min(self.settings.context or sys.maxsize, self._trained)

    @property
    def _trained(self) -> int:
        """The tokens of context that the model was made for."""
        return int(self._metadata.get(f"{self._metadata.get('general.architecture')}.context_length", sys.maxsize))

    async def _obituary(self, error: Exception) -> str:
        child, _ = self._running()
        if await child.died(1.0):
            return f"llama.cpp ended while generating. {child.last_words()}"
        return str(error) if isinstance(error, RunFailed) else f"llama.cpp broke off its answers: {error}."

    async def _make_room(self, needed: int) -> None:
        """Start the child again with more context where the prompts and answers need it."""
        if needed > self._longest:
            raise UserError(
                f"The longest prompt and sampling.max_tokens need {needed} tokens of context; model.context is"
                f" {self._context}, and the model was made for {self._trained}: lower sampling.max_tokens or raise the"
                " first."
            )
        if needed <= self._context:
            return
        await self.close()
        self._context = -(-needed // _STEP) * _STEP
        await self._launch()

    async def _all_at_once(self, jobs: Sequence[_Job], sampling: Sampling) -> AsyncGenerator[Completion, None]:
        _, server = self._running()
        waiting = dict(enumerate(jobs))
        # One dataset has one list of stop strings, and so has one request; it has one limit too, and where that is too
        # high for a longer prompt, the context ends its answer.
        limit = max(job.limit for job in jobs)
        parameters = {"max_tokens": limit, "temperature": 0, "stop": jobs[0].engine_stops}
        async with aclosing(stream_answers(server.client, [job.ids for job in jobs], parameters)) as answers:
            async for position, answer in answers:
                yield self._completion(waiting.pop(position), answer)
        if waiting:
            raise RunFailed(f"llama.cpp left {len(waiting)} of {len(jobs)} prompts without an answer.")

    def _one_by_one(self, jobs: Sequence[_Job], sampling: Sampling) -> AsyncGenerator[Completion, None]:
        return fly((partial(self._ask, job, sampling) for job in jobs), self._slots)

    async def _ask(self, job: _Job, sampling: Sampling) -> Completion:
        _, server = self._running()
        seed = sample_seed(sampling.seed, job.prompt.task_id, job.index)
        parameters = {
            "max_tokens": job.limit,
            "temperature": sampling.temperature,
            "top_p": sampling.top_p,
            "top_k": sampling.top_k,
            "min_p": sampling.min_p,
            # In the order of transformers, and no other: llama.cpp has more of them on.
            "samplers": ["temperature", "top_k", "top_p", "min_p"],
            "seed": seed,
            "stop": job.engine_stops,
            # What the slot keeps of the prompt before is summed up otherwise than the same tokens read anew. Alone, an
            # answer shall not depend on that.
            "cache_prompt": self._slots > 1,
        }
        question = {"model": self._name, "prompt": list(job.ids)}
        return self._completion(job, await server.ask("completions", question, parameters))

    def _completion(self, job: _Job, answer: Answer) -> Completion:
        opened = self._habit.opened and bool(job.prompt.messages)
        reasoning, text = split_reasoning(answer.text, opened=opened)
        apart = replace(answer, text=text, reasoning=reasoning or answer.reasoning)
        return apart.as_completion(job.prompt, job.index, job.stops)

    async def close(self) -> None:
        """End the child."""
        if self._server is not None:
            await self._server.close()
        if self._child is not None:
            await self._child.close()
        self._child = self._server = None
