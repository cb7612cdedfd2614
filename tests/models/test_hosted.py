"""What every API with a library of its own must do, against a real server on loopback that speaks it."""

import asyncio
import logging
from contextlib import aclosing

import pytest
from hosted_apis import APIS, BEGUN, KEY, PROMPT, Api, prepared
from stub_server import BROKEN, ODD_COUNTS, Reply, StubServer

from evalplus_run.records import Message, Prompt, Request, RunFailed, Sampling, UserError


@pytest.fixture(params=APIS, ids=lambda api: api.kind)
def api(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Api:
    return prepared(request.param, monkeypatch)


async def test_an_answer_arrives_with_its_counts_and_its_thinking_apart(stub: StubServer, api: Api) -> None:
    word = next(iter(api.finishes))
    stub.script = lambda asked, number: api.reply("```python\nx\n```", "hm", word)
    (answer,), _ = await api.ask(stub)
    assert (answer.text, answer.reasoning, answer.finish_reason) == ("```python\nx\n```", "hm", "stop")
    assert (answer.task_id, answer.index) == ("HumanEval/0", 0)
    assert (answer.prompt_tokens, answer.completion_tokens) == (7, 3)
    assert answer.seconds > 0
    assert "be brief" in str(stub.asked[0].body)
    assert len(stub.asked) == 1


# AWS's own library does not read an answer with counts that are no numbers.
@pytest.mark.parametrize("counts", [ODD_COUNTS[kind] for kind in ("negative", "beyond-all-models")])
async def test_an_answer_is_kept_whose_tokens_nobody_can_have_counted_so(
    stub: StubServer, api: Api, counts: tuple[object, object]
) -> None:
    reply = api.reply("ok", "", next(iter(api.finishes)))
    usage = next(name for name in ("usage", "usageMetadata") if name in reply.body)
    odd = {
        name: counts[0 if name in ("input_tokens", "promptTokenCount", "inputTokens") else 1]
        for name in reply.body[usage]
    }
    stub.script = lambda asked, number: Reply({**reply.body, usage: odd})
    (answer,), _ = await api.ask(stub)
    assert (answer.text, answer.prompt_tokens, answer.completion_tokens) == ("ok", None, None)
    assert len(stub.asked) == 1


async def test_every_end_is_told_by_its_kind(stub: StubServer, api: Api) -> None:
    words = list(api.finishes)
    stub.script = lambda asked, number: api.reply("x", "", words[number])
    found, _ = await api.ask(stub, indices=tuple(range(len(words))), concurrency=1)
    assert [each.finish_reason for each in found] == list(api.finishes.values())


async def test_no_content_is_an_empty_answer_with_its_reason_and_one_warning(
    stub: StubServer, api: Api, caplog: pytest.LogCaptureFixture
) -> None:
    word = next(word for word, finish in api.finishes.items() if finish == "length")
    stub.script = lambda asked, number: api.reply("", "long thoughts", word)
    with caplog.at_level(logging.WARNING):
        found, _ = await api.ask(stub, indices=(0, 1))
    assert {(each.text, each.reasoning, each.finish_reason) for each in found} == {("", "long thoughts", "length")}
    assert sum("raise sampling.max_tokens" in message for message in caplog.messages) == 1


async def test_a_refused_key_stops_at_once_with_the_servers_words_but_without_the_key(
    stub: StubServer, api: Api, caplog: pytest.LogCaptureFixture
) -> None:
    stub.script = lambda asked, number: api.wrong_key(f"no such key {KEY} here")
    with pytest.raises(UserError, match=r"refused the key \(401\).*no such key \[key\] here") as error:
        await api.ask(stub, indices=tuple(range(50)), concurrency=1)
    assert len(stub.asked) == 1
    assert KEY not in str(error.value) + caplog.text


async def test_an_unknown_model_stops_at_once_with_the_servers_words(stub: StubServer, api: Api) -> None:
    stub.script = lambda asked, number: api.error(404, f"no such model for {KEY}")
    with pytest.raises(UserError, match=r"no such model for \[key\]"):
        await api.ask(stub, indices=(0, 1, 2), concurrency=1)
    assert len(stub.asked) == 1


async def test_a_busy_server_is_waited_for_as_long_as_it_asks(stub: StubServer, api: Api) -> None:
    busy = api.error(429, "slow down")
    busy.headers["retry-after"] = "1"
    word = next(iter(api.finishes))
    stub.script = lambda asked, number: busy if number == 0 else api.reply("ok", "", word)
    (answer,), _ = await api.ask(stub)
    assert answer.text == "ok"
    assert stub.asked[1].at - stub.asked[0].at >= 1
    assert len(stub.asked) == 2


@pytest.mark.parametrize("status", [500, 503, 529])
async def test_a_failing_server_is_asked_again_and_given_up_on_after_a_bounded_number(
    stub: StubServer, api: Api, status: int
) -> None:
    stub.script = lambda asked, number: api.error(status, "boom")
    with pytest.raises(RunFailed, match=f"1 answer could not be had .*{status}.*boom"):
        await api.ask(stub)
    assert len(stub.asked) == 6


async def test_a_key_that_stands_in_an_answer_that_cannot_be_read_is_told_nobody(
    stub: StubServer, api: Api, caplog: pytest.LogCaptureFixture
) -> None:
    stub.script = lambda asked, number: Reply({"said": KEY})
    with pytest.raises(RunFailed) as error:
        await api.ask(stub)
    assert "try 1 failed" in caplog.text
    assert KEY not in str(error.value) + caplog.text


@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)
async def test_a_broken_answer_is_asked_for_again(stub: StubServer, api: Api, broken: Reply) -> None:
    word = next(iter(api.finishes))
    stub.script = lambda asked, number: broken if number < 2 else api.reply("ok", "", word)
    (answer,), _ = await api.ask(stub)
    assert answer.text == "ok"
    assert len(stub.asked) == 3


