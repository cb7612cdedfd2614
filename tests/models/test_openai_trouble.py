"""An OpenAI-compatible server that is too busy, fails or says nothing."""

import asyncio
import logging
from contextlib import aclosing

import pytest
from openai_asking import PROMPT, QUICK, ask
from stub_server import StubServer, chat_reply, error_reply

from evalplus_run.models.openai import OpenAI
from evalplus_run.models.settings import OpenAISettings
from evalplus_run.records import Message, Prompt, Request, RunFailed, Sampling, UserError

pytestmark = pytest.mark.usefixtures("openai_key")


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
