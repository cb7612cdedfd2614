"""What is known of families of models beforehand."""

import pytest

from evalplus_run.models.families import family_of


@pytest.mark.parametrize(
    ("name", "refuses", "thinking"),
    [
        ("claude-3-haiku-20240307", {"n"}, "none"),
        ("claude-3-7-sonnet-20250219", {"n"}, "budget"),
        ("claude-sonnet-4-20250514", {"n"}, "budget"),
        ("claude-opus-4-1-20250805", {"n", "top_p"}, "budget"),
        ("eu.anthropic.claude-haiku-4-5-20251001-v1:0", {"n", "top_p"}, "budget"),
        ("claude-sonnet-4-6", {"n", "top_p", "prefill"}, "adaptive"),
        ("claude-opus-4-8", {"n", "temperature", "top_p", "prefill"}, "adaptive"),
        ("claude-haiku-5-5", {"n", "temperature", "top_p", "prefill"}, "adaptive"),
        ("claude-of-next-year", {"n", "temperature", "top_p", "prefill"}, "adaptive"),
        ("anthropic/claude-sonnet-4.5", {"n", "top_p"}, "budget"),
        ("anthropic/claude-opus-4.8", {"n", "temperature", "top_p", "prefill"}, "adaptive"),
        ("gemini-1.5-pro", {"prefill"}, "none"),
        ("gemini-2.5-flash-lite", {"prefill"}, "budget"),
        ("gemini-4-ultra", {"prefill"}, "adaptive"),
        ("gpt-5.2", {"prefill", "max_tokens"}, "none"),
        ("o3-mini", {"prefill", "max_tokens"}, "none"),
        ("openai/gpt-5.2", {"prefill"}, "none"),
        ("gpt-4.1", {"prefill"}, "none"),
        ("deepseek-chat", {"prefill", "n"}, "none"),
        ("deepseek-reasoner", {"prefill", "n"}, "none"),
        ("deepseek-ai/deepseek-coder-6.7b-instruct", {"prefill"}, "none"),
        ("something-else", {"prefill"}, "none"),
    ],
)
def test_a_family_is_known_by_its_name(name: str, refuses: set[str], thinking: str) -> None:
    family = family_of(name)
    assert family.refuses == refuses
    assert family.thinking == thinking


def test_the_users_word_stands_above_the_table() -> None:
    family = family_of("claude-opus-4-8", takes=("temperature", "prefill"), refuses=("stop",))
    assert family.refuses == {"top_p", "stop", "n"}
    assert family.refused("claude-opus-4-8", ("stop",)) == {
        "top_p": "claude-opus-4-8 is not known to take it",
        "n": "claude-opus-4-8 is not known to take it",
        "stop": "model.refuses names it",
    }


@pytest.mark.parametrize(
    ("name", "asked", "thinks"),
    [
        ("claude-opus-4-8", "auto", False),
        ("claude-opus-4-8", "on", True),
        ("claude-opus-5", "auto", True),
        ("claude-opus-5", "off", False),
        ("claude-fable-5", "auto", True),
        ("gemini-2.5-pro", "auto", True),
        ("gemini-2.5-flash", "off", False),
        ("us.deepseek.r1-v1:0", "auto", True),
        ("gpt-4.1", "auto", False),
    ],
)
def test_whether_a_model_thinks_hangs_on_its_family_and_on_what_is_asked(name: str, asked, thinks: bool) -> None:
    assert family_of(name).thinks(asked, name) is thinks
