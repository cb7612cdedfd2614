"""How many contexts fit into memory."""

import pytest

from evalplus_run.models import llama_memory
from evalplus_run.models.llama_memory import slots_that_fit

GIB = 1 << 30
QWEN3_4B = {
    "general.architecture": "qwen3",
    "qwen3.block_count": 36,
    "qwen3.embedding_length": 2560,
    "qwen3.attention.head_count": 32,
    "qwen3.attention.head_count_kv": 8,
    "qwen3.attention.key_length": 128,
    "qwen3.attention.value_length": 128,
}
PLAIN = {
    "general.architecture": "llama",
    "llama.block_count": 32,
    "llama.embedding_length": 4096,
    "llama.attention.head_count": 32,
}


@pytest.fixture(autouse=True)
def machine(monkeypatch):
    monkeypatch.setattr(llama_memory, "total_memory", lambda: 16 * GIB)


def test_all_slots_that_are_wanted_fit_where_contexts_are_short():
    assert slots_that_fit(QWEN3_4B, 2048, 8, 3 * GIB) == 8


def test_keys_and_values_take_half_of_what_the_weights_leave():
    # 36 layers of 8 heads with 128 + 128 numbers of 2 bytes: 147,456 bytes a token.
    assert slots_that_fit(QWEN3_4B, 16_384, 8, 2 * GIB) == 7 * GIB // (16_384 * 147_456) == 3


def test_heads_and_lengths_that_a_file_does_not_tell_are_the_plain_ones():
    # Half a mebibyte a token.
    assert slots_that_fit(PLAIN, 4096, 8, 4 * GIB) == 3


def test_one_slot_is_there_whatever_it_takes():
    assert slots_that_fit(QWEN3_4B, 200_000, 8, 15 * GIB) == 1


def test_a_file_that_does_not_tell_has_all_slots():
    assert slots_that_fit({"general.architecture": "mamba"}, 200_000, 8, GIB) == 8