async def test_a_refused_parameter_is_given_up_once_for_the_run_and_told(
    stub: StubServer, api: Api, caplog: pytest.LogCaptureFixture
) -> None:
    word = next(iter(api.finishes))

    def script(asked, number):
        if "temperature" in api.parameters(asked):
            return api.error(400, "`temperature` is deprecated for this model.")
        return api.reply("ok", "", word)

    stub.script = script
    with caplog.at_level(logging.WARNING):
        found, model = await api.ask(stub, indices=(0, 1, 2), concurrency=1)
    assert len(found) == 3
    assert ["temperature" in api.parameters(asked) for asked in stub.asked] == [True, False, False, False]
    assert "deprecated" in model.versions()["parameter temperature"]
    assert sum("temperature" in message for message in caplog.messages) == 1


async def test_of_two_that_cannot_be_had_together_the_nucleus_is_given_up(stub: StubServer, api: Api) -> None:
    word = next(iter(api.finishes))

    def script(asked, number):
        if {"topP", "top_p"} & api.parameters(asked).keys():
            return api.error(400, "`temperature` and `top_p` cannot both be specified for this model.")
        return api.reply("ok", "", word)

    stub.script = script
    await api.ask(stub, sampling=Sampling(temperature=0.5))
    assert len(stub.asked) == 2
    assert api.parameters(stub.asked[1])["temperature"] == 0.5


async def test_what_the_user_says_is_refused_is_never_sent(stub: StubServer, api: Api) -> None:
    word = next(iter(api.finishes))
    stub.script = lambda asked, number: api.reply("ok", "", word)
    _, model = await api.ask(stub, sampling=Sampling(temperature=0.5), refuses=("temperature",))
    assert "temperature" not in api.parameters(stub.asked[0])
    assert model.versions()["parameter temperature"] == "not sent: model.refuses names it"
    assert model.identity()["refuses"] == "temperature"


async def test_each_sample_is_one_request(stub: StubServer, api: Api) -> None:
    word = next(iter(api.finishes))
    stub.script = lambda asked, number: api.reply(f"answer {number}", "", word)
    found, _ = await api.ask(stub, indices=(3, 8, 9), sampling=Sampling(n=10, temperature=0.8))
    assert sorted(each.index for each in found) == [3, 8, 9]
    assert len({each.text for each in found}) == len(stub.asked) == 3
    assert {api.parameters(asked)["temperature"] for asked in stub.asked} == {0.8}


async def test_stop_strings_end_the_text_though_the_api_ignored_them(stub: StubServer, api: Api) -> None:
    word = next(word for word, finish in api.finishes.items() if finish == "length")
    stub.script = lambda asked, number: api.reply("x = 1\nEND\ny", "", word)
    (answer,), _ = await api.ask(stub, sampling=Sampling(stop=("END", " ")), prompt=PROMPT)
    assert (answer.text, answer.finish_reason) == ("x", "stop")
    sent = api.parameters(stub.asked[0])
    assert ["END"] in (sent.get("stop_sequences"), sent.get("stopSequences"))


