"""A model of the Hugging Face hub, a folder or a GGUF file, by transformers in this process."""

from __future__ import annotations

import asyncio
import gc
import importlib.metadata
import os
import sys
import threading
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from contextlib import aclosing
from functools import cached_property
from pathlib import Path
from typing import Any

from evalplus_run.models.answers import cut, sample_seed, split_reasoning, stop_strings
from evalplus_run.models.base import Thinking
from evalplus_run.models.chat_template import own_template, template_hash, template_identity
from evalplus_run.models.environment import SHORT_SPIN
from evalplus_run.models.hf_batches import Batches
from evalplus_run.models.hf_checkpoint import (
    adapter_folder,
    content_of,
    find_checkpoint,
    hash_of_folder,
    load_tokenizer,
    load_weights,
)
from evalplus_run.models.hf_rows import Reader, Row
from evalplus_run.models.hf_template import template_in
from evalplus_run.models.settings import TransformersSettings
from evalplus_run.models.thinking import Habit, ThinkingRoom, habit, has_section, obeyed
from evalplus_run.models.thread_stream import stream_from_thread
from evalplus_run.records import Completion, Message, Prompt, Rendered, Request, RunFailed, Sampling, UserError

_WAYS = ("temperature", "top_p", "top_k", "min_p", "typical_p", "repetition_penalty", "no_repeat_ngram_size")
"""Generation settings that a checkpoint may bring, and that would move its samples."""


