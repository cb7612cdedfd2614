"""The OpenAI-compatible model against a real server on loopback."""

import asyncio
import logging
from contextlib import aclosing

import pytest
from stub_server import Reply, StubServer, chat_reply, error_reply

from evalplus_run.models.answers import sample_seed
from evalplus_run.models.openai import OpenAI
from evalplus_run.models.retry import Patience
from evalplus_run.models.settings import OpenAISettings
from evalplus_run.records import Completion, Message, Prompt, Request, RunFailed, Sampling, UserError

KEY = "sk-secret-0123456789"
QUICK = Patience(attempts=6, attempts_unreached=3, first_wait=0.001, longest_wait=0.002)
PROMPT = Prompt("HumanEval/0", messages=(Message("user", "write f"),))
BASE = Prompt("HumanEval/0", text="def f():\n", stop=("\ndef ",))


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


async def ask(
    stub: StubServer,
    prompt: Prompt = PROMPT,
    indices: tuple[int, ...] = (0,),
    sampling: Sampling = Sampling(),  # noqa: B008
    **settings: object,
) -> tuple[list[Completion], OpenAI]:
    model = OpenAI(OpenAISettings(name="m", base_url=stub.url, **settings), patience=QUICK)  # type: ignore[arg-type]
    await model.start()
    try:
        found = [each async for each in model.complete([Request(prompt, indices)], sampling)]
    finally:
        await model.close()
    return found, model


async def test_a_chat_answer_arrives_with_its_counts_and_its_reasoning_apart(stub: StubServer) -> None:
    stub.script = lambda asked, number: chat_reply("```python\nx\n```", reasoning_content="hm")
    (answer,), _ = await ask(stub)
    assert (answer.text, answer.reasoning, answer.finish_reason) == ("```python\nx\n```", "hm", "stop")
    assert (answer.task_id, answer.index) == ("HumanEval/0", 0)
    assert (answer.prompt_tokens, answer.completion_tokens) == (7, 3)
    assert stub.asked[0].path == "/v1/chat/completions"
    assert stub.asked[0].body == {
        "model": "m",
        "messages": [{"role": "user", "content": "write f"}],
        "max_tokens": 768,
        "temperature": 0.0,
    }
    assert stub.asked[0].headers["authorization"] == f"Bearer {KEY}"


async def test_a_base_model_is_asked_for_a_continuation_and_cut_at_a_stop_string_the_server_ignored(
    stub: StubServer,
) -> None:
    stub.script = lambda asked, number: Reply({"choices": [{"text": "    return 1\ndef g", "finish_reason": "length"}]})
    (answer,), _ = await ask(stub, BASE, endpoint="completions")
    assert answer.text == "    return 1"
    assert stub.asked[0].path == "/v1/completions"
    assert stub.asked[0].body["prompt"] == "def f():\n"
    assert stub.asked[0].body["stop"] == ["\ndef "]


async def test_every_sample_is_asked_for_with_its_own_seed(stub: StubServer) -> None:
    found, _ = await ask(stub, indices=(3, 8), sampling=Sampling(n=9, temperature=0.8, seed=5))
    assert sorted(each.index for each in found) == [3, 8]
    seeds = {asked.body["seed"] for asked in stub.asked}
    assert seeds == {sample_seed(5, "HumanEval/0", 3), sample_seed(5, "HumanEval/0", 8)}
    assert {asked.body["top_p"] for asked in stub.asked} == {0.95}


async def test_no_more_requests_are_open_than_the_concurrency(stub: StubServer) -> None:
    model = OpenAI(OpenAISettings(name="m", base_url=stub.url, concurrency=3), patience=QUICK)
    await model.start()
    stub.script = lambda asked, number: None
    async with aclosing(model.complete([Request(PROMPT, tuple(range(10)))], Sampling())) as flight:
        waiting = asyncio.ensure_future(anext(flight))
        while len(stub.asked) < 3:
            await asyncio.sleep(0.001)
        for _ in range(20):
            await asyncio.sleep(0)
        assert len(stub.asked) == 3
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
    await model.close()


