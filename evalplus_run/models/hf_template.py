"""The chat template of a checkpoint for transformers, read without loading anything."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec

from evalplus_run import json_text
from evalplus_run.files import user_path
from evalplus_run.models.gguf_metadata import read_metadata
from evalplus_run.models.presets import PRESETS


class _Named(msgspec.Struct):
    name: str
    template: str


class _Tokenizer(msgspec.Struct):
    """`tokenizer_config.json`, as far as it is looked at."""

    chat_template: str | list[_Named] | None = None


_TOKENIZER = msgspec.json.Decoder(_Tokenizer)
_ALONE, _WITHIN = "chat_template.jinja", "tokenizer_config.json"


def template_in(source: str, commit: str | None) -> str:
    """The Jinja source; empty where there is none, or none that can be read.

    `source` is a folder, a GGUF file or a preset (of which nothing is fetched, and none thinks); with a commit, a
    repository on the hub, of which the files that may hold the template are fetched.
    """
    if commit is None and source in PRESETS:
        return ""
    if commit is None and not user_path(source).is_dir():
        return str(read_metadata(user_path(source)).get("tokenizer.chat_template", ""))
    alone = _text(source, commit, _ALONE)
    return alone.decode(errors="replace") if alone is not None else _within(_text(source, commit, _WITHIN) or b"{}")


def _text(source: str, commit: str | None, name: str) -> bytes | None:
    """A file of the folder or the repository; None where it is not there."""
    try:
        path = user_path(source) / name if commit is None else _fetched(source, commit, name)
        return path.read_bytes()
    except OSError:
        return None


def _fetched(repository: str, commit: str, name: str) -> Path:
    """Raises OSError where the repository has no such file, or where it cannot be had without network."""
    from huggingface_hub import hf_hub_download

    return Path(hf_hub_download(repository, name, revision=commit))


def _within(content: bytes) -> str:
    try:
        given = json_text.decode_as(content, _TOKENIZER).chat_template
    except ValueError:
        return ""
    if isinstance(given, list):
        templates: Mapping[str, str] = {each.name: each.template for each in given}
        return templates.get("default", "")
    return given or ""
