"""A model of the Hugging Face hub or a folder, by vLLM's engine on this machine, all prompts handed over at once."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from functools import cached_property
from pathlib import Path
from typing import Any, get_args

import msgspec

from evalplus_run import json_text
from evalplus_run.files import read_whole, reason
from evalplus_run.models.answers import sample_seed, split_reasoning, stop_strings, stopped
from evalplus_run.models.base import Thinking
from evalplus_run.models.hf_checkpoint import (
    Checkpoint,
    adapter_folder,
    content_of,
    fetch_whole,
    find_checkpoint,
    load_tokenizer,
)
from evalplus_run.models.hf_prompts import HfPrompts, checkpoint_identity
from evalplus_run.models.settings import VllmSettings
from evalplus_run.models.vllm_child import VllmChild
from evalplus_run.records import Completion, FinishReason, Prompt, Rendered, Request, Sampling, UserError


class _Adapter(msgspec.Struct):
    """`adapter_config.json`, as far as it is looked at."""

    r: int = 8


_ADAPTER = msgspec.json.Decoder(_Adapter)
_RANKS = (8, 16, 32, 64, 128, 256, 320, 512)
"""Those of LoRA adapters that vLLM reserves room for."""


class Vllm:
    """Renders prompts with the model's own template, and has token ids completed by vLLM in child processes.

    Every sample is a request of its own with its own seed; what prompts have in common is computed once.
    """

    local = True

    def __init__(self, settings: VllmSettings) -> None:
        self.settings = settings
        self.chat = self.prefills = True
        self.arguments: Mapping[str, Any] = {}
        """Of vLLM's engine; after `start`."""
        self._prompts: HfPrompts | None = None
        self._child: VllmChild | None = None

    async def start(self, thinking: Thinking = "auto") -> None:
        """Fetch what is not there, learn what its template makes of thinking, and load it."""
        stop = threading.Event()
        try:
            checkpoint = await asyncio.to_thread(self._find, stop)
        finally:
            stop.set()
        self._prompts = HfPrompts(await asyncio.to_thread(load_tokenizer, checkpoint), self.settings, thinking)
        self.chat, self.prefills = self._prompts.chat, self._prompts.prefills
        self.arguments = self._arguments(checkpoint)
        self._child = await VllmChild.launch(self.arguments, self._adapter)

    def _find(self, stop: threading.Event) -> Checkpoint:
        return fetch_whole(find_checkpoint(self.settings, self._content, stop))

    @cached_property
    def _content(self) -> Mapping[str, str]:
        return content_of(self.settings)

    @property
    def _adapter(self) -> str:
        return str(adapter_folder(self.settings.adapter).resolve()) if self.settings.adapter else ""

    def _arguments(self, checkpoint: Checkpoint) -> Mapping[str, Any]:
        """Of vLLM's engine; where nothing is set, it chooses."""
        settings = self.settings
        quantization = dict(settings.quantization)
        chosen = {
            "quantization": quantization.pop("quant_method", ""),
            "quantization_config": quantization,
            "max_num_seqs": settings.concurrency,
            "gpu_memory_utilization": settings.gpu_memory_utilization,
        }
        return {
            "model": checkpoint.file_or_folder,
            "served_model_name": settings.shown_name,
            "dtype": settings.dtype,
            # -1: as long as the model was made for, or as memory does.
            "max_model_len": settings.max_model_len or -1,
            "tensor_parallel_size": settings.tensor_parallel,
            "data_parallel_size": settings.data_parallel,
            "enable_prefix_caching": True,
            "disable_log_stats": True,
            **{name: value for name, value in chosen.items() if value},
            **(_for_adapter(Path(self._adapter)) if self._adapter else {}),
            **settings.engine_args,
        }

    def identity(self) -> Mapping[str, str]:
        """The name, the commit or the hash of the files, and what changes the weights, the prompt or the length."""
        settings = self.settings
        return {
            **checkpoint_identity(settings, self._content),
            **({"engine_args": json.dumps(settings.engine_args, sort_keys=True)} if settings.engine_args else {}),
        }

    def versions(self) -> Mapping[str, str]:
        """The engine, the model as it was loaded, and what became of thinking and the prefill."""
        if self._child is None or self._prompts is None:
            return {**self._content}
        told = {name: str(value) for name, value in self._child.loaded.items()}
        engine = f"vllm {told.pop('vllm')}, torch {told.pop('torch')}"
        return {"engine": engine, **self._content, **told, **self._prompts.notes()}

    async def render(self, prompt: Prompt) -> Rendered:
        """The chat by the model's template and the prefill behind it; token ids with one BOS at most."""
        return self._started()[0].render(prompt)

    def _started(self) -> tuple[HfPrompts, VllmChild]:
        if self._prompts is None or self._child is None:
            raise RuntimeError("start first")
        return self._prompts, self._child

    async def complete(self, requests: Sequence[Request], sampling: Sampling) -> AsyncGenerator[Completion, None]:
        """Raises RunFailed when the engine dies; what it answered before has been yielded.

        A drawn answer has a seed of its own. Yet what else is in a batch moves the rounding, so that where two
        tokens are all but equally likely the choice between them may differ from run to run, greedy or not.
        """
        prompts, child = self._started()
        asked = [self.asked(request, sampling) for request in requests]
        prompts.room.tell()
        async with aclosing(child.answers(asked, _parameters(sampling))) as answers:
            async for answer in answers:
                request = requests[answer["place"]]
                yield self._completion(request.prompt, len(asked[answer["place"]]["ids"]), sampling, answer)

    def asked(self, request: Request, sampling: Sampling) -> Mapping[str, Any]:
        """What the engine is handed for a request: token ids, limit, stop strings and tokens, (index, seed) each.

        Raises UserError where it does not fit into the context.
        """
        prompts, _ = self._started()
        prompt = request.prompt
        ids = prompts.render(prompt).token_ids or ()
        stops = stop_strings(prompt, sampling)
        needed = len(ids) + sampling.max_tokens
        self._refuse_too_long(needed)
        return {
            "ids": ids,
            "max_tokens": sampling.max_tokens + prompts.room.beside(prompt, needed, self._longest),
            # The engine would end the thinking with them too.
            "stop": () if prompts.thinks(prompt) else stops,
            "ends": () if prompts.thinks(prompt) else sorted(prompts.ends(stops)),
            "samples": [(index, _seed(sampling, prompt.task_id, index)) for index in request.indices],
        }

    @property
    def _longest(self) -> int:
        return int(self._started()[1].loaded["max_model_len"])

    def _refuse_too_long(self, needed: int) -> None:
        if needed > self._longest:
            raise UserError(
                f"The longest prompt and sampling.max_tokens need {needed} tokens of context, and the engine has room"
                f" for {self._longest}: lower sampling.max_tokens, or raise model.max_model_len or"
                " model.gpu_memory_utilization."
            )

    def _completion(
        self, prompt: Prompt, prompt_tokens: int, sampling: Sampling, answer: Mapping[str, Any]
    ) -> Completion:
        prompts, _ = self._started()
        reasoning, text = split_reasoning(answer["text"], opened=prompts.opened(prompt))
        kept, reason = stopped(text, _finish_reason(answer["finish_reason"]), stop_strings(prompt, sampling))
        return Completion(
            prompt.task_id,
            answer["index"],
            kept,
            reasoning=reasoning,
            finish_reason=reason,
            prompt_tokens=prompt_tokens,
            completion_tokens=answer["tokens"],
            seconds=answer["seconds"],
        )

    async def close(self) -> None:
        """End the engine's processes, which frees all their memory."""
        if self._child is not None:
            await self._child.close()
        self._child = None


def _parameters(sampling: Sampling) -> Mapping[str, Any]:
    """All that vLLM's sampling is told, so that nothing which the checkpoint recommends is applied."""
    return {
        "temperature": sampling.temperature,
        "top_p": sampling.top_p,
        "top_k": sampling.top_k,
        "min_p": sampling.min_p,
    }


def _seed(sampling: Sampling, task_id: str, index: int) -> int | None:
    return sample_seed(sampling.seed, task_id, index) if sampling.temperature > 0 else None


def _finish_reason(given: str | None) -> FinishReason:
    return given if given in get_args(FinishReason) else "unknown"  # type: ignore[return-value]


def _for_adapter(folder: Path) -> Mapping[str, Any]:
    path = folder / "adapter_config.json"
    try:
        rank = json_text.decode_as(read_whole(path), _ADAPTER).r
    except (OSError, ValueError) as error:
        raise UserError(f"{path} is no configuration of a LoRA adapter ({reason(error)}).") from error
    return {"enable_lora": True, "max_lora_rank": next((room for room in _RANKS if room >= rank), rank)}
