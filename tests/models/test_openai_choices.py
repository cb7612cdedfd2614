"""Several answers asked for in one request, from a real server on loopback."""

import asyncio
from contextlib import aclosing

import pytest
from openai_asking import BASE, PROMPT, QUICK, ask
from stub_server import Asked, Reply, StubServer, choices_reply, error_reply

from evalplus_run.models.answers import sample_seed
from evalplus_run.models.openai import OpenAI
from evalplus_run.models.settings import OpenAISettings
from evalplus_run.records import Completion, Request, RunFailed, Sampling

pytestmark = pytest.mark.usefixtures("openai_key")

DRAWN = Sampling(temperature=0.8, seed=5)


def obedient(asked: Asked, number: int) -> Reply:
    """As many choices as are asked for, each unlike all others."""
    return choices_reply(*(f"seed {asked.body['seed']}, choice {each}" for each in range(asked.body.get("n", 1))))


def asked_for(stub: StubServer) -> list[tuple[int, int]]:
    """The number of choices of each request, and the index whose seed it had."""
    by_seed = {sample_seed(5, "HumanEval/0", index): index for index in range(200)}
    return sorted((by_seed[asked.body["seed"]], asked.body.get("n", 1)) for asked in stub.asked)


async def test_all_answers_of_a_group_come_by_one_request_with_the_seed_of_its_first(stub: StubServer) -> None:
    stub.script = obedient
    found, model = await ask(stub, indices=tuple(range(10)), sampling=DRAWN, n_per_request=4)
    assert asked_for(stub) == [(0, 4), (4, 4), (8, 2)]
    assert sorted(each.index for each in found) == list(range(10))
    assert len({each.text for each in found}) == 10
    assert model.identity()["n_per_request"] == "4"


async def test_a_larger_n_asks_only_for_what_is_missing_and_leaves_the_groups_as_they_were(stub: StubServer) -> None:
    stub.script = obedient
    await ask(stub, indices=(2, 3, 8, 9, 10, 11, 12), sampling=DRAWN, n_per_request=4)
    assert asked_for(stub) == [(2, 2), (8, 4), (12, 1)]


async def test_a_sample_for_itself_is_the_default_and_sends_no_n(stub: StubServer) -> None:
    stub.script = obedient
    _, model = await ask(stub, indices=(0, 1), sampling=DRAWN)
    assert ["n" in asked.body for asked in stub.asked] == [False, False]
    assert "n_per_request" not in model.identity()


async def test_greedy_answers_are_asked_for_one_by_one(stub: StubServer) -> None:
    stub.script = lambda asked, number: choices_reply("x")
    found, _ = await ask(stub, indices=(0, 1, 2), n_per_request=4)
    assert len(found) == len(stub.asked) == 3
    assert ["n" in asked.body for asked in stub.asked] == [False] * 3


async def test_choices_that_the_server_left_out_are_asked_for_again(stub: StubServer) -> None:
    def script(asked, number):
        return choices_reply("only") if asked.body["n"] == 4 else obedient(asked, number)

    stub.script = script
    found, _ = await ask(stub, indices=(0, 1, 2, 3), sampling=DRAWN, n_per_request=4)
    assert asked_for(stub) == [(0, 4), (1, 3)]
    assert [each.text for each in found[:1]] == ["only"]
    assert sorted(each.index for each in found) == [0, 1, 2, 3]


async def test_a_server_that_always_gives_one_choice_is_asked_once_a_sample(stub: StubServer) -> None:
    stub.script = lambda asked, number: choices_reply(f"answer {number}")
    found, _ = await ask(stub, indices=tuple(range(8)), sampling=DRAWN, n_per_request=4)
    assert len({each.text for each in found}) == len(stub.asked) == 8


