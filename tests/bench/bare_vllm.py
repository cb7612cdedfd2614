"""Bare vLLM: the library's own `LLM.generate` on token ids, with nothing of this project around it.

    python bare_vllm.py JOB RESULT

JOB is JSON: {arguments: of the engine, prompts: [{ids, parameters: of SamplingParams}]}. RESULT becomes {together: all
prompts in one call, alone: one call for each prompt, tokens: made together}; times in seconds by the wall clock, after
one prompt that is not counted, each time with nothing kept of what prompts have in common.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path


def main() -> None:
    """Load, warm up, measure both ways."""
    from vllm import LLM, SamplingParams

    job = json.loads(Path(sys.argv[1]).read_text())
    prompts = [{"prompt_token_ids": prompt["ids"]} for prompt in job["prompts"]]
    ways = [SamplingParams(**prompt["parameters"]) for prompt in job["prompts"]]
    llm = LLM(**job["arguments"])
    llm.generate(prompts[:1], ways[:1], use_tqdm=False)
    llm.reset_prefix_cache()
    begun = time.monotonic()
    outputs = llm.generate(prompts, ways, use_tqdm=False)
    together = time.monotonic() - begun
    llm.reset_prefix_cache()
    begun = time.monotonic()
    for prompt, way in zip(prompts, ways, strict=True):
        llm.generate([prompt], [way], use_tqdm=False)
    alone = time.monotonic() - begun
    tokens = sum(len(output.outputs[0].token_ids) for output in outputs)
    Path(sys.argv[2]).write_text(json.dumps({"together": together, "alone": alone, "tokens": tokens}))


if __name__ == "__main__":
    main()