async def test_closing_the_stream_hangs_up_on_the_server(stub: StubServer) -> None:
    stub.script = lambda asked, number: chat_reply("first") if number == 0 else None
    model = OpenAI(OpenAISettings(name="m", base_url=stub.url, concurrency=2), patience=QUICK)
    await model.start()
    async with aclosing(model.complete([Request(PROMPT, (0, 1, 2))], Sampling())) as flight:
        assert (await anext(flight)).text == "first"
        while len(stub.asked) < 2:
            await asyncio.sleep(0.001)
    await asyncio.wait_for(stub.asked[1].hung_up.wait(), 30)
    await model.close()


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


async def test_a_storm_of_too_many_requests_reaches_the_answers_of_a_calm_server(stub: StubServer) -> None:
    def answer(asked):
        return chat_reply(f"seed {asked.body['seed']}")

    def storm(asked, number):
        return answer(asked) if number % 4 == 3 else error_reply(429, "slow down", {"retry-after-ms": "1"})

    async def drawn():
        found, _ = await ask(stub, indices=tuple(range(60)), sampling=Sampling(temperature=0.8), concurrency=16)
        return sorted((each.index, each.text) for each in found)

    stub.script = lambda asked, number: answer(asked)
    calm = await drawn()
    stub.asked.clear()
    stub.script = storm
    assert await drawn() == calm
    assert len(stub.asked) == 4 * 60


async def test_fewer_requests_are_open_once_the_server_is_too_busy(stub: StubServer) -> None:
    stub.script = lambda asked, number: error_reply(429, "slow down") if number < 8 else None
    model = OpenAI(OpenAISettings(name="m", base_url=stub.url, concurrency=8), patience=QUICK)
    await model.start()
    async with aclosing(model.complete([Request(PROMPT, tuple(range(20)))], Sampling())) as flight:
        waiting = asyncio.ensure_future(anext(flight))
        while len(stub.asked) < 12:
            await asyncio.sleep(0.001)
        await asyncio.sleep(0.05)
        assert len(stub.asked) == 12
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
    await model.close()


async def test_a_wait_that_the_server_asks_for_holds_for_all_and_is_told_once(
    stub: StubServer, caplog: pytest.LogCaptureFixture
) -> None:
    busy = error_reply(429, "slow down", {"retry-after": "1"})
    stub.script = lambda asked, number: busy if number < 8 else chat_reply("ok")
    with caplog.at_level(logging.WARNING):
        found, _ = await ask(stub, indices=tuple(range(8)), concurrency=8)
    assert len(found) == 8
    assert [message for message in caplog.messages if "slow down" in message] == [
        f"{stub.url} answered 429: slow down; nothing is asked for 1.0 s"
    ]
    assert min(asked.at for asked in stub.asked[8:]) - stub.asked[0].at >= 1


async def test_requests_are_paced_by_the_setting(stub: StubServer) -> None:
    # 0.6 s between the first and the last, less what the first connection takes.
    await ask(stub, indices=tuple(range(4)), requests_per_minute=300)
    assert stub.asked[-1].at - stub.asked[0].at >= 0.3


async def test_tokens_are_paced_by_what_the_server_counted_and_not_by_what_was_feared(stub: StubServer) -> None:
    # 10 tokens take 0.6 s, and the nearly 800 that an answer may take most of a minute.
    await asyncio.wait_for(ask(stub, indices=(0, 1), concurrency=1, tokens_per_minute=1000), 30)
    assert stub.asked[1].at - stub.asked[0].at >= 0.3


async def test_a_server_that_hangs_is_hung_up_on_and_asked_again(stub: StubServer) -> None:
    stub.script = lambda asked, number: None if number < 2 else chat_reply("ok")
    (answer,), _ = await ask(stub, timeout_s=0.3)
    assert answer.text == "ok"
    assert len(stub.asked) == 3