async def test_choices_too_many_are_no_answers(stub: StubServer) -> None:
    stub.script = lambda asked, number: choices_reply(*"abcdef")
    found, _ = await ask(stub, indices=(0, 1), sampling=DRAWN, n_per_request=2)
    assert [(each.index, each.text) for each in found] == [(0, "a"), (1, "b")]
    assert len(stub.asked) == 1


@pytest.mark.parametrize(
    "words",
    [
        "Unsupported value: 'n' does not support 4 with this model. Only the default (1) value is supported.",
        "Invalid n value (currently only n = 1 is supported)",
        "'n' : number must be at most 1",
        "n must be between 1 and 2",
        "Only one completion choice is allowed",
    ],
)
async def test_a_server_that_refuses_n_is_asked_one_by_one_from_then_on_and_that_is_told(
    stub: StubServer, caplog: pytest.LogCaptureFixture, words: str
) -> None:
    stub.script = lambda asked, number: error_reply(400, words) if "n" in asked.body else choices_reply("x")
    found, model = await ask(stub, indices=tuple(range(12)), sampling=DRAWN, n_per_request=4, concurrency=1)
    assert len(found) == 12
    assert ["n" in asked.body for asked in stub.asked] == [True] + [False] * 12
    assert asked_for(stub) == sorted([(0, 4), *((index, 1) for index in range(12))])
    assert words.rstrip(".") in model.versions()["parameter n"]
    assert sum("is not sent the parameter n" in message for message in caplog.messages) == 1


async def test_groups_in_flight_together_all_learn_from_one_refusal(stub: StubServer) -> None:
    stub.script = lambda asked, number: (
        error_reply(400, "no", param="n") if "n" in asked.body else choices_reply(f"{number}")
    )
    found, _ = await ask(stub, indices=tuple(range(32)), sampling=DRAWN, n_per_request=4, concurrency=8)
    assert len(found) == 32
    assert len(stub.asked) <= 32 + 8


async def test_a_family_that_takes_no_n_is_asked_one_by_one_and_that_is_told(
    stub: StubServer, caplog: pytest.LogCaptureFixture
) -> None:
    stub.script = lambda asked, number: choices_reply("x")
    model = OpenAI(OpenAISettings(name="deepseek-chat", base_url=stub.url, n_per_request=4), patience=QUICK)
    await model.start()
    found = [each async for each in model.complete([Request(PROMPT, (0, 1, 2, 3))], DRAWN)]
    await model.close()
    assert len(found) == len(stub.asked) == 4
    assert not any("n" in asked.body for asked in stub.asked)
    assert model.versions()["parameter n"] == "not sent: deepseek-chat is not known to take it"
    assert sum("the parameter n: deepseek-chat is not known to take it" in text for text in caplog.messages) == 1


async def test_what_was_counted_for_all_choices_is_shared_out_and_the_prompt_counted_once(stub: StubServer) -> None:
    stub.script = lambda asked, number: choices_reply("a" * 10, "b" * 20, None, prompt_tokens=100, completion_tokens=31)
    found, _ = await ask(stub, indices=(0, 1, 2), sampling=DRAWN, n_per_request=3)
    assert [each.prompt_tokens for each in found] == [100, 0, 0]
    assert [each.completion_tokens for each in found] == [10, 21, 0]


async def test_choices_of_all_kinds_are_told_apart(stub: StubServer) -> None:
    choices = [
        {"finish_reason": "stop", "message": {"content": "good"}},
        {"finish_reason": "length", "message": {"content": None, "reasoning_content": "hm"}},
        {"finish_reason": "content_filter"},
    ]
    stub.script = lambda asked, number: Reply({"choices": choices})
    found, _ = await ask(stub, indices=(0, 1, 2), sampling=DRAWN, n_per_request=3)
    assert [(each.text, each.reasoning, each.finish_reason) for each in found] == [
        ("good", "", "stop"),
        ("", "hm", "length"),
        ("", "", "refusal"),
    ]
    assert len(stub.asked) == 1


