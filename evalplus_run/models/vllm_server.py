"""The child that answers with vLLM's asynchronous engine; run as a script, on its own.

Lines of JSON. The first one on stdin says what to load; stdout answers with what was loaded, or with the error. Each
further one is a call: all its prompts are handed to the engine at once, and every sample is told as soon as it is
ready. A call ends the one before it, which is how one is broken off. All processes of the engine end when stdin ends,
as it does when the parent dies.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Mapping
from multiprocessing import resource_tracker
from typing import Any

Tell = Callable[[Mapping[str, Any]], None]
_CORES_SHARE = 0.5
"""Of the machine's memory where there is no GPU: vLLM's own share, nearly all, would leave none for judging."""


def main() -> None:
    """Load, say what, answer until stdin ends."""
    # Outside the group that is killed: it removes the shared memory of the killed, and ends after the last of them.
    resource_tracker.ensure_running()
    os.setpgid(0, 0)
    # Whatever the library prints must not mix with the answers.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", buffering=1)
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())

    def tell(row: Mapping[str, Any]) -> None:
        answers.write(json.dumps(row) + "\n")

    try:
        asyncio.run(_serve(json.loads(sys.stdin.buffer.readline()), tell))
    except BaseException:
        traceback.print_exc()
        # Python would end in an orderly way first, and wait for the thread that reads.
        os._exit(1)


async def _serve(order: Mapping[str, Any], tell: Tell) -> None:
    calls: asyncio.Queue[Any] = asyncio.Queue()
    # A thread, since loading keeps this one busy for minutes.
    threading.Thread(target=_listen, args=(calls, order["folder"], asyncio.get_running_loop()), daemon=True).start()
    try:
        engine = _load(order)
    except Exception as error:
        tell({"error": _words(error)})
        _end(order["folder"])
    tell({"loaded": _loaded(engine)})
    answering: asyncio.Task[None] | None = None
    while True:
        call = await calls.get()
        if answering is not None:
            answering.cancel()
            await asyncio.wait([answering])
        answering = asyncio.create_task(_answer(engine, call, order["adapter"], tell))


def _listen(calls: asyncio.Queue[Any], folder: str, loop: asyncio.AbstractEventLoop) -> None:
    for line in sys.stdin.buffer:
        loop.call_soon_threadsafe(calls.put_nowait, json.loads(line))
    _end(folder)


def _end(folder: str) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    os.killpg(0, signal.SIGKILL)


def _load(order: Mapping[str, Any]) -> Any:
    from vllm.engine.arg_utils import AsyncEngineArgs
    from vllm.platforms import current_platform
    from vllm.usage.usage_lib import UsageContext
    from vllm.v1.engine.async_llm import AsyncLLM

    arguments = dict(order["arguments"])
    memory = {"gpu_memory_utilization", "kv_cache_memory_bytes"} & arguments.keys()
    if current_platform.is_cpu() and not memory and not os.environ.get("VLLM_CPU_KVCACHE_SPACE"):
        arguments["gpu_memory_utilization"] = _CORES_SHARE
    # The sizes of batches that vLLM takes where all prompts are there at once, rather than a server's.
    return AsyncLLM.from_engine_args(AsyncEngineArgs(**arguments), usage_context=UsageContext.LLM_CLASS)


def _loaded(engine: Any) -> Mapping[str, Any]:
    import torch
    import vllm
    from vllm.platforms import current_platform

    config = engine.vllm_config
    model = config.model_config
    return {
        "vllm": vllm.__version__,
        "torch": torch.__version__,
        "architecture": model.architecture,
        "weights_dtype": str(model.dtype).removeprefix("torch."),
        "weights_quantization": model.quantization or "none",
        "device": current_platform.get_device_name(),
        "max_model_len": model.max_model_len,
        "batch": config.scheduler_config.max_num_seqs,
        "prefix_caching": config.cache_config.enable_prefix_caching,
        "tensor_parallel": config.parallel_config.tensor_parallel_size,
        "data_parallel": config.parallel_config.data_parallel_size,
        "generation_settings_left_out": model.get_diff_sampling_param(),
    }


async def _answer(engine: Any, call: Mapping[str, Any], adapter: str, tell: Tell) -> None:
    try:
        async with asyncio.TaskGroup() as group:
            for place, prompt in enumerate(call["prompts"]):
                for index, seed in prompt["samples"]:
                    sample = {"call": call["call"], "place": place, "index": index}
                    way = {**call["parameters"], "seed": seed}
                    group.create_task(_draw(engine, prompt, way, adapter, sample, tell))
    except* Exception as errors:
        tell({"call": call["call"], "error": _words(errors.exceptions[0])})


async def _draw(
    engine: Any,
    prompt: Mapping[str, Any],
    parameters: Mapping[str, Any],
    adapter: str,
    sample: Mapping[str, Any],
    tell: Tell,
) -> None:
    from vllm import SamplingParams
    from vllm.lora.request import LoRARequest
    from vllm.sampling_params import RequestOutputKind

    begun = time.monotonic()
    params = SamplingParams(
        **parameters,
        max_tokens=prompt["max_tokens"],
        stop=prompt["stop"],
        stop_token_ids=prompt["ends"],
        output_kind=RequestOutputKind.FINAL_ONLY,
    )
    tuned = LoRARequest("adapter", 1, adapter) if adapter else None
    name = "-".join(map(str, sample.values()))
    made = None
    given = {"type": "token", "prompt_token_ids": prompt["ids"]}
    async for output in engine.generate(given, params, name, lora_request=tuned):
        made = output.outputs[0]
    if made is None:
        raise RuntimeError("vLLM gave no output for a prompt")
    answer = {"text": made.text, "finish_reason": made.finish_reason, "tokens": len(made.token_ids)}
    tell({**sample, **answer, "seconds": time.monotonic() - begun})


def _words(error: BaseException) -> str:
    """On one line; what the engine wrapped is told in its place."""
    inner = error.__cause__ if not str(error) and error.__cause__ else error
    return f"{type(inner).__name__}: {' '.join(str(inner).split())}"


if __name__ == "__main__":
    main()
