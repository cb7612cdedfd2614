"""What an OpenAI-compatible server refuses, and what becomes of it."""

import pytest
from openai_asking import KEY, ask
from stub_server import Reply, StubServer, chat_reply, error_reply

from evalplus_run.records import RunFailed, Sampling, UserError

pytestmark = pytest.mark.usefixtures("openai_key")


async def test_a_refused_key_stops_at_once_and_names_the_variable_but_not_the_key(stub: StubServer) -> None:
    stub.script = lambda asked, number: error_reply(401, f"Incorrect API key provided: {KEY}", code="invalid_api_key")
    with pytest.raises(UserError, match="OPENAI_API_KEY") as error:
        await ask(stub, indices=tuple(range(50)), concurrency=1)
    assert len(stub.asked) == 1
    assert KEY not in str(error.value)


@pytest.mark.parametrize("status", [400, 401, 402, 403, 404])
async def test_a_final_refusal_is_told_in_the_servers_own_words_after_one_request(
    stub: StubServer, status: int
) -> None:
    stub.script = lambda asked, number: error_reply(status, "The model is not for you")
    with pytest.raises(UserError, match="The model is not for you"):
        await ask(stub, indices=tuple(range(50)), concurrency=1)
    assert len(stub.asked) == 1


async def test_a_prompt_that_a_filter_holds_back_is_a_refusal_and_not_asked_again(stub: StubServer) -> None:
    stub.script = lambda asked, number: error_reply(400, "The prompt was filtered", code="content_filter")
    found, _ = await ask(stub, indices=(0, 1))
    assert [(each.text, each.finish_reason) for each in found] == [("", "refusal")] * 2
    assert len(stub.asked) == 2


async def test_a_key_that_a_server_repeats_is_taken_out_of_its_words(stub: StubServer) -> None:
    stub.script = lambda asked, number: error_reply(404, f"no model for {KEY}")
    with pytest.raises(UserError, match="no model for") as error:
        await ask(stub)
    assert KEY not in str(error.value)


@pytest.mark.parametrize("broken", [{"error": {"message": f"bad {KEY}"}}, {"choices": [{"text": None, "id": KEY}]}])
async def test_a_key_that_a_server_repeats_in_an_answer_is_taken_out_of_it(
    stub: StubServer, broken: object, caplog: pytest.LogCaptureFixture
) -> None:
    stub.script = lambda asked, number: Reply(broken)
    with pytest.raises(RunFailed, match=r"\[key\]") as error:
        await ask(stub)
    assert KEY not in str(error.value) + caplog.text


async def test_what_would_move_a_terminal_is_taken_out_of_a_servers_words(stub: StubServer) -> None:
    stub.script = lambda asked, number: error_reply(404, "no\x1b]0;mine\x07 such\r\nmodel\ud800 \x1b[2J")
    with pytest.raises(UserError) as error:
        await ask(stub)
    assert str(error.value).isprintable()
    assert "no ]0;mine such model [2J" in str(error.value)


async def test_an_unsupported_parameter_is_dropped_once_for_the_run_and_told(stub: StubServer) -> None:
    def script(asked, number):
        if "temperature" in asked.body:
            return error_reply(400, "Unsupported value: 'temperature' does not support 0.0", param="temperature")
        return chat_reply("ok")

    stub.script = script
    found, model = await ask(stub, indices=(0, 1, 2), concurrency=1)
    assert len(found) == 3
    assert ["temperature" in asked.body for asked in stub.asked] == [True, False, False, False]
    assert "does not support" in model.versions()["parameter temperature"]


async def test_the_token_limit_is_sent_under_its_other_name_where_the_server_wants_that(stub: StubServer) -> None:
    def script(asked, number):
        if "max_tokens" in asked.body:
            return error_reply(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.")
        return chat_reply("ok")

    stub.script = script
    _, model = await ask(stub)
    assert stub.asked[-1].body["max_completion_tokens"] == 768
    assert model.versions()["parameter max_tokens"] == "sent as max_completion_tokens"


async def test_requests_in_flight_together_all_learn_from_one_refusal(stub: StubServer) -> None:
    def script(asked, number):
        return error_reply(400, "seed is not supported") if "seed" in asked.body else chat_reply("ok")

    stub.script = script
    found, _ = await ask(stub, indices=tuple(range(8)), sampling=Sampling(temperature=1.0), concurrency=8)
    assert len(found) == 8
    assert len(stub.asked) <= 16


async def test_a_wrong_value_is_not_taken_for_an_unsupported_parameter(stub: StubServer) -> None:
    stub.script = lambda asked, number: error_reply(400, "temperature must be between 0 and 1", param="temperature")
    with pytest.raises(UserError, match="between 0 and 1"):
        await ask(stub)
    assert len(stub.asked) == 1


async def test_a_refusal_that_names_nothing_of_ours_stops(stub: StubServer) -> None:
    stub.script = lambda asked, number: error_reply(400, "Unsupported content type")
    with pytest.raises(UserError, match="Unsupported content type"):
        await ask(stub, indices=(0, 1, 2), concurrency=1)
    assert len(stub.asked) == 1


async def test_a_used_up_quota_is_not_waited_for(stub: StubServer) -> None:
    stub.script = lambda asked, number: error_reply(429, "You exceeded your quota", code="insufficient_quota")
    with pytest.raises(UserError, match="exceeded your quota"):
        await ask(stub)
    assert len(stub.asked) == 1
