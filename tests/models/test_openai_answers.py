"""How the OpenAI-compatible model reads answers of a real server on loopback."""

import logging
from typing import Any

import pytest
from openai_asking import ask
from stub_server import BROKEN, ODD_COUNTS, Reply, StubServer, chat_reply

pytestmark = pytest.mark.usefixtures("openai_key")


OF_CHOICES = {
    "no-choice": Reply({"choices": []}),
    "no-message": Reply({"choices": [{"index": 0, "finish_reason": "stop"}]}),
    "broken-off": chat_reply("half of", finish="error"),
    "error-with-200": Reply({"error": {"message": "overloaded"}}),
}


@pytest.mark.parametrize("broken", [*BROKEN.values(), *OF_CHOICES.values()], ids=[*BROKEN, *OF_CHOICES])
async def test_a_broken_answer_is_asked_for_again(stub: StubServer, broken: Reply) -> None:
    stub.script = lambda asked, number: broken if number < 2 else chat_reply("ok")
    (answer,), _ = await ask(stub)
    assert answer.text == "ok"
    assert len(stub.asked) == 3


@pytest.mark.parametrize("counts", ODD_COUNTS.values(), ids=ODD_COUNTS)
async def test_an_answer_is_kept_whose_tokens_nobody_can_have_counted_so(
    stub: StubServer, counts: tuple[object, object]
) -> None:
    odd = dict(zip(("prompt_tokens", "completion_tokens"), counts, strict=True))
    stub.script = lambda asked, number: Reply({**chat_reply("ok").body, "usage": odd})
    (answer,), _ = await ask(stub)
    assert (answer.text, answer.prompt_tokens, answer.completion_tokens) == ("ok", None, None)
    assert len(stub.asked) == 1


@pytest.mark.parametrize("usage", ["much", [7, 3], 10])
async def test_an_answer_is_kept_whose_counts_are_no_object(stub: StubServer, usage: Any) -> None:
    stub.script = lambda asked, number: Reply({**chat_reply("ok").body, "usage": usage})
    (answer,), _ = await ask(stub)
    assert (answer.text, answer.prompt_tokens, answer.completion_tokens) == ("ok", None, None)


async def test_half_a_surrogate_pair_in_an_answer_is_kept(stub: StubServer) -> None:
    stub.script = lambda asked, number: chat_reply("a\ud83d")
    (answer,), _ = await ask(stub)
    assert answer.text == "a\ud83d"


async def test_null_content_is_an_empty_answer_with_its_reason_and_one_warning(
    stub: StubServer, caplog: pytest.LogCaptureFixture
) -> None:
    stub.script = lambda asked, number: chat_reply(None, finish="length", reasoning_content="…")
    with caplog.at_level(logging.WARNING):
        found, _ = await ask(stub, indices=(0, 1))
    assert {(each.text, each.reasoning, each.finish_reason) for each in found} == {("", "…", "length")}
    assert sum("raise sampling.max_tokens" in message for message in caplog.messages) == 1


@pytest.mark.parametrize(
    ("reply", "finish"),
    [
        (chat_reply(None, finish="content_filter"), "refusal"),
        (Reply({"choices": [{"index": 0, "finish_reason": "content_filter"}]}), "refusal"),
        (chat_reply(None, refusal="I cannot"), "refusal"),
        (chat_reply("x", finish="tool_calls"), "unknown"),
    ],
)
async def test_a_refusal_is_told_from_an_end(stub: StubServer, reply: Reply, finish: str) -> None:
    stub.script = lambda asked, number: reply
    (answer,), _ = await ask(stub)
    assert answer.finish_reason == finish