async def test_thinking_gets_tokens_of_its_own_and_no_begun_answer(stub: StubServer, api: Api) -> None:
    word = next(iter(api.finishes))
    stub.script = lambda asked, number: api.reply("ok", "hm", word)
    name = {"google": "gemini-2.5-flash"}.get(api.kind, "anthropic.claude-sonnet-4-5-20250929-v1:0")
    _, model = await api.ask(
        stub, thinking="on", name=name, thinking_tokens=2048, sampling=Sampling(temperature=0.8, stop=("END",))
    )
    sent = api.parameters(stub.asked[0])
    assert 768 + 2048 in sent.values()
    assert not {"stop_sequences", "stopSequences"} & sent.keys()
    assert not model.prefills
    assert model.versions()["may_think"] == "true"


async def test_a_server_that_says_nothing_is_not_waited_for_for_ever(stub: StubServer, api: Api) -> None:
    word = next(iter(api.finishes))
    stub.script = lambda asked, number: None if number == 0 else api.reply("ok", "", word)
    (answer,), _ = await api.ask(stub, timeout_s=0.5)
    assert answer.text == "ok"
    assert len(stub.asked) == 2


async def test_a_storm_of_429_ends_in_the_same_answers_as_a_calm(stub: StubServer, api: Api) -> None:
    word = next(iter(api.finishes))
    wanted = tuple(range(30))

    def script(asked, number):
        return api.error(429, "too many") if number % 2 else api.reply("ok", "", word)

    stub.script = script
    found, _ = await api.ask(stub, indices=wanted, concurrency=8)
    assert sorted(each.index for each in found) == list(wanted)
    assert len(stub.asked) <= 2 * len(wanted) + 1


async def test_closing_the_stream_ends_the_flight(stub: StubServer, api: Api) -> None:
    word = next(iter(api.finishes))
    stub.script = lambda asked, number: api.reply("first", "", word) if number == 0 else None
    model = api.model(stub, concurrency=2)
    await model.start()
    async with aclosing(model.complete([Request(PROMPT, tuple(range(20)))], Sampling())) as flight:
        assert (await anext(flight)).text == "first"
        while len(stub.asked) < 3:
            await asyncio.sleep(0.001)
    await model.close()
    assert len(stub.asked) == 3


async def test_a_wrong_address_is_told_after_a_few_tries(api: Api, stub: StubServer, unused_tcp_port: int) -> None:
    model = api.model(stub, base_url=f"http://127.0.0.1:{unused_tcp_port}")
    await model.start()
    with pytest.raises(UserError, match="Nothing answers at http://127"):
        await anext(model.complete([Request(PROMPT, (0,))], Sampling()))
    await model.close()


async def test_a_base_models_prompt_is_refused(stub: StubServer, api: Api) -> None:
    with pytest.raises(UserError, match="takes chats only"):
        await api.ask(stub, Prompt("HumanEval/0", text="def f():"))
    assert stub.asked == []


async def test_a_model_without_a_name_is_refused(stub: StubServer, api: Api) -> None:
    with pytest.raises(UserError, match=r"model\.name is empty"):
        await api.model(stub, name="").start()


@pytest.mark.parametrize("url", ["http://user:pw@host", "https://host?key=abc"])
def test_a_secret_in_the_address_is_refused_and_not_repeated(stub: StubServer, api: Api, url: str) -> None:
    with pytest.raises(UserError) as error:
        api.model(stub, base_url=url).identity()
    assert "pw" not in str(error.value)
    assert "abc" not in str(error.value)


async def test_no_key_is_told_of_a_model(stub: StubServer, api: Api) -> None:
    model = api.model(stub)
    await model.start()
    assert KEY not in f"{model.identity()} {model.versions()}"
    rendered = await model.render(BEGUN)
    assert rendered.text == "[user]\nwrite f\n[assistant]\nHere:\n```python\n"
    await model.close()


async def test_all_turns_are_sent_in_their_order(stub: StubServer, api: Api) -> None:
    word = next(iter(api.finishes))
    stub.script = lambda asked, number: api.reply("ok", "", word)
    turns = (Message("user", "one"), Message("assistant", "two"), Message("user", "three"))
    await api.ask(stub, Prompt("HumanEval/0", messages=turns))
    sent = str(stub.asked[0].body)
    assert sent.index("one") < sent.index("two") < sent.index("three")
