"""What a template makes of thinking, and whether an answer may be begun."""

import pytest

from evalplus_run.models.base import Thinking
from evalplus_run.models.thinking import habit

PLAIN = "{{ messages }}<|im_start|>assistant\n"
HYBRID = "{% if enable_thinking is false %}<think>\n\n</think>\n\n{% endif %}"
OPENING = "{% if add_generation_prompt %}<think>\n{% endif %}"
SILENT = "<|im_start|>assistant\n"


@pytest.mark.parametrize("asked", ["auto", "on", "off"])
def test_a_template_without_thinking_lets_an_answer_be_begun(asked: Thinking) -> None:
    found = habit(PLAIN, SILENT, asked)
    assert (found.thinking, found.opened, found.prefills) == ("none", False, True)


@pytest.mark.parametrize("asked", ["auto", "on"])
def test_a_hybrid_models_answer_is_not_begun(asked: Thinking) -> None:
    found = habit(HYBRID, SILENT, asked)
    assert (found.thinking, found.opened, found.prefills) == ("on", False, False)


def test_a_hybrid_model_asked_not_to_think_is_labelled_and_may_be_begun() -> None:
    found = habit(HYBRID, SILENT + "<think>\n\n</think>\n\n", "off")
    assert (found.thinking, found.opened, found.prefills) == ("off", False, True)


@pytest.mark.parametrize("asked", ["auto", "on", "off"])
def test_nothing_is_begun_inside_an_open_section(asked: Thinking) -> None:
    found = habit(OPENING, SILENT + "<think>\n", asked)
    assert (found.thinking, found.opened, found.prefills) == ("on", True, False)
