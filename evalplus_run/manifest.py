"""What moves a score, written down: versions, prompt, sampling, dataset, judge, machine, command."""

from __future__ import annotations

import dataclasses
import hashlib
import importlib.metadata
import os
import platform
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from evalplus_run import __version__
from evalplus_run.config import Config
from evalplus_run.records import Dataset, Prompt, Rendered, UserError
from evalplus_run.runs import short_hash

_LIBRARIES = ("hydra-core", "msgspec", "numpy", "tree-sitter", "tree-sitter-python")


def sampling_identity(config: Config, dataset: Dataset, model: Mapping[str, str]) -> dict[str, Any]:
    """What moves the samples: not n, not the judge, not which tasks are looked at."""
    sampling = _plain(config.sampling)
    del sampling["n"]
    return {
        "dataset": [dataset.name, dataset.sha256],
        "model": dict(model),
        "prompt": _prompt_identity(config),
        "sampling": sampling,
    }


def judging_identity(config: Config) -> str:
    """A short hash of what moves verdicts on given programs; stored verdicts of another are made again."""
    settings = {"sandbox": _plain(config.sandbox), "evaluate": _plain(config.evaluate)}
    del settings["evaluate"]["cache"]
    return short_hash({**settings, "version": __version__})


def describe(
    config: Config,
    dataset: Dataset,
    *,
    command: Sequence[str],
    tier: str,
    model: Mapping[str, str] | None = None,
    engine: Mapping[str, str] | None = None,
    first_prompt: tuple[Prompt, Rendered] | None = None,
    samples_sha256: str = "",
) -> dict[str, Any]:
    """The whole manifest."""
    manifest: dict[str, Any] = {
        "program": {"name": "evalplus-run", "version": __version__, "command": ["evalplus-run", *command]},
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "dataset": {
            "settings": _plain(config.dataset),
            "name": dataset.name,
            "version": dataset.version,
            "variant": dataset.variant,
            "sha256": dataset.sha256,
            "md5": dataset.md5,
            "tasks": len(dataset.tasks),
            "tasks_in_dataset": dataset.size,
            "source": dataset.source,
        },
        "sandbox": {**_plain(config.sandbox), "tier": tier},
        "judge": _plain(config.evaluate),
        "judging_identity": judging_identity(config),
        "sanitizer": _plain(config.sanitizer),
        "machine": _machine(),
        "libraries": {name: _version(name) for name in _LIBRARIES},
    }
    if model is None:
        manifest["samples"] = {"path": config.samples, "sha256": samples_sha256}
        return manifest
    identity = sampling_identity(config, dataset, model)
    manifest |= {"model": dict(model), "engine": dict(engine or {}), "prompt": identity["prompt"]}
    manifest |= {"sampling": _plain(config.sampling), "sampling_identity": short_hash(identity)}
    if first_prompt is not None:
        manifest["first_prompt"] = _first_prompt(*first_prompt)
    return manifest


def _first_prompt(prompt: Prompt, rendered: Rendered) -> dict[str, Any]:
    return {
        "task_id": prompt.task_id,
        "text": rendered.text,
        "token_ids": None if rendered.token_ids is None else list(rendered.token_ids),
        "stop": list(prompt.stop),
    }


def _prompt_identity(config: Config) -> dict[str, Any]:
    settings = _plain(config.prompt)
    if config.prompt.template:
        try:
            content = Path(config.prompt.template).expanduser().read_bytes()
        except OSError as error:
            raise UserError(f"prompt.template={config.prompt.template} cannot be read: {error.strerror}.") from error
        settings["template_sha256"] = hashlib.sha256(content).hexdigest()
    return settings


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
        "memory_gib": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1),
        "python": platform.python_version(),
    }


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:  # noqa: PTH123
            return next((line.partition(":")[2].strip() for line in file if line.startswith("model name")), "")
    except OSError:
        return platform.processor()
