"""What an API gave back as JSON, read with distrust."""

from __future__ import annotations

from typing import TypeVar

import msgspec

from evalplus_run import json_text
from evalplus_run.models.retry import Transient

Given = TypeVar("Given")


def read_as(content: bytes, decoder: msgspec.json.Decoder[Given]) -> Given:
    """The content as the decoder's type. Raises Transient for what cannot be read."""
    try:
        return json_text.decode_as(content, decoder)
    except ValueError as error:
        raise Transient(f"the answer cannot be read: {error}") from None
