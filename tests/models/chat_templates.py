"""Chat templates of the forms that models have."""

from gguf_writer import CHATML

HYBRID = (
    CHATML.replace("<|im_start|>assistant\n{% endif %}", "<|im_start|>assistant\n")
    + "{% if enable_thinking is defined and enable_thinking is false %}<think>\n\n</think>\n\n{% endif %}{% endif %}"
)
OPENING = CHATML.replace("<|im_start|>assistant\n{% endif %}", "<|im_start|>assistant\n<think>\n{% endif %}")
BY_ITSELF_NOT = CHATML.replace(
    "<|im_start|>assistant\n{% endif %}",
    "<|im_start|>assistant\n{% if thinking is defined and thinking %}<think>\n{% else %}</think>{% endif %}{% endif %}",
)
"""Thinks only where it is asked to."""
WITH_BOS = "{{ bos_token }}" + CHATML
EMPTY_SECTION = (
    "{%- for m in messages %}<|im_start|>{{ m.role }}\n"
    "{% if m.role == 'assistant' %}<think>\n\n</think>\n\n{% endif %}{{ m.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n"
    "{% if enable_thinking is defined and enable_thinking is false %}<think>\n\n</think>\n\n{% endif %}{% endif %}"
)
"""Writes an empty section before an assistant's turn that is there already, as a begun answer might be taken to be."""
