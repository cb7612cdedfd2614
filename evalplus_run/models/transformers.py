"""A model of the Hugging Face hub, a folder or a GGUF file, by transformers in this process."""

from __future__ import annotations

import asyncio
import gc
import importlib.metadata
import importlib.util
import os
import sys
import threading
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from contextlib import aclosing
from functools import cached_property
from typing import Any

from evalplus_run.models.answers import sample_seed, split_reasoning, stop_strings, stopped
from evalplus_run.models.base import Thinking
from evalplus_run.models.environment import SHORT_SPIN
from evalplus_run.models.hf_batches import Batches
from evalplus_run.models.hf_checkpoint import (
    adapter_folder,
    content_of,
    find_checkpoint,
    load_tokenizer,
    load_weights,
)
from evalplus_run.models.hf_prompts import HfPrompts, checkpoint_identity
from evalplus_run.models.hf_rows import Reader, Row
from evalplus_run.models.settings import TransformersSettings
from evalplus_run.models.thread_stream import stream_from_thread
from evalplus_run.records import Completion, Prompt, Rendered, Request, RunFailed, Sampling, UserError

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
        self._ends: frozenset[int] = frozenset()
        self._left_out: Mapping[str, Any] = {}
        self._prompts: HfPrompts | None = None
        self._model: Any = None
        self._batches: Batches | None = None
        if settings.adapter:
            adapter_folder(settings.adapter)
            if importlib.util.find_spec("peft") is None:
                raise UserError("peft is not installed, which model.adapter needs: pip install peft")

    async def start(self, thinking: Thinking = "auto") -> None:
        """Fetch what is not there, load it, and learn what its template makes of thinking."""
        stop = threading.Event()
        try:
            await asyncio.to_thread(self._load, thinking, stop)
        finally:
            stop.set()

    def _load(self, thinking: Thinking, stop: threading.Event) -> None:
        from transformers import GenerationConfig

        checkpoint = find_checkpoint(self.settings, self._content, stop)
        tokenizer = load_tokenizer(checkpoint)
        self._prompts = HfPrompts(tokenizer, self.settings, thinking)
        self.chat, self.prefills = self._prompts.chat, self._prompts.prefills
        self._model = load_weights(checkpoint, self.settings)
        recommended = self._model.generation_config
        self._left_out = {key: value for key, value in recommended.to_diff_dict().items() if key in _WAYS}
        self._ends = _ids(recommended.eos_token_id) | _ids(tokenizer.eos_token_id)
        self._model.generation_config = GenerationConfig()
        self._batches = Batches(self._model, Reader(tokenizer), self.settings.concurrency)

    @cached_property
    def _content(self) -> Mapping[str, str]:
        return content_of(self.settings)

    def identity(self) -> Mapping[str, str]:
        """The name, the commit or the hash of the files, and what changes the weights, the prompt or the length."""
        return checkpoint_identity(self.settings, self._content)

    def versions(self) -> Mapping[str, str]:
        """The engine, the model as it was loaded, and what became of thinking, the prefill and the batches."""
        libraries = ("transformers", "torch", "tokenizers")
        return {
            "engine": ", ".join(f"{name} {importlib.metadata.version(name)}" for name in libraries),
            **self._content,
            **self._loaded(),
            "batch": str(self._batches.size if self._batches else self.settings.concurrency),
        }

    def _loaded(self) -> Mapping[str, str]:
        model, prompts = self._model, self._prompts
        if model is None or prompts is None:
            return {}
        return {
            "architecture": type(model).__name__,
            "weights_dtype": str(model.dtype).removeprefix("torch."),
            "device": str(model.device),
            "attention": str(model.config._attn_implementation),
            "generation_settings_left_out": str(self._left_out),
            **prompts.notes(),
        }

    async def render(self, prompt: Prompt) -> Rendered:
        """The chat by the model's template and the prefill behind it; token ids with one BOS at most."""
        return self._started()[0].render(prompt)

    async def complete(self, requests: Sequence[Request], sampling: Sampling) -> AsyncGenerator[Completion, None]:
        """Raises RunFailed where memory does not do for one answer; what came before has been yielded.

        Where a model thinks, its answer has `sampling.max_tokens` of its own, counted from the end of the thinking.

        A drawn answer depends on its own seed alone, whatever shares its batch; a greedy one on none. Either
        way a batch's arithmetic rounds otherwise than that of one answer alone, so where two tokens are all but
        equally likely the choice between them may differ; a run with the same requests repeats.
        """
        prompts, batches = self._started()
        rows = [row for request in requests for row in self._rows(request, sampling)]
        self._refuse_too_long(max(len(row.ids) for row in rows) + sampling.max_tokens)
        prompts.room.tell()

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

    def _started(self) -> tuple[HfPrompts, Batches]:
        if self._prompts is None or self._batches is None:
            raise RuntimeError("start first")
        return self._prompts, self._batches

    def _rows(self, request: Request, sampling: Sampling) -> list[Row]:
        prompts, _ = self._started()
        prompt = request.prompt
        ids = prompts.render(prompt).token_ids or ()
        stops = stop_strings(prompt, sampling)
        room = prompts.room.beside(prompt, len(ids) + sampling.max_tokens, self._longest)
        return [
            Row(
                prompt,
                index,
                ids,
                self._ends | prompts.ends(stops),
                stops,
                sampling.max_tokens,
                sample_seed(sampling.seed, prompt.task_id, index),
                opened=prompts.opened(prompt),
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
        kept, reason = stopped(text, row.finish_reason or "unknown", row.stops)
        return Completion(
            row.prompt.task_id,
            row.index,
            kept,
            reasoning=reasoning,
            finish_reason=reason,
            prompt_tokens=len(row.ids),
            completion_tokens=len(row.made),
            seconds=row.ended - row.begun,
        )

    async def close(self) -> None:
        """Free the memory."""
        if self._model is not None:
            self._model = self._batches = self._prompts = None
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
