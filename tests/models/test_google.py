"""Gemini by Google's API, against a real server on loopback."""

import pytest
from hosted_apis import GOOGLE, KEY, Api, prepared
from stub_server import Reply, StubServer

from evalplus_run.models.answers import sample_seed
from evalplus_run.models.google import Google
from evalplus_run.models.settings import GoogleSettings
from evalplus_run.records import Sampling, UserError


@pytest.fixture
def api(monkeypatch: pytest.MonkeyPatch) -> Api:
    return prepared(GOOGLE, monkeypatch)


async def test_a_request_has_the_form_of_generate_content(stub: StubServer, api: Api) -> None:
    stub.script = lambda asked, number: api.reply("ok", "", "STOP")
    await api.ask(stub)
    assert stub.asked[0].path.endswith("/models/gemini-2.0-flash:generateContent")
    assert stub.asked[0].headers["x-goog-api-key"] == KEY
    assert stub.asked[0].body["contents"] == [{"role": "user", "parts": [{"text": "write f"}]}]
    assert stub.asked[0].body["systemInstruction"]["parts"] == [{"text": "be brief"}]
    assert stub.asked[0].body["generationConfig"] == {"maxOutputTokens": 768, "temperature": 0.0}


async def test_every_sample_is_asked_for_with_its_own_seed(stub: StubServer, api: Api) -> None:
    stub.script = lambda asked, number: api.reply("ok", "", "STOP")
    await api.ask(stub, indices=(3, 8), sampling=Sampling(n=9, temperature=0.8, seed=5))
    sent = [api.parameters(asked) for asked in stub.asked]
    assert {each["seed"] for each in sent} == {sample_seed(5, "HumanEval/0", index) for index in (3, 8)}
    assert {each["topP"] for each in sent} == {0.95}


async def test_no_more_stop_strings_are_sent_than_the_api_takes_and_all_are_honoured(
    stub: StubServer, api: Api
) -> None:
    stops = tuple(f"<{number}>" for number in range(8))
    stub.script = lambda asked, number: api.reply("a<7>b", "", "STOP")
    (answer,), _ = await api.ask(stub, sampling=Sampling(stop=stops))
    assert api.parameters(stub.asked[0])["stopSequences"] == list(stops[:5])
    assert answer.text == "a"


@pytest.mark.parametrize(
    ("name", "thinking", "sent"),
    [
        ("gemini-2.0-flash", "auto", None),
        ("gemma-3-27b-it", "off", None),
        ("gemini-2.5-flash", "auto", {"include_thoughts": True}),
        ("gemini-2.5-flash", "on", {"include_thoughts": True, "thinking_budget": -1}),
        ("gemini-2.5-flash", "off", {"thinking_budget": 0}),
        ("gemini-2.5-pro", "auto", {"include_thoughts": True}),
        ("gemini-3.8-flash", "on", {"include_thoughts": True}),
    ],
)
async def test_each_family_is_asked_to_think_in_its_own_way(
    stub: StubServer, api: Api, name: str, thinking: str, sent: dict[str, object] | None
) -> None:
    stub.script = lambda asked, number: api.reply("ok", "hm", "STOP")
    (answer,), model = await api.ask(stub, name=name, thinking=thinking)
    assert api.parameters(stub.asked[0]).get("thinkingConfig") == sent
    assert answer.reasoning == "hm"
    assert not model.prefills


async def test_a_model_that_always_thinks_cannot_be_kept_from_it(stub: StubServer, api: Api) -> None:
    with pytest.raises(UserError, match="gemini-3-pro always thinks"):
        await api.ask(stub, name="gemini-3-pro", thinking="off")


async def test_a_prompt_that_is_blocked_is_a_refusal(stub: StubServer, api: Api) -> None:
    stub.script = lambda asked, number: Reply(
        {"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}, "usageMetadata": {"promptTokenCount": 7}}
    )
    (answer,), _ = await api.ask(stub)
    assert (answer.text, answer.finish_reason) == ("", "refusal")
    assert (answer.prompt_tokens, answer.completion_tokens) == (7, None)
    assert len(stub.asked) == 1


async def test_the_wait_is_read_from_the_body_where_it_stands(stub: StubServer, api: Api) -> None:
    details = [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "1.2s"}]
    body = {"error": {"code": 429, "message": "slow", "status": "RESOURCE_EXHAUSTED", "details": details}}
    stub.script = lambda asked, number: Reply(body, 429) if number == 0 else api.reply("ok", "", "STOP")
    await api.ask(stub)
    assert stub.asked[1].at - stub.asked[0].at >= 1.2


async def test_a_days_quota_that_is_used_up_is_not_waited_for(stub: StubServer, api: Api) -> None:
    details = [{"violations": [{"quotaId": "GenerateRequestsPerDayPerProjectPerModel-FreeTier"}]}]
    body = {"error": {"code": 429, "message": "quota", "status": "RESOURCE_EXHAUSTED", "details": details}}
    stub.script = lambda asked, number: Reply(body, 429)
    with pytest.raises(UserError, match="quota"):
        await api.ask(stub)
    assert len(stub.asked) == 1


async def test_a_parameter_by_googles_name_is_given_up(stub: StubServer, api: Api) -> None:
    def script(asked, number):
        if "stopSequences" in api.parameters(asked):
            return api.error(400, 'Invalid JSON payload received. Unknown name "stopSequences" at generation_config')
        return api.reply("ok", "", "STOP")

    stub.script = script
    _, model = await api.ask(stub, sampling=Sampling(stop=("END",)), indices=(0, 1), concurrency=1)
    assert len(stub.asked) == 3
    assert "parameter stop" in model.versions()


async def test_the_connections_are_closed_with_the_model(stub: StubServer, api: Api) -> None:
    stub.script = lambda asked, number: api.reply("ok", "", "STOP")
    _, model = await api.ask(stub)
    assert model._http.is_closed


async def test_a_key_is_needed(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GEMINI_API_KEY")
    with pytest.raises(UserError, match="GEMINI_API_KEY is not set"):
        await Google(GoogleSettings(name="gemini-3-pro")).start()
