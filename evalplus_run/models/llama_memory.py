"""How many answers llama.cpp can grow at once in this machine's memory.

Each slot has keys and values for its whole context, and they are written to as soon as the model is loaded. A cache
shared by the slots would need no more than the answers really take, but once it is full llama.cpp breaks off all
answers in flight; so there are fewer slots where the contexts are long.
"""

from __future__ import annotations

from collections.abc import Mapping

from evalplus_run.machine import total_memory
from evalplus_run.models.gguf_metadata import Scalar

_SHARE = 0.5
"""Of the memory that the weights leave, for keys and values: not of what is free now, so that a run has the same
slots each time, and with them the same answers."""
_BYTES = 2
"""Of a number in the cache."""


def slots_that_fit(metadata: Mapping[str, Scalar], context: int, wanted: int, weights: int) -> int:
    """As many as are wanted, or fewer, at least one; `context` in tokens, `weights` in bytes."""
    each = context * _bytes_per_token(metadata)
    room = (total_memory() - weights) * _SHARE
    return min(wanted, max(1, int(room / each))) if each else wanted


def _bytes_per_token(metadata: Mapping[str, Scalar]) -> int:
    """Of keys and values together; 0 where the file does not tell in single numbers."""
    of = f"{metadata.get('general.architecture')}."
    layers, heads = _number(metadata, f"{of}block_count"), _number(metadata, f"{of}attention.head_count")
    width = _number(metadata, f"{of}embedding_length") // max(1, heads)
    lengths = [_number(metadata, f"{of}attention.{kind}_length", width) for kind in ("key", "value")]
    return layers * _number(metadata, f"{of}attention.head_count_kv", heads) * sum(lengths) * _BYTES


def _number(metadata: Mapping[str, Scalar], key: str, otherwise: int = 0) -> int:
    return int(metadata.get(key, otherwise))
