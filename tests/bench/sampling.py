"""Sampling with vLLM against the bare library, in one run, on the same prompts with the same engine's arguments.

    python tests/bench/sampling.py --checkpoint FOLDER [--dataset-path FILE] [--tasks 164] [--max-tokens 768]

prints, for each round and as medians, the wall seconds of

- complete: our model's `complete` with all requests;
- sampled: the same through the scheduler, prompts built and rendered too;
- together: `LLM.generate` on all prompts in one call (bare_vllm.py);
- alone: `LLM.generate` on one prompt after the other, as EvalPlus asks an engine;

and their ratios beside the targets: medians of the rounds' own ratios. Greedy. Every side starts an engine of its own
and draws one answer first; neither counts. The machine and its load before and behind each round are printed too.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import bare_vllm

from evalplus_run.benchmarks.load import load
from evalplus_run.benchmarks.settings import DatasetSettings
from evalplus_run.machine import usable_cores
from evalplus_run.models.environment import SHORT_SPIN
from evalplus_run.models.settings import VllmSettings
from evalplus_run.models.vllm import Vllm
from evalplus_run.models.vllm_child import ENVIRONMENT
from evalplus_run.records import Completion, Dataset, Prompt, Request, Sampling
from evalplus_run.sampling.prompts import build_prompt
from evalplus_run.sampling.scheduler import sample
from evalplus_run.sampling.settings import PromptSettings
from evalplus_run.secret import without_secrets

OVER_BARE, UNDER_ALONE = 1.05, 5.0
WARM_UP = Sampling(max_tokens=8)
Answers = AsyncGenerator[Completion, None]


@asynccontextmanager
async def started(settings: VllmSettings, prompt: Prompt) -> AsyncGenerator[Vllm, None]:
    """An engine that has answered once."""
    model = Vllm(settings)
    try:
        await model.start()
        async for _ in model.complete([Request(prompt, (0,))], WARM_UP):
            pass
        yield model
    finally:
        await model.close()


def prompts_of(dataset: Dataset, model: Vllm) -> list[Prompt]:
    """As a run builds them."""
    settings = PromptSettings()
    return [
        build_prompt(task, dataset.stop, settings, chat=model.chat, prefills=model.prefills) for task in dataset.tasks
    ]


async def timed(settings: VllmSettings, draw: Callable[[Vllm], Answers]) -> tuple[float, int]:
    """Wall seconds of all answers, and their tokens."""
    # No prompt of the benchmark, of which nothing must be known.
    async with started(settings, Prompt("warm-up", text="def add(a, b):")) as model:
        begun = time.monotonic()
        tokens = [answer.completion_tokens or 0 async for answer in draw(model)]
        return time.monotonic() - begun, sum(tokens)


async def job_of(settings: VllmSettings, dataset: Dataset, sampling: Sampling) -> dict[str, object]:
    """What bare vLLM gets: the arguments and prompts that our engine got."""
    async with started(settings, Prompt("warm-up", text="def add(a, b):")) as model:
        asked = [model.asked(Request(prompt, (0,)), sampling) for prompt in prompts_of(dataset, model)]
        arguments = model.arguments
    way = {"temperature": 0.0, "top_p": sampling.top_p}
    prompts = [
        {
            "ids": list(each["ids"]),
            "parameters": {
                **way,
                "max_tokens": each["max_tokens"],
                "stop": list(each["stop"]),
                "stop_token_ids": list(each["ends"]),
            },
        }
        for each in asked
    ]
    return {"arguments": dict(arguments), "prompts": prompts}


def bare(job: Path, folder: Path) -> dict[str, float]:
    """Both ways of bare vLLM, in a process of its own."""
    result = folder / "result.json"
    subprocess.run(
        [sys.executable, bare_vllm.__file__, str(job), str(result)],
        env={**SHORT_SPIN, **without_secrets(), **ENVIRONMENT},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=True,
    )
    found: dict[str, float] = json.loads(result.read_text())
    return found


def main() -> None:
    """All sides, round by round."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checkpoint", required=True, help="folder of the model")
    parser.add_argument("--dataset-path", default="", help="HumanEval+'s file, in place of a download")
    parser.add_argument("--tasks", type=int, default=164, help="so many, the first of them")
    parser.add_argument("--max-tokens", type=int, default=768)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--engine-args", type=json.loads, default={}, help="as in '{\"enforce_eager\": true}'")
    arguments = parser.parse_args()
    settings = VllmSettings(path=arguments.checkpoint, engine_args=arguments.engine_args)
    dataset = load(DatasetSettings(name="humaneval_plus", path=arguments.dataset_path, limit=arguments.tasks))
    sampling = Sampling(max_tokens=arguments.max_tokens)

    def complete(model: Vllm) -> Answers:
        return model.complete([Request(prompt, (0,)) for prompt in prompts_of(dataset, model)], sampling)

    def sampled(model: Vllm) -> Answers:
        return sample(model, prompts_of(dataset, model), sampling)

    print(f"{platform.processor() or platform.machine()}, {usable_cores()} usable cores, load {load_now()}", flush=True)
    rounds = []
    with tempfile.TemporaryDirectory(prefix="bench") as name:
        folder = Path(name)
        job = folder / "job.json"
        job.write_text(json.dumps(asyncio.run(job_of(settings, dataset, sampling))))
        for _ in range(arguments.repeats):
            found = bare(job, folder)
            made = found.pop("tokens")
            for title, draw in (("complete", complete), ("sampled", sampled)):
                found[title], tokens = asyncio.run(timed(settings, draw))
                made = max(made, tokens)
            print(*(f"{title} {seconds:.2f} s" for title, seconds in found.items()), sep=", ", end="")
            print(f"; {made:.0f} tokens at most, load {load_now()}", flush=True)
            rounds.append(found)
    report(rounds, arguments.tasks)


def report(rounds: Sequence[dict[str, float]], tasks: int) -> None:
    """Medians, and ratios beside their targets."""
    for title in rounds[0]:
        print(f"{title:<10} {statistics.median(found[title] for found in rounds):8.2f} s, {tasks} tasks")
    # What handing over at once can save at all on this machine.
    best = statistics.median(found["alone"] / found["together"] for found in rounds)
    print(f"alone over together: {best:.2f}")
    for title in ("complete", "sampled"):
        over = statistics.median(found[title] / found["together"] for found in rounds)
        under = statistics.median(found["alone"] / found[title] for found in rounds)
        print(f"{title} over together: {over:.3f} (at most {OVER_BARE}: {verdict(over <= OVER_BARE)})")
        print(f"alone over {title}: {under:.2f} (at least {UNDER_ALONE}: {verdict(under >= UNDER_ALONE)})")


def verdict(met: bool) -> str:
    """In a word."""
    return "met" if met else "MISSED"


def load_now() -> str:
    """Over one and five minutes."""
    return ", ".join(f"{each:.1f}" for each in os.getloadavg()[:2])


if __name__ == "__main__":
    main()
