"""A chat template of the user's own, and what a template is told apart by."""

from __future__ import annotations

import hashlib

from evalplus_run.files import read_whole, reason, user_path
from evalplus_run.records import UserError


def own_template(path: str) -> str:
    """The Jinja source in the file that model.chat_template names. Raises UserError."""
    try:
        return read_whole(user_path(path)).decode()
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"model.chat_template={path} cannot be read ({reason(error)}): name a file.") from error


def template_hash(source: str) -> str:
    """SHA-256 of the source, in hexadecimal."""
    return hashlib.sha256(source.encode()).hexdigest()
