"""Checkpoints as tests need them: two random layers, and a tokenizer whose tokens are bytes."""

from pathlib import Path
from typing import Any

from gguf_writer import CHATML

SPECIAL = ["<unk>", "<s>", "</s>", "<|im_start|>", "<|im_end|>"]
BOS, EOS = 1, 2


def byte_tokenizer(*, add_bos: bool = True) -> Any:
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokenizer = Tokenizer(
        models.BPE(vocab={token: number for number, token in enumerate([*SPECIAL, *alphabet])}, merges=[])
    )
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    if add_bos:
        tokenizer.post_processor = processors.TemplateProcessing("<s> $A", special_tokens=[("<s>", BOS)])
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        bos_token="<s>",
        eos_token="</s>",
        additional_special_tokens=["<|im_start|>", "<|im_end|>"],
    )


def tiny_checkpoint(
    folder: Path,
    *,
    chat_template: str = CHATML,
    add_bos: bool = True,
    context: int = 4096,
    endless: bool = False,
    hidden: int = 32,
    **recommended: Any,
) -> Path:
    """A folder as `save_pretrained` leaves it; `recommended` goes into its generation settings.

    An endless one never ends an answer: the logit of its end is 0, far below those of the likely tokens.
    """
    import torch
    from transformers import GenerationConfig, LlamaConfig, LlamaForCausalLM

    tokenizer = byte_tokenizer(add_bos=add_bos)
    tokenizer.chat_template = chat_template or None
    tokenizer.save_pretrained(folder)
    torch.manual_seed(0)
    model = LlamaForCausalLM(
        LlamaConfig(
            vocab_size=len(tokenizer),
            hidden_size=hidden,
            intermediate_size=64,
            num_hidden_layers=2,
            num_attention_heads=2,
            max_position_embeddings=context,
            initializer_range=0.3,
            bos_token_id=BOS,
            eos_token_id=EOS,
        )
    )
    if endless:
        with torch.no_grad():
            model.lm_head.weight[: len(SPECIAL)] = 0
    if recommended:
        model.generation_config = GenerationConfig(eos_token_id=EOS, **recommended)
    model.save_pretrained(folder)
    return folder
