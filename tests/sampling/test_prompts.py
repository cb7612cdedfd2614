"""Prompts to the byte."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalplus_run.records import Message, Task, UserError
from evalplus_run.sampling.prompts import build_prompt
from evalplus_run.sampling.settings import PromptSettings

TASK = Task("HumanEval/0", '\n\ndef f(x):\n    """Braces {x}, {prompt} and ${home} stay."""\n\n', "f", "", (), ())
STRIPPED = 'def f(x):\n    """Braces {x}, {prompt} and ${home} stay."""'
INSTRUCTION = (
    "Please provide a self-contained Python script that solves the following problem in a markdown code block:"
)
ENDS = ("<|endoftext|>", "<|endofmask|>", "</s>", "\nif __name__", "\ndef main(", "\nprint(")
DATASET_STOP = ("\ndef ", "\nclass ")


def test_a_prefilled_chat_is_evalpluss_to_the_byte() -> None:
    prompt = build_prompt(TASK, DATASET_STOP, PromptSettings(), chat=True, prefills=True)
    assert prompt.messages == (Message("user", f"{INSTRUCTION}\n```\n{STRIPPED}\n```\n"),)
    assert prompt.prefill == (
        "Below is a Python script with a self-contained function that solves the problem"
        " and passes corresponding tests:\n```python\n"
    )
    assert prompt.text == ""
    assert prompt.stop == (*ENDS, "\n```\n")


@pytest.mark.parametrize(("prefills", "prefill"), [(False, True), (True, False)])
def test_a_chat_without_prefill_is_the_user_turn_of_an_api_and_runs_to_its_own_end(
    prefills: bool, prefill: bool
) -> None:
    prompt = build_prompt(TASK, DATASET_STOP, PromptSettings(prefill=prefill), chat=True, prefills=prefills)
    assert prompt.messages == (Message("user", f"{INSTRUCTION}\n```python\n{STRIPPED}\n```"),)
    assert prompt.prefill == ""
    assert prompt.stop == ()


@pytest.mark.parametrize(("style", "chat"), [("base", True), ("base", False), ("evalplus", False), ("plain", False)])
def test_a_base_prompt_is_the_stripped_task_and_one_newline(style, chat: bool) -> None:
    prompt = build_prompt(TASK, DATASET_STOP, PromptSettings(style=style, system="s"), chat=chat, prefills=True)
    assert prompt.text == f"{STRIPPED}\n"
    assert (prompt.messages, prompt.prefill) == ((), "")
    assert prompt.stop == ENDS + DATASET_STOP


def test_a_plain_prompt_is_one_line_and_the_task() -> None:
    prompt = build_prompt(TASK, DATASET_STOP, PromptSettings(style="plain"), chat=True, prefills=True)
    (turn,) = prompt.messages
    instruction, _, rest = turn.content.partition("\n\n")
    assert "\n" not in instruction
    assert rest == STRIPPED
    assert (prompt.prefill, prompt.stop) == ("", ())


def test_a_system_turn_comes_first() -> None:
    prompt = build_prompt(TASK, (), PromptSettings(system="Be brief."), chat=True, prefills=True)
    assert [turn.role for turn in prompt.messages] == ["system", "user"]
    assert prompt.messages[0].content == "Be brief."


@given(before=st.text(), after=st.text())
def test_a_template_of_the_users_is_kept_to_the_letter(
    tmp_path_factory: pytest.TempPathFactory, before: str, after: str
) -> None:
    path = tmp_path_factory.getbasetemp() / "own.txt"
    try:
        path.write_bytes(f"{before}{{prompt}}{after}".encode())
    except UnicodeEncodeError:
        return
    if f"{before}{{prompt}}{after}".count("{prompt}") != 1:
        return
    prompt = build_prompt(TASK, (), PromptSettings(template=str(path)), chat=True, prefills=True)
    assert prompt.messages[-1].content == f"{before}{STRIPPED}{after}"


def test_a_template_of_the_users_holds_for_a_base_model_too(tmp_path: Path) -> None:
    path = tmp_path / "own.txt"
    path.write_text("# Python 3\n{prompt}")
    prompt = build_prompt(TASK, (), PromptSettings(style="base", template=str(path)), chat=True, prefills=True)
    assert prompt.text == f"# Python 3\n{STRIPPED}"


@pytest.mark.parametrize("text", ["no place", "{prompt} and {prompt}"])
def test_a_template_without_exactly_one_place_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "own.txt"
    path.write_text(text)
    with pytest.raises(UserError, match=r"must hold \{prompt\} exactly once"):
        build_prompt(TASK, (), PromptSettings(template=str(path)), chat=True, prefills=True)


def test_a_missing_template_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"prompt\.template=.*own\.txt cannot be read"):
        build_prompt(TASK, (), PromptSettings(template=str(tmp_path / "own.txt")), chat=True, prefills=True)


def test_a_changed_template_is_read_again(tmp_path: Path) -> None:
    path, found = tmp_path / "own.txt", []
    for word in ("one", "two"):
        path.write_text(word + "{prompt}")
        prompt = build_prompt(TASK, (), PromptSettings(template=str(path)), chat=True, prefills=True)
        found.append(prompt.messages[-1].content[:3])
    assert found == ["one", "two"]