class Transformers:
    """Renders prompts with the model's own template, and grows answers in batches in a thread.

    Only what `Sampling` says is applied: a checkpoint's own generation settings (a repetition penalty, top_k)
    are left out, and told in the manifest.
    """

    local = True

    def __init__(self, settings: TransformersSettings) -> None:
        # Read once, when the libraries are imported.
        for name, value in {**SHORT_SPIN, **_bars()}.items():
            os.environ.setdefault(name, value)
        self.settings = settings
        self.chat = self.prefills = True
        self._habit = Habit("none")
        self._room = ThinkingRoom(self._habit, settings.thinking_tokens)
        self._template = ""
        self._template_options: Mapping[str, Any] = {}
        self._ends: frozenset[int] = frozenset()
        self._left_out: Mapping[str, Any] = {}
        self._tokenizer: Any = None
        self._model: Any = None
        self._batches: Batches | None = None

    async def start(self, thinking: Thinking = "auto") -> None:
        """Fetch what is not there, load it, and learn what its template makes of thinking."""
        stop = threading.Event()
        try:
            await asyncio.to_thread(self._load, stop)
        finally:
            stop.set()
        if has_section(self._template):
            self._template_options = {"enable_thinking": thinking != "off"}
            header = self._apply_template((Message("user", "Hello"),))
            self._habit = obeyed(habit(self._template, header, thinking), thinking, self._name)
            self._room = ThinkingRoom(self._habit, self.settings.thinking_tokens)
            self.prefills = self._habit.prefills

    def _load(self, stop: threading.Event) -> None:
        from transformers import GenerationConfig
        from transformers.utils import logging

        logging.set_verbosity_error()
        own = own_template(self.settings.chat_template) if self.settings.chat_template else ""
        checkpoint = find_checkpoint(self.settings, self._content, stop)
        self._tokenizer = load_tokenizer(checkpoint)
        if own:
            self._tokenizer.chat_template = own
        self._template = self._tokenizer.get_chat_template() if self._tokenizer.chat_template else ""
        self.chat = self.prefills = bool(self._template)
        self._model = load_weights(checkpoint, self.settings)
        recommended = self._model.generation_config
        self._left_out = {key: value for key, value in recommended.to_diff_dict().items() if key in _WAYS}
        self._ends = _ids(recommended.eos_token_id) | _ids(self._tokenizer.eos_token_id)
        self._model.generation_config = GenerationConfig()
        self._batches = Batches(self._model, Reader(self._tokenizer), self.settings.concurrency)

    @property
    def _name(self) -> str:
        return self.settings.name or Path(self.settings.path).name.removesuffix(".gguf")

    @cached_property
    def _content(self) -> Mapping[str, str]:
        return content_of(self.settings)

    @cached_property
    def _known_template(self) -> str:
        """The template's source without loading."""
        own = self.settings.chat_template
        source = self.settings.path or self.settings.name
        return own_template(own) if own else template_in(source, self._content.get("commit"))

    def identity(self) -> Mapping[str, str]:
        """The name, the commit or the hash of the files, and what changes the weights, the prompt or the length."""
        adapter = self.settings.adapter
        return {
            "kind": "transformers",
            "name": self._name,
            "revision": self.settings.revision,
            "dtype": self.settings.dtype,
            **self._content,
            **({"quantization": str(sorted(self.settings.quantization.items()))} if self.settings.quantization else {}),
            **({"adapter_sha256": hash_of_folder(adapter_folder(adapter))} if adapter else {}),
            **template_identity(self._known_template, self.settings),
        }

    def versions(self) -> Mapping[str, str]:
        """The engine, the model as it was loaded, and what became of thinking, the prefill and the batches."""
        model, batches = self._model, self._batches
        loaded = {
            "architecture": type(model).__name__,
            "weights_dtype": str(model.dtype).removeprefix("torch."),
            "device": str(model.device),
            "attention": str(model.config._attn_implementation),
            "tokenizer": type(self._tokenizer).__name__,
        }
        libraries = ("transformers", "torch", "tokenizers")
        return {
            "engine": ", ".join(f"{name} {importlib.metadata.version(name)}" for name in libraries),
            **self._content,
            **(loaded if model is not None else {}),
            "generation_settings_left_out": str(self._left_out),
            "chat_template_sha256": template_hash(self._template) if self._template else "none",
            "thinking": self._habit.thinking,
            "prefill": "possible" if self.prefills else "not possible: no chat template, or one that thinks",
            **self._room.notes(),
            "batch": str(batches.size if batches else self.settings.concurrency),
        }

    async def render(self, prompt: Prompt) -> Rendered:
        """The chat by the model's template and the prefill behind it; token ids with one BOS at most."""
        if prompt.messages and not self.chat:
            raise UserError(f"{self._name} has no chat template: set prompt=base.")
        if prompt.prefill and not self.prefills:
            raise ValueError("this model's answers cannot be begun: build the prompt after `start`")
        text = self._apply_template(prompt.messages) + prompt.prefill if prompt.messages else prompt.text
        return Rendered(text, self._with_one_bos(self._tokenizer.encode(text, add_special_tokens=False)))

    def _apply_template(self, messages: Sequence[Message]) -> str:
        from jinja2 import TemplateError

        turns = [{"role": turn.role, "content": turn.content} for turn in messages]
        try:
            rendered = self._tokenizer.apply_chat_template(
                turns, tokenize=False, add_generation_prompt=True, **self._template_options
            )
        except TemplateError as error:
            raise UserError(f"The chat template of {self._name} refuses the prompt: {error}.") from error
        return str(rendered)

    def _with_one_bos(self, ids: Sequence[int]) -> tuple[int, ...]:
        """With the BOS where the tokenizer adds one and the template has not."""
        bos = self._tokenizer.bos_token_id
        adds = bos is not None and self._tokenizer.encode("a")[:1] == [bos]
        return (bos, *ids) if adds and list(ids[:1]) != [bos] else tuple(ids)

    async def complete(self, requests: Sequence[Request], sampling: Sampling) -> AsyncGenerator[Completion, None]:
        """Raises RunFailed where memory does not do for one answer; what came before has been yielded.

        Where a model thinks, its answer has `sampling.max_tokens` of its own, counted from the end of the thinking.

        A drawn answer depends on its own seed alone, whatever shares its batch; a greedy one on none. Either
        way a batch's arithmetic rounds otherwise than that of one answer alone, so where two tokens are all but
        equally likely the choice between them may differ; a run with the same requests repeats.
        """
        batches = self._started()
        rows = [row for request in requests for row in await self._rows(request, sampling)]
        self._refuse_too_long(max(len(row.ids) for row in rows) + sampling.max_tokens)
        self._room.tell()

        def grow(interrupted: threading.Event) -> Iterator[Row]:
            return batches.grow(rows, sampling, interrupted)

        try:
            async with aclosing(stream_from_thread(grow)) as grown:
                async for row in grown:
                    yield self._completion(row, batches.reader)
        except RunFailed:
            raise
        except Exception as error:
            raise RunFailed(f"transformers broke off its answers: {error}.") from error

    def _started(self) -> Batches:
        if self._batches is None:
            raise RuntimeError("start first")
        return self._batches

    async def _rows(self, request: Request, sampling: Sampling) -> list[Row]:
        prompt = request.prompt
        ids = (await self.render(prompt)).token_ids or ()
        stops = stop_strings(prompt, sampling)
        # A stop string that is a token of its own would be left out of the text.
        special = self._tokenizer.get_added_vocab()
        ends = self._ends | {special[stop] for stop in stops if stop in special}
        opened = self._habit.opened and bool(prompt.messages)
        room = self._room.beside(prompt, len(ids) + sampling.max_tokens, self._longest)
        return [
            Row(
                prompt,
                index,
                ids,
                ends,
                stops,
                sampling.max_tokens,
                sample_seed(sampling.seed, prompt.task_id, index),
                opened=opened,
                thinking=room,
            )
            for index in request.indices
        ]

    @property
    def _longest(self) -> int:
        """The tokens of context that the model was made for."""
        most: int | None = getattr(self._model.config.get_text_config(), "max_position_embeddings", None)
        return most or sys.maxsize

    def _refuse_too_long(self, needed: int) -> None:
        if needed > self._longest:
            raise UserError(
                f"The longest prompt and sampling.max_tokens need {needed} tokens of context, and the model was made"
                f" for {self._longest}: lower sampling.max_tokens."
            )

    def _completion(self, row: Row, reader: Reader) -> Completion:
        reasoning, text = split_reasoning(row.text(reader), opened=row.opened)
        kept = cut(text, row.stops)
        return Completion(
            row.prompt.task_id,
            row.index,
            kept,
            reasoning=reasoning,
            finish_reason="stop" if kept != text else row.finish_reason or "unknown",
            prompt_tokens=len(row.ids),
            completion_tokens=len(row.made),
            seconds=row.ended - row.begun,
        )

    async def close(self) -> None:
        """Free the memory."""
        if self._model is not None:
            self._model = self._batches = self._tokenizer = None
            await asyncio.to_thread(_free)


def _ids(given: int | Sequence[int] | None) -> frozenset[int]:
    return frozenset([given] if isinstance(given, int) else given or [])


def _bars() -> Mapping[str, str]:
    """Bars of what is fetched and loaded are for people who watch."""
    return {} if sys.stderr.isatty() else {"TQDM_DISABLE": "1"}


def _free() -> None:
    import torch

    gc.collect()
    if torch.cuda.is_available():
        torch.cuda.empty_cache()
