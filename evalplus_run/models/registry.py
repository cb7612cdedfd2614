"""The models by the name the user types."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Mapping
from typing import Any

from evalplus_run.models.base import Model
from evalplus_run.models.settings import (
    AnthropicSettings,
    BedrockSettings,
    GoogleSettings,
    LlamaCppSettings,
    OpenAISettings,
    ReplaySettings,
    TransformersSettings,
    VllmSettings,
)
from evalplus_run.records import UserError

SETTINGS: Mapping[str, type] = {
    "replay": ReplaySettings,
    "openai": OpenAISettings,
    "anthropic": AnthropicSettings,
    "google": GoogleSettings,
    "bedrock": BedrockSettings,
    "llama_cpp": LlamaCppSettings,
    "transformers": TransformersSettings,
    "vllm": VllmSettings,
}
"""The settings' class of each kind of model."""

_CLASSES: Mapping[str, str] = {
    "replay": "Replay",
    "openai": "OpenAI",
    "anthropic": "Anthropic",
    "google": "Google",
    "bedrock": "Bedrock",
    "llama_cpp": "LlamaCpp",
    "transformers": "Transformers",
    "vllm": "Vllm",
}
"""The class in the module of a kind's name."""

_NEEDS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "openai": ("openai", ("openai", "tenacity")),
    "anthropic": ("anthropic", ("anthropic", "tenacity")),
    "google": ("google", ("google.genai", "tenacity")),
    "bedrock": ("bedrock", ("boto3", "tenacity")),
    "llama_cpp": ("llama-cpp", ("xllamacpp", "openai", "tenacity")),
    "transformers": ("transformers", ("torch", "transformers", "accelerate")),
    "vllm": ("vllm", ("vllm", "transformers")),
}
"""The extra of a kind of model, and the modules it brings."""


def build(settings: Any) -> Model:
    """The model of these settings, nothing loaded yet. Raises UserError where its extra is not installed."""
    extra, modules = _NEEDS.get(settings.kind, ("", ()))
    for module in modules:
        if not is_installed(module):
            raise UserError(f"{module} is not installed: pip install 'evalplus-run[{extra}]'")
    implementation = importlib.import_module(f"evalplus_run.models.{settings.kind}")
    model: Model = getattr(implementation, _CLASSES[settings.kind])(settings)
    return model


def is_installed(module: str) -> bool:
    """Whether a module could be imported; only the package it lies in is."""
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:  # its package is not there either
        return False
