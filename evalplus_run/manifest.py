"""What moves a score, written down: versions, prompt, sampling, dataset, judge, machine, command."""

from __future__ import annotations

import dataclasses
import importlib.metadata
import os
import platform
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from evalplus_run import __version__
from evalplus_run.config import Config
from evalplus_run.evaluate import errata
from evalplus_run.evaluate.settings import EvaluateSettings
from evalplus_run.files import user_path
from evalplus_run.records import Completion, Dataset, Prompt, Rendered, Task
from evalplus_run.runs import as_folder_name, short_hash
from evalplus_run.sampling.costs import Forecast, Purse
from evalplus_run.sampling.prompts import prompt_identity
from evalplus_run.sandbox.settings import SandboxSettings
from evalplus_run.sanitize import SanitizerSettings

OF_THE_DRAWING = ("engine", "first_prompt", "forecast", "drawn")
"""What a command that draws nothing keeps of those before it."""

_MOVING_VERDICTS = (
    ("sanitizer", "name"),
    ("sanitizer", "lift_methods"),
    ("evaluate", "min_time_limit"),
    ("evaluate", "time_factor"),
    ("evaluate", "errata"),
    ("sandbox", "memory"),
)
_LIBRARIES = ("hydra-core", "msgspec", "numpy", "tree-sitter", "tree-sitter-python")


def identity_of_sampling(config: Config, dataset: Dataset, model: Mapping[str, str]) -> str:
    """A short hash of what moves the samples: not n, not the judge, not which tasks are looked at."""
    sampling = _plain(config.sampling)
    del sampling["n"]
    return short_hash(
        {
            "dataset": [dataset.name, dataset.sha256],
            "model": dict(model),
            "prompt": prompt_identity(config.prompt),
            "sampling": sampling,
        }
    )


def identity_of_given(config: Config, dataset: Dataset, samples_sha256: str) -> str:
    """A short hash of samples that were given, of the benchmark that they are judged on, and of their cleaning."""
    sanitizer = _plain(config.sanitizer)
    del sanitizer["compare"]
    parts = {"dataset": [dataset.name, dataset.sha256], "samples": samples_sha256}
    return short_hash({**parts, "sanitizer": sanitizer})


def identity_of_result(config: Config, dataset: Dataset, samples: str, rules: Sequence[object]) -> str:
    """A short hash of all that moves a run's result: its samples' identity, which and how many, and how they are
    cleaned, judged and told."""
    settings = _plain(config)
    for elsewhere in ("executor", "sweep", "run_dir", "sandbox", "evaluate", "model", "prompt", "samples"):
        del settings[elsewhere]
    beside = {"identity": samples, "content": dataset.sha256, "rules": repr(rules), "version": __version__}
    return short_hash({"settings": settings, **beside})


def judged_otherwise(config: Config, sections: Collection[str] = ("sanitizer", "evaluate", "sandbox")) -> str:
    """What the folder of a run is called besides, where answers are cleaned or judged otherwise than by default."""
    usual = {"sanitizer": SanitizerSettings(), "evaluate": EvaluateSettings(), "sandbox": SandboxSettings()}
    chosen = {
        key: getattr(getattr(config, section), key)
        for section, key in _MOVING_VERDICTS
        if section in sections and getattr(getattr(config, section), key) != getattr(usual[section], key)
    }
    named = f"-{chosen.pop('name')}" if "name" in chosen else ""
    return f"{named}-{short_hash(chosen)}" if chosen else named


def folder_of(config: Config, dataset: Dataset) -> str:
    """What the folder of all runs on a benchmark is called."""
    return as_folder_name(Path(config.dataset.path).stem if dataset.name == "custom" else dataset.name)


