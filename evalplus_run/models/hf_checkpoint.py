"""Where a checkpoint of the Hugging Face kind lies: a folder, a GGUF file, or one commit of a repository on the hub."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evalplus_run.files import user_path
from evalplus_run.models.gguf import ensure_gguf, sha256_of
from evalplus_run.models.presets import PRESETS
from evalplus_run.models.settings import CheckpointSettings, TransformersSettings
from evalplus_run.records import UserError

_READ = (".json", ".safetensors", ".bin", ".model", ".txt", ".jinja", ".tiktoken")
"""Endings of the files of a folder that may be read."""
_WORDS = 400


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """What `from_pretrained` is given."""

    place: str
    """A folder, or a repository's name."""
    arguments: Mapping[str, str]

    @property
    def file_or_folder(self) -> str:
        """The GGUF file, or what holds the weights."""
        file = self.arguments.get("gguf_file")
        return str(Path(self.place) / file) if file else self.place


def content_of(settings: CheckpointSettings) -> Mapping[str, str]:
    """What tells one content from another: the commit on the hub, or the hash of the files. Raises UserError.

    Of the hub, only the configuration is fetched; of a preset, nothing.
    """
    source = _source(settings)
    if _is_on_the_hub(settings):
        return {"commit": _commit(source, settings.revision)}
    if preset := PRESETS.get(source):
        return {"sha256": preset.sha256}
    folder = user_path(source)
    return {"sha256": hash_of_folder(folder) if folder.is_dir() else sha256_of(ensure_gguf(source))}


def find_checkpoint(
    settings: CheckpointSettings, content: Mapping[str, str], stop: threading.Event | None = None
) -> Checkpoint:
    """The checkpoint of that content; a preset's file is fetched. Raises UserError.

    `stop`, set from another thread, ends that fetching.
    """
    source = _source(settings)
    if _is_on_the_hub(settings):
        # All its files are of one state, though the branch may move meanwhile.
        return Checkpoint(source, {"revision": content["commit"]})
    folder = user_path(source)
    if folder.is_dir():
        return Checkpoint(str(folder), {})
    file = ensure_gguf(source, stop=stop)
    return Checkpoint(str(file.parent), {"gguf_file": file.name})


def fetch_whole(checkpoint: Checkpoint) -> Checkpoint:
    """As a folder: all files of a commit on the hub are fetched; others are there. Raises UserError."""
    if "revision" not in checkpoint.arguments:
        return checkpoint
    weights = ("*.safetensors", "*.bin")
    for wanted in weights:
        folder = _fetch(checkpoint, [*(f"*{ending}" for ending in _READ if f"*{ending}" not in weights), wanted])
        if any(folder.rglob(wanted)):
            break
    return Checkpoint(str(folder), {})


def _fetch(checkpoint: Checkpoint, wanted: Sequence[str]) -> Path:
    from huggingface_hub import snapshot_download

    try:
        fetched = snapshot_download(
            checkpoint.place,
            revision=checkpoint.arguments["revision"],
            allow_patterns=list(wanted),
            # Llama's own format, beside the same weights.
            ignore_patterns=["original/*"],
        )
    except Exception as error:
        raise UserError(f"{checkpoint.place} cannot be fetched from the hub ({_first_line(error)}).") from error
    return Path(fetched)


def load_tokenizer(checkpoint: Checkpoint) -> Any:
    """Raises UserError with transformers' own words."""
    from transformers import AutoTokenizer
    from transformers.utils import logging

    logging.set_verbosity_error()
    try:
        return AutoTokenizer.from_pretrained(checkpoint.place, trust_remote_code=False, **checkpoint.arguments)
    except Exception as error:
        raise _refusal(checkpoint, error) from error


def load_weights(checkpoint: Checkpoint, settings: TransformersSettings) -> Any:
    """The model on its devices, with the adapter if there is one. Raises UserError with transformers' own words."""
    from transformers import AutoModelForCausalLM

    quantization = {"quantization_config": dict(settings.quantization)} if settings.quantization else {}
    try:
        model = AutoModelForCausalLM.from_pretrained(
            checkpoint.place,
            dtype=settings.dtype,
            device_map=settings.device_map,
            trust_remote_code=False,
            **quantization,
            **checkpoint.arguments,
        )
        if settings.adapter:
            model.load_adapter(str(adapter_folder(settings.adapter)))
    except UserError:
        raise
    except Exception as error:
        raise _refusal(checkpoint, error) from error
    return model.eval()


def adapter_folder(path: str) -> Path:
    """The folder of a LoRA adapter. Raises UserError where it is none."""
    folder = user_path(path)
    if not (folder / "adapter_config.json").is_file():
        raise UserError(f"model.adapter={path} holds no adapter_config.json: name the folder of a LoRA adapter.")
    return folder


def hash_of_folder(folder: Path) -> str:
    """Over the names and contents of the files that may be read."""
    files = sorted(file for file in folder.iterdir() if file.suffix in _READ and file.is_file())
    lines = [f"{file.name} {sha256_of(file)}\n" for file in files]
    return hashlib.sha256("".join(lines).encode(errors="surrogateescape")).hexdigest()


def _source(settings: CheckpointSettings) -> str:
    source = settings.path or settings.name
    if not source:
        raise UserError("model.name is empty: name a model of the hub, or set model.path to a folder or a GGUF file.")
    return source


def _is_on_the_hub(settings: CheckpointSettings) -> bool:
    return not settings.path and settings.name not in PRESETS


def _commit(name: str, revision: str) -> str:
    """The commit that the revision stands for now; without network, when the cache was filled."""
    from huggingface_hub import hf_hub_download

    try:
        config = hf_hub_download(name, "config.json", revision=revision or None)
    except Exception as error:
        raise UserError(
            f"{name} cannot be had from the hub ({_first_line(error)}): check model.name and model.revision,"
            f" set model.path to a folder or a GGUF file, or take one of {', '.join(PRESETS)}."
        ) from error
    return Path(config).parent.name


def _refusal(checkpoint: Checkpoint, error: Exception) -> UserError:
    return UserError(f"transformers cannot load {checkpoint.place}: {type(error).__name__}: {_first_line(error)}")


def _first_line(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return (lines or [type(error).__name__])[0][:_WORDS]
