"""Claude by Anthropic's API, against a real server on loopback."""

import pytest
from hosted_apis import ANTHROPIC, BEGUN, KEY, Api, prepared
from stub_server import Reply, StubServer

from evalplus_run.models.anthropic import Anthropic
from evalplus_run.models.settings import AnthropicSettings
from evalplus_run.records import Sampling, UserError


@pytest.fixture
def api(monkeypatch: pytest.MonkeyPatch) -> Api:
    return prepared(ANTHROPIC, monkeypatch)


async def test_a_request_has_the_form_of_the_messages_api(stub: StubServer, api: Api) -> None:
    stub.script = lambda asked, number: api.reply("ok", "", "end_turn")
    await api.ask(stub)
    assert stub.asked[0].path == "/v1/messages"
    assert stub.asked[0].headers["authorization"] == f"Bearer {KEY}"
    assert stub.asked[0].body == {
        "model": "claude-3-5-haiku-20241022",
        "system": "be brief",
        "messages": [{"role": "user", "content": "write f"}],
        "max_tokens": 768,
        "temperature": 0.0,
    }


async def test_a_begun_answer_is_sent_without_the_white_space_at_its_end_and_goes_on_from_there(
    stub: StubServer, api: Api
) -> None:
    stub.script = lambda asked, number: api.reply("\ndef f(): pass\n```\nThat is all.", "", "end_turn")
    (answer,), model = await api.ask(stub, BEGUN)
    assert model.prefills
    assert stub.asked[0].body["messages"][-1] == {"role": "assistant", "content": "Here:\n```python"}
    assert answer.text == "def f(): pass"


@pytest.mark.parametrize(
    ("name", "thinking", "sent", "prefills"),
    [
        ("claude-3-5-haiku-20241022", "auto", None, True),
        ("claude-3-5-haiku-20241022", "off", None, True),
        ("claude-sonnet-4-20250514", "auto", None, True),
        ("claude-sonnet-4-5-20250929", "on", {"type": "enabled", "budget_tokens": 32_768}, False),
        ("claude-sonnet-4-5-20250929", "off", None, True),
        ("claude-opus-4-6", "auto", None, False),
        ("claude-opus-4-8", "on", {"type": "adaptive", "display": "summarized"}, False),
        ("claude-opus-4-8", "off", {"type": "disabled"}, False),
        ("claude-opus-5-5", "auto", None, False),
        ("claude-sonnet-5", "off", {"type": "disabled"}, False),
        ("claude-fable-5-2", "auto", {"type": "adaptive", "display": "summarized"}, False),
        ("claude-newest-99", "on", {"type": "adaptive", "display": "summarized"}, False),
    ],
)
async def test_each_family_is_asked_to_think_in_its_own_way(
    stub: StubServer, api: Api, name: str, thinking: str, sent: dict[str, object] | None, prefills: bool
) -> None:
    stub.script = lambda asked, number: api.reply("ok", "hm", "end_turn")
    (answer,), model = await api.ask(stub, name=name, thinking=thinking)
    assert stub.asked[0].body.get("thinking") == sent
    assert model.prefills is prefills
    assert answer.reasoning == "hm"


@pytest.mark.parametrize(
    ("name", "thinking", "sent"),
    [
        ("claude-3-5-haiku-20241022", "auto", {"temperature", "top_p"}),
        ("claude-sonnet-4-5-20250929", "auto", {"temperature"}),
        ("claude-sonnet-4-5-20250929", "on", set()),
        ("claude-opus-4-6", "auto", {"temperature"}),
        ("claude-opus-4-7", "auto", set()),
        ("claude-haiku-5-5", "auto", set()),
    ],
)
async def test_each_family_gets_the_parameters_that_it_takes(
    stub: StubServer, api: Api, name: str, thinking: str, sent: set[str]
) -> None:
    stub.script = lambda asked, number: api.reply("ok", "", "end_turn")
    _, model = await api.ask(stub, name=name, thinking=thinking, sampling=Sampling(temperature=0.8))
    assert stub.asked[0].body.keys() & {"temperature", "top_p", "seed"} == sent
    told = {name.removeprefix("parameter ") for name in model.versions() if name.startswith("parameter ")}
    assert told == {"temperature", "top_p", "seed"} - sent


async def test_what_the_user_says_a_model_takes_is_sent(stub: StubServer, api: Api) -> None:
    stub.script = lambda asked, number: api.reply("ok", "", "end_turn")
    _, model = await api.ask(stub, name="claude-opus-4-7", takes=("temperature", "prefill"))
    assert stub.asked[0].body["temperature"] == 0.0
    assert model.prefills


async def test_a_model_that_always_thinks_cannot_be_kept_from_it(stub: StubServer, api: Api) -> None:
    with pytest.raises(UserError, match=r"claude-fable-5 always thinks: leave prompt\.thinking=auto"):
        await api.ask(stub, name="claude-fable-5", thinking="off")
    assert stub.asked == []


async def test_a_model_that_cannot_think_is_not_told_to(stub: StubServer, api: Api) -> None:
    with pytest.raises(UserError, match="is not known to take an order to think"):
        await api.ask(stub, thinking="on")


async def test_redacted_thinking_and_unknown_blocks_are_no_answer(stub: StubServer, api: Api) -> None:
    blocks = [
        {"type": "redacted_thinking", "data": "xxx"},
        {"type": "something_new", "text": "no"},
        {"type": "text", "text": "a", "citations": None},
        {"type": "text", "text": "b"},
    ]
    stub.script = lambda asked, number: Reply({"content": blocks, "stop_reason": "end_turn"})
    (answer,), _ = await api.ask(stub)
    assert (answer.text, answer.reasoning) == ("ab", "")
    assert (answer.prompt_tokens, answer.completion_tokens) == (None, None)


async def test_cached_tokens_of_the_prompt_are_counted(stub: StubServer, api: Api) -> None:
    usage = {"input_tokens": 7, "cache_read_input_tokens": 5, "cache_creation_input_tokens": None, "output_tokens": 1}
    stub.script = lambda asked, number: Reply({"content": [], "stop_reason": "end_turn", "usage": usage})
    (answer,), _ = await api.ask(stub)
    assert answer.prompt_tokens == 12


async def test_a_wrong_value_is_not_taken_for_an_unsupported_parameter(stub: StubServer, api: Api) -> None:
    stub.script = lambda asked, number: api.error(400, "temperature: range: 0..1")
    with pytest.raises(UserError, match=r"range: 0\.\.1"):
        await api.ask(stub)
    assert len(stub.asked) == 1


async def test_an_answer_that_a_filter_held_back_is_a_refusal(stub: StubServer, api: Api) -> None:
    stub.script = lambda asked, number: api.error(400, "Output blocked by content filtering policy")
    (answer,), _ = await api.ask(stub)
    assert (answer.text, answer.finish_reason) == ("", "refusal")
    assert len(stub.asked) == 1


async def test_a_key_is_needed(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    with pytest.raises(UserError, match="ANTHROPIC_API_KEY is not set"):
        await Anthropic(AnthropicSettings(name="claude-opus-5")).start()


async def test_another_key_of_the_environment_is_not_sent_beside(
    stub: StubServer, api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "other")
    stub.script = lambda asked, number: api.reply("ok", "", "end_turn")
    await api.ask(stub)
    assert "other" not in str(stub.asked[0].headers)
    assert stub.asked[0].headers["authorization"] == f"Bearer {KEY}"
