"""A library that stands in for vLLM where that is not installed: as much of it as the child uses, and no model.

It starts a process of its own as the real engine does, prints on both standard streams, and "answers" a prompt with
its parameters. What a prompt's first token is decides what becomes of it.
"""

from pathlib import Path

ENDLESS, BREAKS, DIES = 1, 2, 3
"""First tokens: of a prompt that is never answered, one that the engine refuses, one that it dies of."""

_FILES = {
    "torch.py": "__version__ = '0.torch'\n",
    "vllm/__init__.py": """
__version__ = "0.stand-in"
class SamplingParams:
    def __init__(self, **given):
        self.given = given
""",
    "vllm/sampling_params.py": "class RequestOutputKind:\n    FINAL_ONLY = 2\n",
    "vllm/lora/__init__.py": "",
    "vllm/lora/request.py": "def LoRARequest(*given): return given\n",
    "vllm/platforms.py": """
class current_platform:
    is_cpu = staticmethod(lambda: True)
    get_device_name = staticmethod(lambda: "none")
""",
    "vllm/usage/__init__.py": "",
    "vllm/usage/usage_lib.py": "class UsageContext:\n    LLM_CLASS = 1\n",
    "vllm/engine/__init__.py": "",
    "vllm/engine/arg_utils.py": "def AsyncEngineArgs(**given): return given\n",
    "vllm/v1/__init__.py": "",
    "vllm/v1/engine/__init__.py": "",
    "vllm/v1/engine/async_llm.py": """
import asyncio, os, subprocess, sys
from types import SimpleNamespace as Named

class AsyncLLM:
    @classmethod
    def from_engine_args(cls, given, usage_context):
        print("chatter on stdout", flush=True)
        if given["model"] == "vague":
            print("(Worker pid=1) ERROR 11-30 10:00:00 [worker.py:7] ValueError: too little memory", file=sys.stderr)
            print("(EngineCore pid=2) ERROR 11-30 10:00:00 [core.py:7] RuntimeError: see above", file=sys.stderr)
            raise RuntimeError("Engine core initialization failed. See root cause above.")
        if given["model"] == "bad":
            raise ValueError("1 validation error\\n  no such\\n  model")
        if given["model"] == "gone":
            sys.exit("libcuda.so is missing")
        return cls(given)

    def __init__(self, given):
        self.core = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        model = Named(architecture="Tiny", dtype="torch.float32", quantization=None, max_model_len=100,
                      get_diff_sampling_param=lambda: {"core": self.core.pid, "arguments": given})
        self.vllm_config = Named(
            model_config=model, scheduler_config=Named(max_num_seqs=4), cache_config=Named(enable_prefix_caching=True),
            parallel_config=Named(tensor_parallel_size=1, data_parallel_size=1))

    async def generate(self, prompt, params, name, lora_request):
        first = prompt["prompt_token_ids"][0]
        if first == 1:
            await asyncio.sleep(600)
        if first == 2:
            raise ValueError("refused")
        given = {**params.given, "adapter": lora_request}
        await asyncio.sleep(max(first, given["max_tokens"]) / 1000)
        if first == 3:
            os._exit(3)
        yield Named(outputs=[Named(text=repr(given), finish_reason="stop", token_ids=[1, 2])])
""",
}


def write_stand_in(folder: Path) -> Path:
    """A folder for PYTHONPATH."""
    for name, text in _FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder
