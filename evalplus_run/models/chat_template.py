"""A chat template of the user's own, and what a template is told apart by."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Protocol

from evalplus_run.files import read_whole, reason, user_path
from evalplus_run.models.thinking import has_section
from evalplus_run.records import UserError


class TemplateSettings(Protocol):
    """Those of an engine on this machine that templates have a say in."""

    @property
    def chat_template(self) -> str:
        """A file of the user's; empty: the model's own template."""

    @property
    def thinking_tokens(self) -> int:
        """For a model whose template knows thinking."""


def own_template(path: str) -> str:
    """The Jinja source in the file that model.chat_template names. Raises UserError."""
    try:
        return read_whole(user_path(path)).decode()
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"model.chat_template={path} cannot be read ({reason(error)}): name a file.") from error


def template_hash(source: str) -> str:
    """SHA-256 of the source, in hexadecimal."""
    return hashlib.sha256(source.encode()).hexdigest()


def template_identity(source: str, settings: TemplateSettings) -> Mapping[str, str]:
    """What the template of this source adds to what tells a model's samples apart; the model's own is part of it."""
    own = {"chat_template_sha256": template_hash(source)} if settings.chat_template else {}
    return own | ({"thinking_tokens": str(settings.thinking_tokens)} if has_section(source) else {})