async def test_an_answer_that_drips_for_ever_is_given_up_on_after_the_time_limit(stub: StubServer) -> None:
    drips = 0

    async def drip(reader, writer):
        nonlocal drips
        drips += 1
        try:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n")
            while True:
                writer.write(b" ")
                await writer.drain()
                await asyncio.sleep(0.01)
        except ConnectionError:
            pass
        finally:
            writer.close()

    async with await asyncio.start_server(drip, "127.0.0.1", 0) as server:
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
        model = OpenAI(OpenAISettings(name="m", base_url=url, timeout_s=0.3), patience=QUICK)
        await model.start()
        with pytest.raises(UserError, match=r"within 0\.3 s \(model\.timeout_s\)"):
            await anext(model.complete([Request(PROMPT, (0,))], Sampling()))
        await model.close()
    assert drips == QUICK.attempts_unreached


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


async def test_a_busy_server_is_waited_for_as_long_as_it_asks(stub: StubServer) -> None:
    busy = error_reply(429, "slow down", {"retry-after-ms": "300"})
    stub.script = lambda asked, number: busy if number == 0 else chat_reply("ok")
    await ask(stub)
    assert stub.asked[1].at - stub.asked[0].at >= 0.3


async def test_a_failing_server_is_asked_again_five_times(stub: StubServer) -> None:
    stub.script = lambda asked, number: error_reply(503, "down") if number < 5 else chat_reply("ok")
    (answer,), _ = await ask(stub)
    assert answer.text == "ok"
    assert len(stub.asked) == 6


async def test_an_answer_that_fails_for_good_is_told_after_the_others(stub: StubServer) -> None:
    def script(asked, number):
        bad = asked.body["messages"][0]["content"] == "bad"
        return error_reply(500, "boom") if bad else chat_reply("ok")

    stub.script = script
    model = OpenAI(OpenAISettings(name="m", base_url=stub.url), patience=QUICK)
    await model.start()
    bad = Prompt("HumanEval/1", messages=(Message("user", "bad"),))
    found = []
    with pytest.raises(RunFailed, match="1 answer could not be had .*boom"):
        async for each in model.complete([Request(bad, (0,)), Request(PROMPT, tuple(range(20)))], Sampling()):
            found.append(each)  # noqa: PERF401
    await model.close()
    assert len(found) == 20


async def test_a_server_that_always_fails_is_given_up_on_after_a_bounded_number_of_requests(stub: StubServer) -> None:
    stub.script = lambda asked, number: error_reply(500, "boom")
    with pytest.raises(RunFailed, match="boom"):
        await ask(stub, indices=tuple(range(1000)), concurrency=4)
    assert len(stub.asked) <= 12 * QUICK.attempts


async def test_a_used_up_quota_is_not_waited_for(stub: StubServer) -> None:
    stub.script = lambda asked, number: error_reply(429, "You exceeded your quota", code="insufficient_quota")
    with pytest.raises(UserError, match="exceeded your quota"):
        await ask(stub)
    assert len(stub.asked) == 1


