"""Chat templates of the forms that models have."""

from gguf_writer import CHATML

HYBRID = (
    CHATML.replace("<|im_start|>assistant\n{% endif %}", "<|im_start|>assistant\n")
    + "{% if enable_thinking is defined and enable_thinking is false %}<think>\n\n</think>\n\n{% endif %}{% endif %}"
)
OPENING = CHATML.replace("<|im_start|>assistant\n{% endif %}", "<|im_start|>assistant\n<think>\n{% endif %}")
WITH_BOS = "{{ bos_token }}" + CHATML
