"""What a template makes of thinking, and whether an answer may be begun."""

import pytest

from evalplus_run.models.base import Thinking
from evalplus_run.models.thinking import Habit, ThinkingRoom, habit, obeyed
from evalplus_run.records import Message, Prompt, UserError

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


@pytest.mark.parametrize("asked", ["auto", "on"])
def test_a_header_that_closes_the_section_is_one_without_thinking(asked: Thinking) -> None:
    found = habit("{% if thinking %}<think>{% else %}</think>{% endif %}", SILENT + "</think>", asked)
    assert (found.thinking, found.opened, found.prefills) == ("off", False, True)


def test_a_template_that_does_not_do_what_it_was_asked_is_refused() -> None:
    with pytest.raises(UserError, match=r"always opens a thinking section: leave prompt\.thinking=auto"):
        obeyed(Habit("on"), "off", "m")
    with pytest.raises(UserError, match=r"closes the thinking section: leave prompt\.thinking=auto"):
        obeyed(Habit("off"), "on", "m")
    assert obeyed(Habit("none"), "on", "m") == Habit("none")


CHAT = Prompt("A/0", messages=(Message("user", "hi"),))
BARE = Prompt("A/0", text="hi")


@pytest.mark.parametrize(
    ("habits", "prompt", "needed", "room"),
    [
        (Habit("on"), CHAT, 1000, 30_000),
        (Habit("on", opened=True), CHAT, 11_000, 29_000),
        (Habit("on"), CHAT, 40_000, 0),
        (Habit("on"), BARE, 1000, 0),
        (Habit("off"), CHAT, 1000, 0),
        (Habit("none"), CHAT, 1000, 0),
    ],
)
def test_thinking_gets_what_is_set_or_what_the_context_leaves(
    habits: Habit, prompt: Prompt, needed: int, room: int
) -> None:
    assert ThinkingRoom(habits, 30_000).beside(prompt, needed, 40_000) == room


def test_a_lack_of_room_is_told_and_noted_with_the_least(caplog: pytest.LogCaptureFixture) -> None:
    room = ThinkingRoom(Habit("on"), 2000)
    room.beside(CHAT, 1000, 4096)
    room.tell()
    assert caplog.messages == []
    assert room.notes() == {"thinking_tokens": "2000"}
    for needed in (3000, 3500, 3100):
        room.beside(CHAT, needed, 4096)
    room.tell()
    told = "596 tokens in place of 2000: the context has 4096 for all of an answer"
    assert caplog.messages == [f"thinking gets {told}"]
    assert room.notes() == {"thinking_tokens": told}
    assert ThinkingRoom(Habit("off"), 2000).notes() == {}
