"""GGUF files as tests need them, down to a whole model that llama.cpp loads; after the format's description."""

import random
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

Values = Mapping[str, tuple[int, Any]]

U32, F32, BOOL, STRING, ARRAY = 4, 6, 7, 8, 9
_FORMS = {0: "<B", 1: "<b", 2: "<H", 3: "<h", 4: "<I", 5: "<i", 6: "<f", 7: "<?", 10: "<Q", 11: "<q", 12: "<d"}
_ALIGNMENT = 32
_EMBEDDING, _FEED_FORWARD = 32, 64

BOS, EOS, IM_START, IM_END = 1, 2, 3, 4
"""Token ids of the tiny model."""
_SPECIAL = ["<unk>", "<s>", "</s>", "<|im_start|>", "<|im_end|>"]
_TOKENS = [*_SPECIAL, *(f"<0x{byte:02X}>" for byte in range(256))]
_TYPES = [2, 3, 3, 3, 3, *[6] * 256]

CHATML = (
    "{%- for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def gguf(values: Values, tensors: int = 0) -> bytes:
    """A header; each value comes with its type's number, an array as (type of its items, items)."""
    body = b"".join(
        _string(key) + struct.pack("<I", kind) + _value(kind, value) for key, (kind, value) in values.items()
    )
    return b"GGUF" + struct.pack("<IQQ", 3, tensors, len(values)) + body


def tiny_model(
    path: Path, *, chat_template: str = CHATML, add_bos: bool = True, context: int = 4096, endless: bool = False
) -> Path:
    """A llama of one layer with random weights, whose tokens are bytes; without a template if it is empty.

    An endless one never ends an answer: the logits of special tokens are 0, far below those of the likely ones.
    """
    values: dict[str, tuple[int, Any]] = {
        "general.architecture": (STRING, "llama"),
        "general.name": (STRING, "tiny"),
        "llama.context_length": (U32, context),
        "llama.embedding_length": (U32, _EMBEDDING),
        "llama.block_count": (U32, 1),
        "llama.feed_forward_length": (U32, _FEED_FORWARD),
        "llama.attention.head_count": (U32, 2),
        "llama.attention.layer_norm_rms_epsilon": (F32, 1e-5),
        "tokenizer.ggml.model": (STRING, "llama"),
        "tokenizer.ggml.tokens": (ARRAY, (STRING, _TOKENS)),
        "tokenizer.ggml.scores": (ARRAY, (F32, [0.0] * len(_TOKENS))),
        "tokenizer.ggml.token_type": (ARRAY, (5, _TYPES)),
        "tokenizer.ggml.bos_token_id": (U32, BOS),
        "tokenizer.ggml.eos_token_id": (U32, EOS),
        "tokenizer.ggml.add_bos_token": (BOOL, add_bos),
        "tokenizer.ggml.add_space_prefix": (BOOL, False),
    }
    if chat_template:
        values["tokenizer.chat_template"] = (STRING, chat_template)
    path.write_bytes(_with_tensors(values, _shapes(), silent=len(_SPECIAL) if endless else 0))
    return path


def _shapes() -> dict[str, tuple[int, ...]]:
    square = dict.fromkeys(("attn_q", "attn_k", "attn_v", "attn_output"), (_EMBEDDING, _EMBEDDING))
    feed = {"ffn_gate": (_EMBEDDING, _FEED_FORWARD), "ffn_up": (_EMBEDDING, _FEED_FORWARD)}
    block = {**square, **feed, "ffn_down": (_FEED_FORWARD, _EMBEDDING)}
    block |= {"attn_norm": (_EMBEDDING,), "ffn_norm": (_EMBEDDING,)}
    named = {f"blk.0.{name}.weight": shape for name, shape in block.items()}
    return {"token_embd.weight": (_EMBEDDING, len(_TOKENS)), "output_norm.weight": (_EMBEDDING,), **named}


def _with_tensors(values: Values, shapes: Mapping[str, tuple[int, ...]], silent: int) -> bytes:
    """`silent` tokens, the first ones, are embedded as zeros."""
    chance = random.Random(0)
    infos, content = b"", b""
    for name, shape in shapes.items():
        infos += _string(name) + struct.pack(f"<I{len(shape)}QIQ", len(shape), *shape, 0, len(content))
        size = 1
        for length in shape:
            size *= length
        numbers = [chance.gauss(0, 1) for _ in range(size)]
        if name == "token_embd.weight":
            numbers[: silent * _EMBEDDING] = [0.0] * silent * _EMBEDDING
        content += _padded(struct.pack(f"<{size}f", *numbers))
    return _padded(gguf(values, len(shapes)) + infos) + content


def _padded(content: bytes) -> bytes:
    return content + bytes(-len(content) % _ALIGNMENT)


def _value(kind: int, value: Any) -> bytes:
    if kind == STRING:
        return _string(value)
    if kind == ARRAY:
        item, items = value
        return struct.pack("<IQ", item, len(items)) + b"".join(_value(item, each) for each in items)
    return struct.pack(_FORMS[kind], value)


def _string(text: str) -> bytes:
    encoded = text.encode()
    return struct.pack("<Q", len(encoded)) + encoded