@pytest.mark.parametrize(
    "broken",
    [
        Reply(raw=b""),
        Reply(raw=b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{"),
        Reply(raw=b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{oh dear}"),
        Reply(raw=b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 4\r\n\r\n<oh>"),
        Reply({"choices": []}),
        Reply({"choices": "none"}),
        Reply({"choices": [{"index": 0, "finish_reason": "stop"}]}),
        chat_reply("half of", finish="error"),
        Reply({"error": {"message": "overloaded"}}),
        Reply(
            raw=b'HTTP/1.1 200 OK\r\ncontent-length: 200010\r\n\r\n{"more": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"
        ),
    ],
    ids=[
        "reset",
        "half-closed",
        "malformed",
        "html",
        "no-choice",
        "wrong-type",
        "no-message",
        "broken-off",
        "error-with-200",
        "nested",
    ],
)
async def test_a_broken_answer_is_asked_for_again(stub: StubServer, broken: Reply) -> None:
    stub.script = lambda asked, number: broken if number < 2 else chat_reply("ok")
    (answer,), _ = await ask(stub)
    assert answer.text == "ok"
    assert len(stub.asked) == 3


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


async def test_a_local_server_needs_no_key(stub: StubServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    (answer,), _ = await ask(stub)
    assert answer.text == "x"


async def test_a_proxy_of_the_environment_is_not_asked_for_a_server_on_this_machine(
    stub: StubServer, monkeypatch: pytest.MonkeyPatch, unused_tcp_port: int
) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{unused_tcp_port}")
    (answer,), _ = await ask(stub)
    assert answer.text == "x"


async def test_openai_itself_needs_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    with pytest.raises(UserError, match="OPENAI_API_KEY is not set"):
        await OpenAI(OpenAISettings(name="gpt")).start()


async def test_a_wrong_address_is_told_after_a_few_tries(unused_tcp_port: int) -> None:
    model = OpenAI(OpenAISettings(name="m", base_url=f"http://127.0.0.1:{unused_tcp_port}/v1"), patience=QUICK)
    await model.start()
    with pytest.raises(UserError, match=r"Nothing answers at .*model\.base_url"):
        await anext(model.complete([Request(PROMPT, (0,))], Sampling()))
    await model.close()


@pytest.mark.parametrize("url", ["http://user:pw@host/v1", "https://host/v1?key=abc"])
def test_a_secret_in_the_address_is_refused_and_not_repeated(url: str) -> None:
    with pytest.raises(UserError) as error:
        OpenAI(OpenAISettings(name="m", base_url=url)).identity()
    assert "pw" not in str(error.value)
    assert "abc" not in str(error.value)


def test_the_identity_holds_no_key() -> None:
    model = OpenAI(OpenAISettings(name="m", base_url="http://host/v1/"))
    assert model.identity()["base_url"] == "http://host/v1"
    assert KEY not in str(model.identity())


async def test_thinking_is_passed_on_to_the_servers_template(stub: StubServer) -> None:
    model = OpenAI(OpenAISettings(name="m", base_url=stub.url), patience=QUICK)
    await model.start("off")
    await anext(model.complete([Request(PROMPT, (0,))], Sampling()))
    await model.close()
    assert stub.asked[0].body["chat_template_kwargs"] == {"enable_thinking": False}


async def test_thinking_is_asked_for_by_effort_where_the_server_wants_that(stub: StubServer) -> None:
    model = OpenAI(OpenAISettings(name="m", base_url=stub.url, thinking_by="reasoning_effort"), patience=QUICK)
    await model.start("off")
    await anext(model.complete([Request(PROMPT, (0,))], Sampling()))
    await model.close()
    assert stub.asked[0].body["reasoning_effort"] == "none"
    assert "chat_template_kwargs" not in stub.asked[0].body
    assert model.identity()["thinking_by"] == "reasoning_effort"


async def test_a_family_whose_limit_has_a_newer_name_gets_that_at_once(stub: StubServer) -> None:
    model = OpenAI(OpenAISettings(name="gpt-5.2", base_url=stub.url), patience=QUICK)
    await model.start()
    await anext(model.complete([Request(PROMPT, (0,))], Sampling()))
    await model.close()
    # It thinks by itself, which takes from the same limit.
    assert stub.asked[0].body["max_completion_tokens"] == 768 + 32_768
    assert "max_tokens" not in stub.asked[0].body


async def test_what_the_user_says_is_refused_is_never_sent(stub: StubServer) -> None:
    _, model = await ask(stub, refuses=("temperature", "max_tokens"))
    assert "temperature" not in stub.asked[0].body
    assert stub.asked[0].body["max_completion_tokens"] == 768
    assert model.identity()["refuses"] == "max_tokens temperature"


async def test_a_bare_text_for_a_chat_endpoint_is_refused(stub: StubServer) -> None:
    with pytest.raises(UserError, match=r"model\.endpoint=chat does not fit"):
        await ask(stub, BASE)
    assert stub.asked == []