def describe(
    config: Config, dataset: Dataset, *, command: Sequence[str], tier: str, memory: int, identity: str
) -> dict[str, Any]:
    """What every run writes down; `memory` is the MiB that a program really may have."""
    settings = _plain(config.dataset)
    if config.dataset.path:
        settings["path"] = str(user_path(config.dataset.path).resolve())
    return {
        "identity": identity,
        "program": {"name": "evalplus-run", "version": __version__, "command": ["evalplus-run", *command]},
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "dataset": {
            "settings": settings,
            "name": dataset.name,
            "version": dataset.version,
            "variant": dataset.variant,
            "sha256": dataset.sha256,
            "md5": dataset.md5,
            "tasks": len(dataset.tasks),
            "tasks_in_dataset": dataset.size,
            "source": dataset.source,
        },
        "sandbox": {**_plain(config.sandbox), "tier": tier, "memory": memory},
        "executor": _plain(config.executor),
        "judge": {**_plain(config.evaluate), "left_out": errata.read(config.evaluate.errata, dataset.sha256).told},
        "sanitizer": _plain(config.sanitizer),
        "machine": _machine(),
        "libraries": {name: _version(name) for name in _LIBRARIES},
    }


def describe_sampling(config: Config, model: Mapping[str, str]) -> dict[str, Any]:
    """What a run that draws samples writes down besides."""
    return {
        "model": dict(model),
        "prompt": prompt_identity(config.prompt),
        "sampling": _plain(config.sampling),
    }


def describe_engine(engine: Mapping[str, str], task: Task, prompt: Prompt, rendered: Rendered) -> dict[str, Any]:
    """What is known once the model is loaded: its engine, and the prompt of the first task as the engine got it."""
    return {"engine": dict(engine), "first_prompt": _first_prompt(task, prompt, rendered)}


def describe_forecast(forecast: Forecast, purse: Purse) -> dict[str, Any]:
    """What a run that may have to be paid for expected before its first request."""
    return {"forecast": {**_plain(forecast), "price": purse.price, "budget": purse.budget}}


def describe_drawn(
    new_tokens: int, seconds: float, paid: float | None, answers: Collection[Completion]
) -> dict[str, Any]:
    """What came of it: new tokens in the seconds of this command; of all answers of the run, what they have cost and
    how many the limit of tokens has cut off."""
    return {
        "drawn": {
            "new_tokens": new_tokens,
            "seconds": round(seconds, 3),
            "tokens_per_second": round(new_tokens / seconds, 1) if new_tokens and seconds > 0 else None,
            "paid": paid,
            "answers": len(answers),
            "cut_off": sum(answer.finish_reason == "length" for answer in answers),
        }
    }


def _first_prompt(task: Task, prompt: Prompt, rendered: Rendered) -> dict[str, Any]:
    return {
        "task_id": prompt.task_id,
        "text": rendered.text,
        "task_at": _place(task.asked, rendered.text),
        "token_ids": None if rendered.token_ids is None else list(rendered.token_ids),
        "stop": list(prompt.stop),
    }


def _place(part: str, text: str) -> list[int] | None:
    """Where it begins and ends, so that other tasks' prompts can be told from this one; None where nobody knows."""
    start = text.find(part)
    return [start, start + len(part)] if text.count(part) == 1 else None


def _plain(settings: Any) -> dict[str, Any]:
    return dataclasses.asdict(settings)


def _version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return "not installed"


def _machine() -> dict[str, Any]:
    return {
        "system": platform.platform(),
        "processor": _processor(),
        "cores": os.cpu_count(),
        "gpus": _gpus(),
        "memory_gib": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1),
        "python": platform.python_version(),
    }


def _gpus() -> list[str]:
    """Names of NVIDIA's, as their driver tells them."""
    told = [path.read_text(errors="replace") for path in sorted(Path("/proc/driver/nvidia/gpus").glob("*/information"))]
    lines = [line for text in told for line in text.splitlines() if line.startswith("Model:")]
    return [line.partition(":")[2].strip() for line in lines]


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:  # noqa: PTH123
            return next((line.partition(":")[2].strip() for line in file if line.startswith("model name")), "")
    except OSError:
        return platform.processor()
