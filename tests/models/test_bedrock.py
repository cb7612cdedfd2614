"""Amazon Bedrock's Converse API, against a real server on loopback."""

import asyncio
import threading

import pytest
from hosted_apis import BEDROCK, BEGUN, KEY, PROMPT, Api, prepared
from stub_server import StubServer

from evalplus_run.models.bedrock import Bedrock
from evalplus_run.models.settings import BedrockSettings
from evalplus_run.records import Request, Sampling, UserError


@pytest.fixture
def api(monkeypatch: pytest.MonkeyPatch) -> Api:
    return prepared(BEDROCK, monkeypatch)


async def test_a_request_has_the_form_of_converse(stub: StubServer, api: Api) -> None:
    stub.script = lambda asked, number: api.reply("ok", "", "end_turn")
    await api.ask(stub)
    assert stub.asked[0].path == "/model/anthropic.claude-3-5-haiku-20241022-v1%3A0/converse"
    assert stub.asked[0].body == {
        "system": [{"text": "be brief"}],
        "messages": [{"role": "user", "content": [{"text": "write f"}]}],
        "inferenceConfig": {"maxTokens": 768, "temperature": 0.0},
    }
    assert KEY not in str(stub.asked[0].headers)


async def test_a_begun_answer_is_sent_without_the_white_space_at_its_end(stub: StubServer, api: Api) -> None:
    stub.script = lambda asked, number: api.reply("\ndef f(): pass", "", "end_turn")
    (answer,), _ = await api.ask(stub, BEGUN)
    assert stub.asked[0].body["messages"][-1] == {"role": "assistant", "content": [{"text": "Here:\n```python"}]}
    assert answer.text == "def f(): pass"


async def test_claude_is_asked_to_think_as_at_home_and_gets_no_temperature_then(stub: StubServer, api: Api) -> None:
    stub.script = lambda asked, number: api.reply("ok", "hm", "end_turn")
    name = "us.anthropic.claude-sonnet-4-5-20250929-v1:0"
    (answer,), _ = await api.ask(stub, name=name, thinking="on", sampling=Sampling(temperature=0.8))
    asked = stub.asked[0].body
    assert asked["additionalModelRequestFields"] == {"thinking": {"type": "enabled", "budget_tokens": 32_768}}
    assert asked["inferenceConfig"] == {"maxTokens": 768 + 32_768}
    assert answer.reasoning == "hm"


async def test_other_models_are_not_begun_for_and_told_nothing_of_thinking(stub: StubServer, api: Api) -> None:
    stub.script = lambda asked, number: api.reply("ok", "", "end_turn")
    _, model = await api.ask(stub, name="amazon.nova-pro-v1:0", sampling=Sampling(temperature=0.8))
    assert not model.prefills
    assert stub.asked[0].body["inferenceConfig"] == {"maxTokens": 768, "temperature": 0.8, "topP": 0.95}
    assert "additionalModelRequestFields" not in stub.asked[0].body


async def test_all_requests_are_in_flight_at_once_up_to_the_concurrency(stub: StubServer, api: Api) -> None:
    stub.script = lambda asked, number: None
    model = api.model(stub, concurrency=12)
    await model.start()
    flight = model.complete([Request(PROMPT, tuple(range(40)))], Sampling())
    waiting = asyncio.ensure_future(anext(flight))
    while len(stub.asked) < 12:
        await asyncio.sleep(0.001)
    for _ in range(50):
        await asyncio.sleep(0)
    assert len(stub.asked) == 12
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    await flight.aclose()
    await model.close()


async def test_the_programs_end_does_not_wait_for_a_request_in_flight(stub: StubServer, api: Api) -> None:
    before = set(threading.enumerate())
    stub.script = lambda asked, number: None
    model = api.model(stub)
    await model.start()
    waiting = asyncio.ensure_future(anext(model.complete([Request(PROMPT, (0,))], Sampling())))
    while not stub.asked:
        await asyncio.sleep(0.001)
    assert {thread.daemon for thread in set(threading.enumerate()) - before} == {True}
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    await model.close()


async def test_missing_credentials_are_told(stub: StubServer, api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_BEARER_TOKEN_BEDROCK", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(UserError, match="credentials"):
        await api.ask(stub)
    assert stub.asked == []


async def test_a_missing_region_is_told(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AWS_REGION", "AWS_DEFAULT_REGION", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(UserError, match=r"set model\.region"):
        await Bedrock(BedrockSettings(name="m")).start()


async def test_a_model_that_may_not_be_used_stops_at_once(stub: StubServer, api: Api) -> None:
    stub.script = lambda asked, number: api.error(403, "You don't have access to the model")
    with pytest.raises(UserError, match=r"refused access \(403\).*access to the model"):
        await api.ask(stub, indices=(0, 1, 2), concurrency=1)
    assert len(stub.asked) == 1