async def test_a_broken_choice_among_whole_ones_is_asked_for_again(stub: StubServer) -> None:
    good = {"finish_reason": "stop", "message": {"content": "good"}}
    broken = {"finish_reason": "error", "message": {"content": "half of"}}
    stub.script = lambda asked, number: Reply({"choices": [broken, good, {"index": 2}] if number == 0 else [good]})
    found, _ = await ask(stub, indices=(0, 1, 2), sampling=DRAWN, n_per_request=3)
    assert [each.text for each in found] == ["good"] * 3
    assert [asked.body["n"] for asked in stub.asked] == [3, 2, 1]


async def test_a_prompt_that_a_filter_holds_back_is_a_refusal_of_the_whole_group(stub: StubServer) -> None:
    stub.script = lambda asked, number: error_reply(400, "filtered", code="content_filter")
    found, _ = await ask(stub, indices=(0, 1, 2, 3), sampling=DRAWN, n_per_request=4)
    assert [each.finish_reason for each in found] == ["refusal"] * 4
    assert len(stub.asked) == 1


async def test_choices_that_were_had_are_kept_where_the_rest_fails(stub: StubServer) -> None:
    stub.script = lambda asked, number: choices_reply("a", "b") if number == 0 else error_reply(500, "boom")
    found: list[Completion] = []
    model = OpenAI(OpenAISettings(name="m", base_url=stub.url, n_per_request=4), patience=QUICK)
    await model.start()
    with pytest.raises(RunFailed, match="boom"):
        async for each in model.complete([Request(PROMPT, (0, 1, 2, 3))], DRAWN):
            found.append(each)  # noqa: PERF401
    await model.close()
    assert [each.text for each in found] == ["a", "b"]
    assert len(stub.asked) == 1 + QUICK.attempts


async def test_a_storm_reaches_the_groups_of_a_calm(stub: StubServer) -> None:
    async def drawn():
        found, _ = await ask(stub, indices=tuple(range(40)), sampling=DRAWN, n_per_request=4)
        return sorted((each.index, each.text) for each in found)

    stub.script = obedient
    calm = await drawn()
    stub.asked.clear()
    stub.script = lambda asked, number: error_reply(429, "slow down") if number % 3 else obedient(asked, number)
    assert await drawn() == calm
    assert len(stub.asked) <= 3 * 10 + 1


async def test_tokens_are_paced_by_all_choices_of_a_request(stub: StubServer) -> None:
    # 4 answers may take 4 * 768 tokens; 37 of them turn out to be used, which takes 0.37 s.
    stub.script = lambda asked, number: choices_reply(*"abcd")
    await asyncio.wait_for(
        ask(stub, indices=tuple(range(8)), sampling=DRAWN, n_per_request=4, concurrency=1, tokens_per_minute=6000), 30
    )
    assert stub.asked[1].at - stub.asked[0].at >= 0.3


async def test_base_models_are_asked_for_several_continuations_too(stub: StubServer) -> None:
    stub.script = lambda asked, number: Reply({"choices": [{"text": "    return 1\ndef g"}, {"text": "    return 2"}]})
    found, _ = await ask(stub, BASE, indices=(0, 1), sampling=DRAWN, endpoint="completions", n_per_request=2)
    assert [each.text for each in found] == ["    return 1", "    return 2"]
    assert stub.asked[0].body["n"] == 2


async def test_closing_the_stream_within_a_group_ends_it(stub: StubServer) -> None:
    stub.script = lambda asked, number: choices_reply("a") if number == 0 else None
    model = OpenAI(OpenAISettings(name="m", base_url=stub.url, n_per_request=4), patience=QUICK)
    await model.start()
    async with aclosing(model.complete([Request(PROMPT, (0, 1, 2, 3))], DRAWN)) as flight:
        assert (await anext(flight)).text == "a"
        while len(stub.asked) < 2:
            await asyncio.sleep(0.001)
    await asyncio.wait_for(stub.asked[1].hung_up.wait(), 30)
    await model.close()
